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
void op_max_sumexp_combine_f(inout T a0, inout T a1,  T b0,  T b1) { { vec4 m = maximum_(a0, b0); bvec4 first = equal(a0, m); vec4 e = exp_below_(select_(first, b0, a0), m); a1 = select_(first, a1 + b1 * e, a1 * e + b1); a0 = m; } }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_max_sumexp_finish_f( T a0,  T a1, out T y0, out T y1) { y0 = a0; y1 = select_(equal(a0, vec4(INF_)), vec4(NAN_), a1); }
#undef T
#undef LOWEST_
#undef HIGHEST_
void main() {
  float v0 = floor(v_at.x);
  float v1 = floor(v_at.y);
  vec4 v3_0;
  vec4 v3_1;
  op_max_sumexp_identity_f(v3_0, v3_1);
  float v9 = v0 + v1 * u_i[0].x;
  float v10 = (v9 + 0.5) * u_f[0].y;
  float v19 = u_i[0].y;
  vec4 c0 = v3_0;
  vec4 c1 = v3_1;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v19) break;
  float v2 = 4.0 * t;
  float v8 = (floor(v2 * 0.25) + 0.5) * u_f[0].x;
  vec4 v11 = texture2D(u_t0, vec2(v8, v10));
  vec4 v12 = (vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v13_0;
  vec4 v13_1;
  op_max_sumexp_lift_f(v11, v12, v13_0, v13_1);
  vec4 v16_0 = c0;
  vec4 v16_1 = c1;
  op_max_sumexp_combine_f(v16_0, v16_1, v13_0, v13_1);
  c0 = v16_0;
  c1 = v16_1;
  }
  vec4 v22 = c0.yxwz;
  vec4 v23 = c1.yxwz;
  vec4 v24_0 = c0;
  vec4 v24_1 = c1;
  op_max_sumexp_combine_f(v24_0, v24_1, v22, v23);
  vec4 v27 = v24_0.zwxy;
  vec4 v28 = v24_1.zwxy;
  vec4 v29_0 = v24_0;
  vec4 v29_1 = v24_1;
  op_max_sumexp_combine_f(v29_0, v29_1, v27, v28);
  vec4 v32_0;
  vec4 v32_1;
  op_max_sumexp_finish_f(v29_0, v29_1, v32_0, v32_1);
  vec4 v35 = vec4(v32_0.x, v32_1.x, 0.0, 0.0);
  gl_FragColor = v35;
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
// glsl/index.glsl
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
  float v6 = div_small_(v5, u_i[0].y);
  float v7 = v5 - v6 * u_i[0].y;
  float v8 = (floor(v7 * 0.25) + 0.5) * u_f[0].z;
  float v9 = (v6 + 0.5) * u_f[0].w;
  vec4 v10 = texture2D(u_t1, vec2(v8, v9));
  vec4 v11 = v10.xxxx;
  vec4 v12 = op_subtract_f(v4, v11);
  vec4 v13 = op_exp_f(v12);
  vec4 v14 = v10.yyyy;
  vec4 v15 = op_divide_f(v13, v14);
  gl_FragColor = v15;
}
