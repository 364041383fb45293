// draw 0: elementwise (16, 64) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_f[2];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
uniform highp sampler2D u_t2;
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
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v3 = (v1 + 0.5) * u_f[0].y;
  vec4 v4 = texture2D(u_t0, vec2(v2, v3));
  float v5 = (floor(v0 * 0.25) + 0.5) * u_f[0].z;
  float v6 = 0.0;
  float v7 = (v6 + 0.5) * u_f[0].w;
  vec4 v8 = texture2D(u_t1, vec2(v5, v7));
  float v9 = (floor(v1 * 0.25) + 0.5) * u_f[1].x;
  float v10 = (v6 + 0.5) * u_f[1].y;
  vec4 v11 = vec4(pick_(texture2D(u_t2, vec2(v9, v10)), v1 - 4.0 * floor(v1 * 0.25)));
  vec4 v12_0;
  mine_k1(v4, v8, v11, v12_0);
  vec4 v14 = vec4(u_f[1].z);
  vec4 v15 = op_add_f(v12_0, v14);
  gl_FragColor = v15;
}
