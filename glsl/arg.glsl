// argmax_takes_(a, i, b, j), argmin_takes_: 1.0 where value b at position j replaces value a at
// position i, otherwise 0.0. NaN replaces numbers. The lower position of equal values stays, so
// parts may be combined in any order. Position -1 means that there is no value.
vec4 argmax_takes_(vec4 a, vec4 i, vec4 b, vec4 j) {
  vec4 better = vec4(greaterThan(b, a)) + isnan_(b) * (1.0 - isnan_(a));
  better += (vec4(equal(a, b)) + isnan_(a) * isnan_(b)) * vec4(lessThan(j, i));
  better = select_(equal(i, vec4(-1.0)), vec4(1.0), better);
  return select_(equal(j, vec4(-1.0)), vec4(0.0), better);
}

vec4 argmin_takes_(vec4 a, vec4 i, vec4 b, vec4 j) {
  return argmax_takes_(-a, i, -b, j);
}

#if __VERSION__ >= 300
vec4 argmax_takes_(ivec4 a, ivec4 i, ivec4 b, ivec4 j) {
  vec4 better = vec4(greaterThan(b, a)) + vec4(equal(a, b)) * vec4(lessThan(j, i));
  better = select_(equal(i, ivec4(-1)), vec4(1.0), better);
  return select_(equal(j, ivec4(-1)), vec4(0.0), better);
}

vec4 argmin_takes_(ivec4 a, ivec4 i, ivec4 b, ivec4 j) {
  return argmax_takes_(~a, i, ~b, j);
}

vec4 argmax_takes_(uvec4 a, uvec4 i, uvec4 b, uvec4 j) {
  vec4 better = vec4(greaterThan(b, a)) + vec4(equal(a, b)) * vec4(lessThan(j, i));
  better = select_(equal(i, uvec4(-1)), vec4(1.0), better);
  return select_(equal(j, uvec4(-1)), vec4(0.0), better);
}

vec4 argmin_takes_(uvec4 a, uvec4 i, uvec4 b, uvec4 j) {
  return argmax_takes_(~a, i, ~b, j);
}
#endif
