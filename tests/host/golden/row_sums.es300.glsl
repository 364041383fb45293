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
  vec4 v2_0;
  op_sum_identity_f(v2_0);
  int v8 = 0;
  int v9 = v8;
  int v18 = u_i[0].z;
  vec4 c0 = v2_0;
  for (int t = 0; t < v18; ++t) {
  int v1 = 4 * t;
  int v5 = v0 * u_i[0].x + v1;
  ivec4 v6 = (ivec4(v5) + ivec4(0, 1, 2, 3));
  ivec4 v7 = v6 >> 2;
  vec4 v10 = vec4(pick_(texelFetch(u_t0, ivec2(v7.x, v9), 0), v6.x & 3), pick_(texelFetch(u_t0, ivec2(v7.y, v9), 0), v6.y & 3), pick_(texelFetch(u_t0, ivec2(v7.z, v9), 0), v6.z & 3), pick_(texelFetch(u_t0, ivec2(v7.w, v9), 0), v6.w & 3));
  vec4 v11 = vec4((ivec4(v1) + ivec4(0, 1, 2, 3)));
  vec4 v12_0;
  op_sum_lift_f(v10, v11, v12_0);
  vec4 v14 = vec4(lessThan((ivec4(v1) + ivec4(0, 1, 2, 3)), ivec4(u_i[0].y)));
  vec4 v15 = select_(v14, v12_0, v2_0);
  vec4 v16_0 = c0;
  op_sum_combine_f(v16_0, v15);
  c0 = v16_0;
  }
  vec4 v20 = c0.yxwz;
  vec4 v21_0 = c0;
  op_sum_combine_f(v21_0, v20);
  vec4 v23 = v21_0.zwxy;
  vec4 v24_0 = v21_0;
  op_sum_combine_f(v24_0, v23);
  vec4 v26_0;
  op_sum_finish_f(v24_0, v26_0);
  o0 = v26_0;
}
