// ldexp_(x, n): x * 2^n for integral n in [-252, 254]; denormal results may become 0.
// exponent_(x): the integer e with 2^e <= x < 2^(e + 1), for positive, normal and finite x.
vec4 power_of_two_(vec4 n) {
#if __VERSION__ >= 300
  return intBitsToFloat((ivec4(n) + 127) << 23);
#else
  return exp2(n);
#endif
}

vec4 ldexp_(vec4 x, vec4 n) {
  vec4 h = floor(n * 0.5);  // 2^n may overflow although x * 2^n does not
  return (x * power_of_two_(h)) * power_of_two_(n - h);
}

vec4 exponent_(vec4 x) {
#if __VERSION__ >= 300
  return vec4((floatBitsToInt(x) >> 23) - 127);
#else
  vec4 e = floor(log2(clamp(x, 1.2e-38, 3.4e38)));
  vec4 m = ldexp_(x, -e);  // log2 may be off by one next to a power of two
  return e + vec4(greaterThanEqual(m, vec4(2.0))) - vec4(lessThan(m, vec4(1.0)));
#endif
}
