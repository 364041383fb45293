// draw 0: sum (16,) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
// glsl/select.glsl
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_sum_identity_f(out T a0) { a0 = T(0); }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_sum_lift_f(T x, T i, out T a0) { a0 = x; }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_sum_combine_f(inout T a0,  T b0) { a0 += b0; }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_sum_finish_f( T a0, out T y0) { y0 = a0; }
#undef T
#undef LOWEST_
#undef HIGHEST_
void main() {
  int v0 = int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  vec4 v3_0;
  op_sum_identity_f(v3_0);
  int v9 = 0;
  int v10 = v9;
  int v19 = u_i[0].w;
  int n0 = u_i[0].x;
  int n1 = u_i[0].y;
  int n2 = u_i[0].z;
  vec4 c0 = v3_0;
  for (int t = 0; t < v19; ++t) {
  int v2 = 4 * t;
  int v6 = v0 * n0 + v1 * n1 + v2;
  ivec4 v7 = (ivec4(v6) + ivec4(0, 1, 2, 3));
  ivec4 v8 = v7 >> 2;
  vec4 v11 = vec4(pick_(texelFetch(u_t0, ivec2(v8.x, v10), 0), v7.x & 3), pick_(texelFetch(u_t0, ivec2(v8.y, v10), 0), v7.y & 3), pick_(texelFetch(u_t0, ivec2(v8.z, v10), 0), v7.z & 3), pick_(texelFetch(u_t0, ivec2(v8.w, v10), 0), v7.w & 3));
  vec4 v12 = vec4((ivec4(v2) + ivec4(0, 1, 2, 3)));
  vec4 v13_0;
  op_sum_lift_f(v11, v12, v13_0);
  vec4 v15 = vec4(lessThan((ivec4(v2) + ivec4(0, 1, 2, 3)), ivec4(n2)));
  vec4 v16 = select_(v15, v13_0, v3_0);
  vec4 v17_0 = c0;
  op_sum_combine_f(v17_0, v16);
  c0 = v17_0;
  }
  vec4 v21 = c0.yxwz;
  vec4 v22_0 = c0;
  op_sum_combine_f(v22_0, v21);
  vec4 v24 = v22_0.zwxy;
  vec4 v25_0 = v22_0;
  op_sum_combine_f(v25_0, v24);
  vec4 v27_0;
  op_sum_finish_f(v25_0, v27_0);
  o0 = v27_0;
}
