// Bitwise ops of integers, and logical ops of bools (0.0 and 1.0). A shift by 32 or more gives 0,
// or -1 for a negative integer shifted right.
vec4 bitwise_and_(vec4 a, vec4 b) {
  return a * b;
}

vec4 bitwise_or_(vec4 a, vec4 b) {
  return max(a, b);
}

vec4 bitwise_xor_(vec4 a, vec4 b) {
  return abs(a - b);
}

#if __VERSION__ >= 300
ivec4 bitwise_and_(ivec4 a, ivec4 b) {
  return a & b;
}

uvec4 bitwise_and_(uvec4 a, uvec4 b) {
  return a & b;
}

ivec4 bitwise_or_(ivec4 a, ivec4 b) {
  return a | b;
}

uvec4 bitwise_or_(uvec4 a, uvec4 b) {
  return a | b;
}

ivec4 bitwise_xor_(ivec4 a, ivec4 b) {
  return a ^ b;
}

uvec4 bitwise_xor_(uvec4 a, uvec4 b) {
  return a ^ b;
}

uvec4 left_shift_(uvec4 a, uvec4 b) {
  return select_(lessThan(b, uvec4(32u)), a << (b & uvec4(31u)), uvec4(0u));
}

uvec4 right_shift_(uvec4 a, uvec4 b) {
  return select_(lessThan(b, uvec4(32u)), a >> (b & uvec4(31u)), uvec4(0u));
}

ivec4 left_shift_(ivec4 a, ivec4 b) {
  return ivec4(left_shift_(uvec4(a), uvec4(b)));
}

ivec4 right_shift_(ivec4 a, ivec4 b) {
  return a >> ivec4(min(uvec4(b), uvec4(31u)));
}
#endif
