// signbit_(x): 1.0 where the sign bit is set, also for -0.0, otherwise 0.0. copysign_(a, b): |a|
// with the sign of b. odd_(y, x): y with the sign of x, for y >= 0 that is 0 where x is 0.
// sign_(x): -1, 0 or 1; NaN stays. abs_(x): |x|, for integers too.
vec4 signbit_(vec4 x) {
#if __VERSION__ >= 300
  return vec4(lessThan(floatBitsToInt(x), ivec4(0)));
#else
  vec4 y = keep_(x);  // Mesa takes sqrt(x) and 1 / sqrt(x) to be >= 0, even for -0
  vec4 r = select_(equal(y, vec4(0.0)), vec4(1.0) / y, y);
  return vec4(lessThan(r, vec4(0.0)));
#endif
}

vec4 copysign_(vec4 a, vec4 b) {
  return select_(signbit_(b), -abs(a), abs(a));
}

vec4 odd_(vec4 y, vec4 x) {
#if __VERSION__ >= 300
  return intBitsToFloat(floatBitsToInt(y) | (floatBitsToInt(x) & ivec4(-2147483647 - 1)));
#else
  return select_(equal(x, vec4(0.0)), x, select_(lessThan(x, vec4(0.0)), -y, y));
#endif
}

vec4 sign_(vec4 x) {
  vec4 s = vec4(greaterThan(x, vec4(0.0))) - vec4(lessThan(x, vec4(0.0)));
  return select_(isnan_(x), x, s);
}

#if __VERSION__ >= 300
vec4 signbit_(ivec4 x) {
  return vec4(lessThan(x, ivec4(0)));
}

vec4 signbit_(uvec4 x) {
  return vec4(0.0);
}

ivec4 sign_(ivec4 x) {
  return sign(x);
}

uvec4 sign_(uvec4 x) {
  return min(x, uvec4(1u));
}

ivec4 abs_(ivec4 x) {
  return abs(x);
}

uvec4 abs_(uvec4 x) {
  return x;
}
#endif

vec4 abs_(vec4 x) {
  return abs(x);
}
