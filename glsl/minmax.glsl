// maximum_(a, b), minimum_(a, b): NaN if either is NaN. fmax_(a, b), fmin_(a, b): the other operand
// if one is NaN. relu_(x): max(x, 0); NaN stays.
vec4 maximum_(vec4 a, vec4 b) {
  return select_(isnan_(a) + isnan_(b), a + b, max(a, b));
}

vec4 minimum_(vec4 a, vec4 b) {
  return select_(isnan_(a) + isnan_(b), a + b, min(a, b));
}

vec4 fmax_(vec4 a, vec4 b) {
  return select_(isnan_(a), b, select_(isnan_(b), a, max(a, b)));
}

vec4 fmin_(vec4 a, vec4 b) {
  return select_(isnan_(a), b, select_(isnan_(b), a, min(a, b)));
}

vec4 relu_(vec4 x) {
  return select_(isnan_(x), x, max(x, vec4(0.0)));
}

#if __VERSION__ >= 300
ivec4 maximum_(ivec4 a, ivec4 b) {
  return max(a, b);
}

uvec4 maximum_(uvec4 a, uvec4 b) {
  return max(a, b);
}

ivec4 minimum_(ivec4 a, ivec4 b) {
  return min(a, b);
}

uvec4 minimum_(uvec4 a, uvec4 b) {
  return min(a, b);
}

ivec4 relu_(ivec4 x) {
  return max(x, ivec4(0));
}

uvec4 relu_(uvec4 x) {
  return x;
}
#endif
