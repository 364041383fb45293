// scaled_(x0, x1, x2, x3, range): floor(w * range / 2^64); w is the 64 bits of two words from
// threefry_.
#if __VERSION__ >= 300
uvec4 upper_product_(uvec4 a, uvec4 b) {
  uvec4 low = (a & 65535u) * (b & 65535u);
  uvec4 middle = (a >> 16u) * (b & 65535u) + (low >> 16u);
  uvec4 other = (a & 65535u) * (b >> 16u) + (middle & 65535u);
  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

ivec4 scaled_(ivec4 x0, ivec4 x1, ivec4 x2, ivec4 x3, uvec4 range) {
  uvec4 first = uvec4(x0) * 256u + uvec4(x1);
  uvec4 second = uvec4(x2) * 256u + uvec4(x3);
  uvec4 low = first * range;
  uvec4 sum = low + upper_product_(second, range);
  return ivec4(upper_product_(first, range) + uvec4(lessThan(sum, low)));
}
#else
// A step of a long multiplication by the range, whose 12-bit digits are r1 and r0: the digits of
// floor((byte * range + carry) / 256). No intermediate value reaches 2^24.
void byte_product_(vec4 byte, vec4 r1, vec4 r0, inout vec4 carry1, inout vec4 carry0) {
  vec4 low = byte * r0 + carry0;
  vec4 over = floor(low / 4096.0);
  vec4 high = byte * r1 + carry1 + over;
  carry1 = floor(high / 256.0);
  carry0 = (high - carry1 * 256.0) * 16.0 + floor((low - over * 4096.0) / 256.0);
}

void word_product_(vec4 upper, vec4 rest, vec4 r1, vec4 r0, inout vec4 carry1,
                   inout vec4 carry0) {
  vec4 first = floor(upper / 65536.0);
  vec4 middle = floor(upper / 256.0);
  byte_product_(rest, r1, r0, carry1, carry0);
  byte_product_(upper - middle * 256.0, r1, r0, carry1, carry0);
  byte_product_(middle - first * 256.0, r1, r0, carry1, carry0);
  byte_product_(first, r1, r0, carry1, carry0);
}

vec4 scaled_(vec4 x0, vec4 x1, vec4 x2, vec4 x3, vec4 range) {
  vec4 r1 = floor(range / 4096.0);
  vec4 r0 = range - r1 * 4096.0;
  vec4 carry1 = vec4(0.0);
  vec4 carry0 = vec4(0.0);
  word_product_(x2, x3, r1, r0, carry1, carry0);
  word_product_(x0, x1, r1, r0, carry1, carry0);
  return carry1 * 4096.0 + carry0;
}
#endif
