// draw 0: elementwise (16, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[4];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
float x_k1(int i0) {
  int e = u_i[1].w;
  int n = clamp(int(i0), 0, u_i[0].z - 1);
  int q1 = div_(n, u_i[1].x);
  e += (n - q1 * u_i[1].x) * u_i[1].z;
  n = q1;
  e += n * u_i[1].y;
  int y = div_(e, u_i[2].x);
  int x = e - y * u_i[2].x;
  return pick_(texelFetch(u_t0, ivec2(x >> 2, y), 0), x & 3);
}
float y_k1(int i0, int i1) {
  int e = u_i[3].y;
  e += clamp(int(i0), 0, u_i[2].y - 1) * u_i[2].w;
  e += clamp(int(i1), 0, u_i[2].z - 1) * u_i[3].x;
  int y = div_(e, u_i[3].z);
  int x = e - y * u_i[3].z;
  return pick_(texelFetch(u_t1, ivec2(x >> 2, y), 0), x & 3);
}
void turned_element_k1(int i, int _z_1, int _z_0, out float z_k1) {
//@ turned: body
z_k1 = x_k1(i) + y_k1(_z_1, _z_0)
//@
;}
void turned_k1(ivec4 n0, ivec4 n1, ivec4 n2, out vec4 r0) {
  float e0;
  turned_element_k1(n0.x, n1.x, n2.x, e0); r0.x = e0;
  turned_element_k1(n0.y, n1.y, n2.y, e0); r0.y = e0;
  turned_element_k1(n0.z, n1.z, n2.z, e0); r0.z = e0;
  turned_element_k1(n0.w, n1.w, n2.w, e0); r0.w = e0;
}
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 + v1 * u_i[0].x;
  int v3 = div_small_(v2, u_i[0].y);
  int v4 = v2 - v3 * u_i[0].y;
  ivec4 v7 = (ivec4(v2) + ivec4(0, 1, 2, 3));
  ivec4 v8 = (ivec4(v4) + ivec4(0, 1, 2, 3));
  ivec4 v9 = ivec4(v3);
  vec4 v10_0;
  turned_k1(v7, v8, v9, v10_0);
  o0 = v10_0;
}
