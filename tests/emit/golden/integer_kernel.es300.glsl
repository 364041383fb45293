// draw 0: elementwise (40,) int32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[2];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp isampler2D u_t0;
uniform highp usampler2D u_t1;
layout(location = 0) out ivec4 o0;
// glsl/index.glsl
int n_k1(int i0) {
  int e = u_i[0].w;
  int n = clamp(int(i0), 0, u_i[0].x - 1);
  e += n * u_i[0].z;
  int y = div_(e, u_i[1].x);
  int x = e - y * u_i[1].x;
  return pick_(texelFetch(u_t0, ivec2(x >> 2, y), 0), x & 3);
}
void halved_element_k1(bool b_k1, int i, out int m_k1) {
//@ halved: body
m_k1 = b_k1 ? n_k1(i) / int(2) : n_k1(0)
//@
;}
void halved_k1(vec4 a1, ivec4 n0, out ivec4 r0) {
  int e0;
  halved_element_k1(a1.x != 0.0, n0.x, e0); r0.x = e0;
  halved_element_k1(a1.y != 0.0, n0.y, e0); r0.y = e0;
  halved_element_k1(a1.z != 0.0, n0.z, e0); r0.z = e0;
  halved_element_k1(a1.w != 0.0, n0.w, e0); r0.w = e0;
}
ivec4 op_add_i(ivec4 a, ivec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v2 = v0 >> 2;
  int v3 = 0;
  int v4 = v3;
  uvec4 v5 = texelFetch(u_t1, ivec2(v2, v4), 0);
  vec4 v6 = vec4(v5);
  ivec4 v7 = (ivec4(v0) + ivec4(0, 1, 2, 3));
  ivec4 v8_0;
  halved_k1(v6, v7, v8_0);
  int v10 = u_i[1].y;
  ivec4 v11 = ivec4(v10);
  ivec4 v12 = op_add_i(v8_0, v11);
  o0 = v12;
}
