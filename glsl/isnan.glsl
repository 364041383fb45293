// isnan_(x), isinf_(x), isfinite_(x): 1.0 where it holds, otherwise 0.0. llvmpipe's max, min, clamp
// and sign do not propagate NaN, so functions that use them test their operands with these.
vec4 isnan_(vec4 x) {
#if __VERSION__ >= 300
  return vec4(isnan(x));
#else
  return vec4(notEqual(x, x));
#endif
}

vec4 isinf_(vec4 x) {
  return vec4(equal(abs(x), vec4(INF_)));
}

vec4 isfinite_(vec4 x) {
  return vec4(lessThan(abs(x), vec4(INF_)));
}
