// draw 0: elementwise (64, 16) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
vec4 op_multiply_f(vec4 a, vec4 b) { return a * b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = div_small_(v0, u_i[0].x);
  int v3 = v0 - v2 * u_i[0].x;
  int v4 = v1 * u_i[0].y + v2;
  int v5 = v4 >> 2;
  ivec4 v6 = (ivec4(v3) + ivec4(0, 1, 2, 3));
  vec4 v7 = vec4(pick_(texelFetch(u_t0, ivec2(v5, v6.x), 0), v4 & 3), pick_(texelFetch(u_t0, ivec2(v5, v6.y), 0), v4 & 3), pick_(texelFetch(u_t0, ivec2(v5, v6.z), 0), v4 & 3), pick_(texelFetch(u_t0, ivec2(v5, v6.w), 0), v4 & 3));
  vec4 v8 = vec4(u_f[0].x);
  vec4 v9 = op_multiply_f(v7, v8);
  o0 = v9;
}
