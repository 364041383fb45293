// draw 0: elementwise (6, 5) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  ivec4 v1 = div_small_((ivec4(v0) + ivec4(0, 1, 2, 3)), u_i[0].x);
  ivec4 v2 = (ivec4(v0) + ivec4(0, 1, 2, 3)) - v1 * u_i[0].x;
  int v3 = v0 >> 2;
  int v4 = 0;
  int v5 = v4;
  vec4 v6 = texelFetch(u_t0, ivec2(v3, v5), 0);
  ivec4 v7 = v2 >> 2;
  vec4 v8 = vec4(pick_(texelFetch(u_t1, ivec2(v7.x, v5), 0), v2.x & 3), pick_(texelFetch(u_t1, ivec2(v7.y, v5), 0), v2.y & 3), pick_(texelFetch(u_t1, ivec2(v7.z, v5), 0), v2.z & 3), pick_(texelFetch(u_t1, ivec2(v7.w, v5), 0), v2.w & 3));
  vec4 v9 = op_add_f(v6, v8);
  o0 = v9;
}
