// draw 0: elementwise (16, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
uniform highp usampler2D u_t2;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
//@ mine: preamble
float helper_k1(float v) {
  return v * v;
}
//@
void mine_element_k1(float x_k1, float y_k1, bool b_k1, out float z_k1) {
//@ mine: body
float d = x_k1 - y_k1;
z_k1 = b_k1 ? helper_k1(d) : d
//@
;}
void mine_k1(vec4 a0, vec4 a1, vec4 a2, out vec4 r0) {
  float e0;
  mine_element_k1(a0.x, a1.x, a2.x != 0.0, e0); r0.x = e0;
  mine_element_k1(a0.y, a1.y, a2.y != 0.0, e0); r0.y = e0;
  mine_element_k1(a0.z, a1.z, a2.z != 0.0, e0); r0.z = e0;
  mine_element_k1(a0.w, a1.w, a2.w != 0.0, e0); r0.w = e0;
}
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 >> 2;
  int v3 = v1;
  vec4 v4 = texelFetch(u_t0, ivec2(v2, v3), 0);
  int v5 = 0;
  int v6 = v5;
  vec4 v7 = texelFetch(u_t1, ivec2(v2, v6), 0);
  int v8 = v1 >> 2;
  uvec4 v9 = uvec4(pick_(texelFetch(u_t2, ivec2(v8, v6), 0), v1 & 3));
  vec4 v10 = vec4(v9);
  vec4 v11_0;
  mine_k1(v4, v7, v10, v11_0);
  vec4 v13 = vec4(u_f[0].x);
  vec4 v14 = op_add_f(v11_0, v13);
  o0 = v14;
}
