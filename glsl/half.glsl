// half_(x): x rounded to float16, ties to even; inf past 65504. Some compilers drop packing and
// unpacking, so the packed bits are hidden from them. GLSL ES 1.00 has no float16: there x is
// rounded to units of its last place, which is at least 2^-24.
#if __VERSION__ >= 300
vec4 half_(vec4 x) {
  uint hidden = uint(floatBitsToInt(INF_) ^ 2139095040);  // 0
  return vec4(unpackHalf2x16(packHalf2x16(x.xy) ^ hidden),
              unpackHalf2x16(packHalf2x16(x.zw) ^ hidden));
}
#else
vec4 half_(vec4 x) {
  vec4 e = max(exponent_(max(abs(x), vec4(1e-30))), vec4(-14.0));
  vec4 y = round_(x * power_of_two_(10.0 - e)) * power_of_two_(e - 10.0);
  y = select_(greaterThanEqual(abs(x), vec4(65520.0)), copysign_(vec4(INF_), x), y);
  return select_(isfinite_(x), y, x);
}
#endif
