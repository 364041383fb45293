// truth_(x): 1.0 where x is not 0 (NaN counts), otherwise 0.0.
vec4 truth_(vec4 x) {
  return vec4(notEqual(x, vec4(0.0)));
}

#if __VERSION__ >= 300
vec4 truth_(ivec4 x) {
  return vec4(notEqual(x, ivec4(0)));
}

vec4 truth_(uvec4 x) {
  return vec4(notEqual(x, uvec4(0u)));
}
#endif
