// draw 0: argmax (64,) int32
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
// glsl/arg.glsl
// glsl/index.glsl
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_argmax_identity_f(out T a0, out T a1) { a0 = T(LOWEST_); a1 = T(-1); }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_argmax_lift_f(T x, T i, out T a0, out T a1) { a0 = x; a1 = i; }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_argmax_combine_f(inout T a0, inout T a1,  T b0,  T b1) { { vec4 t = argmax_takes_(a0, a1, b0, b1); a0 = select_(t, b0, a0); a1 = select_(t, b1, a1); } }
#undef T
#undef LOWEST_
#undef HIGHEST_
#define T vec4
#define LOWEST_ (-INF_)
#define HIGHEST_ INF_
void op_argmax_finish_f( T a0,  T a1, out T y0) { y0 = a1; }
#undef T
#undef LOWEST_
#undef HIGHEST_
void main() {
  float v0 = floor(v_at.x);
  vec4 v2_0;
  vec4 v2_1;
  op_argmax_identity_f(v2_0, v2_1);
  float v7 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v17 = u_i[0].x;
  vec4 c0 = v2_0;
  vec4 c1 = v2_1;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v17) break;
  float v1 = 4.0 * t;
  vec4 v8 = ((vec4(v1) + vec4(0.0, 1.0, 2.0, 3.0)) + 0.5) * u_f[0].y;
  vec4 v9 = vec4(pick_(texture2D(u_t0, vec2(v7, v8.x)), v0 - 4.0 * floor(v0 * 0.25)), pick_(texture2D(u_t0, vec2(v7, v8.y)), v0 - 4.0 * floor(v0 * 0.25)), pick_(texture2D(u_t0, vec2(v7, v8.z)), v0 - 4.0 * floor(v0 * 0.25)), pick_(texture2D(u_t0, vec2(v7, v8.w)), v0 - 4.0 * floor(v0 * 0.25)));
  vec4 v10 = (vec4(v1) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v11_0;
  vec4 v11_1;
  op_argmax_lift_f(v9, v10, v11_0, v11_1);
  vec4 v14_0 = c0;
  vec4 v14_1 = c1;
  op_argmax_combine_f(v14_0, v14_1, v11_0, v11_1);
  c0 = v14_0;
  c1 = v14_1;
  }
  vec4 v20 = c0.yxwz;
  vec4 v21 = c1.yxwz;
  vec4 v22_0 = c0;
  vec4 v22_1 = c1;
  op_argmax_combine_f(v22_0, v22_1, v20, v21);
  vec4 v25 = v22_0.zwxy;
  vec4 v26 = v22_1.zwxy;
  vec4 v27_0 = v22_0;
  vec4 v27_1 = v22_1;
  op_argmax_combine_f(v27_0, v27_1, v25, v26);
  vec4 v30_0;
  op_argmax_finish_f(v27_0, v27_1, v30_0);
  gl_FragColor = v30_0;
}
