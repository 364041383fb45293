// half_(x): x rounded to float16. Some compilers take packing and unpacking for nothing, so the bits
// in between are hidden from them. 1.00 has no float16.
#if __VERSION__ >= 300
vec4 half_(vec4 x) {
  uint hidden = uint(floatBitsToInt(INF_) ^ 2139095040);  // 0
  return vec4(unpackHalf2x16(packHalf2x16(x.xy) ^ hidden),
              unpackHalf2x16(packHalf2x16(x.zw) ^ hidden));
}
#endif
