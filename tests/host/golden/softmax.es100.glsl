// draw 0: max_sumexp (2, 16, 1) float32
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
  float v0 = floor(v_at.x);
  vec4 v2_0;
  vec4 v2_1;
  op_max_sumexp_identity_f(v2_0, v2_1);
  float v8 = (v0 + 0.5) * u_f[0].y;
  float v17 = u_i[0].x;
  vec4 c0 = v2_0;
  vec4 c1 = v2_1;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v17) break;
  float v1 = 4.0 * t;
  float v7 = (floor(v1 * 0.25) + 0.5) * u_f[0].x;
  vec4 v9 = texture2D(u_t0, vec2(v7, v8));
  vec4 v10 = (vec4(v1) + vec4(0.0, 1.0, 2.0, 3.0));
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
  gl_FragColor = v33;
}
// draw 1: elementwise (16, 64) float32
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
uniform highp sampler2D u_t1;
// glsl/isnan.glsl
// glsl/scale.glsl
// glsl/select.glsl
// glsl/exp.glsl
vec4 op_subtract_f(vec4 a, vec4 b) { return a - b; }
vec4 op_exp_f(vec4 x) { return exp_(x); }
vec4 op_divide_f(vec4 a, vec4 b) { return a / b; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v3 = (v1 + 0.5) * u_f[0].y;
  vec4 v4 = texture2D(u_t0, vec2(v2, v3));
  float v5 = v1 * u_i[0].x;
  float v6 = (floor(v5 * 0.25) + 0.5) * u_f[0].z;
  float v7 = 0.0;
  float v8 = (v7 + 0.5) * u_f[0].w;
  vec4 v9 = texture2D(u_t1, vec2(v6, v8));
  vec4 v10 = v9.xxxx;
  vec4 v11 = op_subtract_f(v4, v10);
  vec4 v12 = op_exp_f(v11);
  vec4 v13 = v9.yyyy;
  vec4 v14 = op_divide_f(v12, v13);
  gl_FragColor = v14;
}
