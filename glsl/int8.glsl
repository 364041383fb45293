// int8_lanes_(texel, group): the bytes of component `group`, from the lowest on, as signed numbers.
// GLSL ES 1.00 has no bytes.
#if __VERSION__ >= 300
vec4 int8_lanes_(uvec4 texel, int group) {
  return vec4(ivec4(uvec4(pick_(texel, group)) << uvec4(24u, 16u, 8u, 0u)) >> 24);
}
#endif
