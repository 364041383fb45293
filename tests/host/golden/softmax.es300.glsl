// draw 0: max_sumexp (2, 16, 1) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
// glsl/isnan.glsl
// glsl/select.glsl
// glsl/minmax.glsl
// glsl/scale.glsl
// glsl/exp.glsl
// glsl/sumexp.glsl
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_max_sumexp_identity_f(out T a0, out T a1) { a0 = T(LOWEST_); a1 = T(0); }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_max_sumexp_lift_f(T x, T i, out T a0, out T a1) { a0 = x; a1 = T(1); }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_max_sumexp_combine_f(inout T a0, inout T a1,  T b0,  T b1) { { vec4 m = maximum_(a0, b0); a1 = a1 * exp_below_(a0, m) + b1 * exp_below_(b0, m); a0 = m; } }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_max_sumexp_finish_f( T a0,  T a1, out T y0, out T y1) { y0 = a0; y1 = a1; }
#undef T
#undef LOWEST_
#undef HIGHEST_
void main() {
  int v0 = int(gl_FragCoord.x);
  vec4 v2_0;
  vec4 v2_1;
  op_max_sumexp_identity_f(v2_0, v2_1);
  int v8 = v0;
  int v17 = u_i[0].x;
  vec4 c0 = v2_0;
  vec4 c1 = v2_1;
  for (int t = 0; t < v17; ++t) {
  int v1 = 4 * t;
  int v7 = v1 >> 2;
  vec4 v9 = texelFetch(u_t0, ivec2(v7, v8), 0);
  vec4 v10 = vec4((ivec4(v1) + ivec4(0, 1, 2, 3)));
  vec4 v11_0;
  vec4 v11_1;
  op_max_sumexp_lift_f(v9, v10, v11_0, v11_1);
  vec4 v14_0 = c0;
  vec4 v14_1 = c1;
  op_max_sumexp_combine_f(v14_0, v14_1, v11_0, v11_1);
  c0 = v14_0;
  c1 = v14_1;
  }
  vec4 v20 = c0.yxwz;
  vec4 v21 = c1.yxwz;
  vec4 v22_0 = c0;
  vec4 v22_1 = c1;
  op_max_sumexp_combine_f(v22_0, v22_1, v20, v21);
  vec4 v25 = v22_0.zwxy;
  vec4 v26 = v22_1.zwxy;
  vec4 v27_0 = v22_0;
  vec4 v27_1 = v22_1;
  op_max_sumexp_combine_f(v27_0, v27_1, v25, v26);
  vec4 v30_0;
  vec4 v30_1;
  op_max_sumexp_finish_f(v27_0, v27_1, v30_0, v30_1);
  vec4 v33 = vec4(v30_0.x, v30_1.x, 0.0, 0.0);
  o0 = v33;
}
// draw 1: elementwise (16, 64) float32
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
// glsl/isnan.glsl
// glsl/scale.glsl
// glsl/select.glsl
// glsl/exp.glsl
vec4 op_subtract_f(vec4 a, vec4 b) { return a - b; }
vec4 op_exp_f(vec4 x) { return exp_(x); }
vec4 op_divide_f(vec4 a, vec4 b) { return a / b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 >> 2;
  int v3 = v1;
  vec4 v4 = texelFetch(u_t0, ivec2(v2, v3), 0);
  int v5 = v1 * u_i[0].x;
  int v6 = v5 >> 2;
  int v7 = 0;
  int v8 = v7;
  vec4 v9 = texelFetch(u_t1, ivec2(v6, v8), 0);
  vec4 v10 = v9.xxxx;
  vec4 v11 = op_subtract_f(v4, v10);
  vec4 v12 = op_exp_f(v11);
  vec4 v13 = v9.yyyy;
  vec4 v14 = op_divide_f(v12, v13);
  o0 = v14;
}
