// keep_(x): x, hidden from the compiler. Compilers treat float sums as associative and turn
// (a + b) - a into b; with keep_(a + b) - a the rounding error stays.
vec4 keep_(vec4 x) {
#if __VERSION__ >= 300
  return intBitsToFloat(floatBitsToInt(x) ^ (floatBitsToInt(INF_) ^ 2139095040));  // ^ 0
#else
  return select_(equal(x, vec4(NAN_)), vec4(INF_), x);  // nothing equals NaN
#endif
}

// head_(x): x truncated (in 1.00 rounded) to its upper 12 bits, so the product of two heads is
// exact. For |x| < 2^126.
vec4 head_(vec4 x) {
#if __VERSION__ >= 300
  return intBitsToFloat(floatBitsToInt(x) & ivec4(-4096));
#else
  vec4 s = select_(greaterThan(abs(x), vec4(1e30)), vec4(1.0 / 16777216.0), vec4(1.0));
  vec4 y = x * s;
  vec4 t = keep_(y * 4097.0);
  return keep_(t - keep_(t - y)) / s;
#endif
}
