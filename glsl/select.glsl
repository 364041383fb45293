// select_(c, a, b): a where c is true (or not 0.0), otherwise b. It does no arithmetic on a and b,
// so NaN and inf in the operand not taken have no effect.
vec4 select_(bvec4 c, vec4 a, vec4 b) {
  return vec4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}

vec4 select_(vec4 c, vec4 a, vec4 b) {
  return select_(notEqual(c, vec4(0.0)), a, b);
}

#if __VERSION__ >= 300
ivec4 select_(bvec4 c, ivec4 a, ivec4 b) {
  return ivec4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}

uvec4 select_(bvec4 c, uvec4 a, uvec4 b) {
  return uvec4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}

ivec4 select_(vec4 c, ivec4 a, ivec4 b) {
  return select_(notEqual(c, vec4(0.0)), a, b);
}

uvec4 select_(vec4 c, uvec4 a, uvec4 b) {
  return select_(notEqual(c, vec4(0.0)), a, b);
}
#endif
