// draw 0: elementwise (16, 64) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[4];
uniform vec4 u_f[1];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
// glsl/index.glsl
float x_k1(int i0) {
  float e = u_i[1].w;
  float n = clamp(float(i0), 0.0, u_i[0].z - 1.0);
  float q1 = div_(n, u_i[1].x);
  e += (n - q1 * u_i[1].x) * u_i[1].z;
  n = q1;
  e += n * u_i[1].y;
  float y = div_(e, u_i[2].x);
  float x = e - y * u_i[2].x;
  return pick_(texture2D(u_t0, vec2((floor(x * 0.25) + 0.5) * u_f[0].x, (y + 0.5) * u_f[0].y)), x - 4.0 * floor(x * 0.25));
}
float y_k1(int i0, int i1) {
  float e = u_i[3].y;
  e += clamp(float(i0), 0.0, u_i[2].y - 1.0) * u_i[2].w;
  e += clamp(float(i1), 0.0, u_i[2].z - 1.0) * u_i[3].x;
  float y = div_(e, u_i[3].z);
  float x = e - y * u_i[3].z;
  return pick_(texture2D(u_t1, vec2((floor(x * 0.25) + 0.5) * u_f[0].z, (y + 0.5) * u_f[0].w)), x - 4.0 * floor(x * 0.25));
}
void turned_element_k1(int i, int _z_1, int _z_0, out float z_k1) {
//@ turned: body
z_k1 = x_k1(i) + y_k1(_z_1, _z_0)
//@
;}
void turned_k1(vec4 n0, vec4 n1, vec4 n2, out vec4 r0) {
  float e0;
  turned_element_k1(int(n0.x), int(n1.x), int(n2.x), e0); r0.x = e0;
  turned_element_k1(int(n0.y), int(n1.y), int(n2.y), e0); r0.y = e0;
  turned_element_k1(int(n0.z), int(n1.z), int(n2.z), e0); r0.z = e0;
  turned_element_k1(int(n0.w), int(n1.w), int(n2.w), e0); r0.w = e0;
}
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = v0 + v1 * u_i[0].x;
  float v3 = div_small_(v2, u_i[0].y);
  float v4 = v2 - v3 * u_i[0].y;
  vec4 v5 = vec4(u_f[0].x);
  vec4 v6 = vec4(u_f[0].y);
  vec4 v8 = vec4(u_f[0].z);
  vec4 v9 = vec4(u_f[0].w);
  vec4 v11 = (vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v12 = (vec4(v4) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v13 = vec4(v3);
  vec4 v14_0;
  turned_k1(v11, v12, v13, v14_0);
  gl_FragColor = v14_0;
}
