// draw 0: l2norm (16,) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[1];
uniform vec4 u_f[1];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
// glsl/index.glsl
// glsl/select.glsl
float l2norm_identity_k101() {
return float(
//@ l2norm: identity
0.0
//@
);}
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_l2norm_identity_f(out T a0) { a0 = T(l2norm_identity_k101()); }
#undef T
#undef LOWEST_
#undef HIGHEST_
void l2norm_element_k1(float x_k1, out float _result_k1) {
_result_k1 = float(
//@ l2norm: map expression
x_k1 * x_k1
//@
);}
void l2norm_k1(vec4 a0, out vec4 r0) {
  float e0;
  l2norm_element_k1(a0.x, e0); r0.x = e0;
  l2norm_element_k1(a0.y, e0); r0.y = e0;
  l2norm_element_k1(a0.z, e0); r0.z = e0;
  l2norm_element_k1(a0.w, e0); r0.w = e0;
}
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_l2norm_lift_f(T x, T i, out T a0) { a0 = x; }
#undef T
#undef LOWEST_
#undef HIGHEST_
float l2norm_reduce_k101(float a, float b) {
return float(
//@ l2norm: reduce expression
a + b
//@
);}
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_l2norm_combine_f(inout T a0,  T b0) { a0 = T(l2norm_reduce_k101(a0.x, b0.x), l2norm_reduce_k101(a0.y, b0.y), l2norm_reduce_k101(a0.z, b0.z), l2norm_reduce_k101(a0.w, b0.w)); }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_l2norm_finish_f( T a0, out T y0) { y0 = a0; }
#undef T
#undef LOWEST_
#undef HIGHEST_
void l2norm_element_k2(float a_k2, out float y_k2) {
//@ l2norm: post-map expression
y_k2 = sqrt(a_k2)
//@
;}
void l2norm_k2(vec4 a0, out vec4 r0) {
  float e0;
  l2norm_element_k2(a0.x, e0); r0.x = e0;
  l2norm_element_k2(a0.y, e0); r0.y = e0;
  l2norm_element_k2(a0.z, e0); r0.z = e0;
  l2norm_element_k2(a0.w, e0); r0.w = e0;
}
void main() {
  float v0 = floor(v_at.x);
  float v1 = floor(v_at.y);
  vec4 v3_0;
  op_l2norm_identity_f(v3_0);
  float v9 = 0.0;
  float v10 = (v9 + 0.5) * u_f[0].y;
  float v21 = u_i[0].w;
  float n0 = u_i[0].x;
  float n1 = u_i[0].y;
  float n2 = u_i[0].z;
  vec4 c0 = v3_0;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v21) break;
  float v2 = 4.0 * t;
  float v6 = v0 * n0 + v1 * n1 + v2;
  vec4 v7 = (vec4(v6) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v8 = (floor(v7 * 0.25) + 0.5) * u_f[0].x;
  vec4 v11 = vec4(pick_(texture2D(u_t0, vec2(v8.x, v10)), v7.x - 4.0 * floor(v7.x * 0.25)), pick_(texture2D(u_t0, vec2(v8.y, v10)), v7.y - 4.0 * floor(v7.y * 0.25)), pick_(texture2D(u_t0, vec2(v8.z, v10)), v7.z - 4.0 * floor(v7.z * 0.25)), pick_(texture2D(u_t0, vec2(v8.w, v10)), v7.w - 4.0 * floor(v7.w * 0.25)));
  vec4 v12_0;
  l2norm_k1(v11, v12_0);
  vec4 v14 = (vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v15_0;
  op_l2norm_lift_f(v12_0, v14, v15_0);
  vec4 v17 = vec4(lessThan((vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0)), vec4(n2)));
  vec4 v18 = select_(v17, v15_0, v3_0);
  vec4 v19_0 = c0;
  op_l2norm_combine_f(v19_0, v18);
  c0 = v19_0;
  }
  vec4 v23 = c0.yxwz;
  vec4 v24_0 = c0;
  op_l2norm_combine_f(v24_0, v23);
  vec4 v26 = v24_0.zwxy;
  vec4 v27_0 = v24_0;
  op_l2norm_combine_f(v27_0, v26);
  vec4 v29_0;
  op_l2norm_finish_f(v27_0, v29_0);
  vec4 v31_0;
  l2norm_k2(v29_0, v31_0);
  gl_FragColor = v31_0;
}
