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
  float v1 = floor(v_at.y);
  vec4 v3_0;
  vec4 v3_1;
  op_argmax_identity_f(v3_0, v3_1);
  float v8 = v0 + v1 * u_i[0].x;
  float v9 = (floor(v8 * 0.25) + 0.5) * u_f[0].x;
  float v19 = u_i[0].y;
  vec4 c0 = v3_0;
  vec4 c1 = v3_1;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v19) break;
  float v2 = 4.0 * t;
  vec4 v10 = ((vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0)) + 0.5) * u_f[0].y;
  vec4 v11 = vec4(pick_(texture2D(u_t0, vec2(v9, v10.x)), v8 - 4.0 * floor(v8 * 0.25)), pick_(texture2D(u_t0, vec2(v9, v10.y)), v8 - 4.0 * floor(v8 * 0.25)), pick_(texture2D(u_t0, vec2(v9, v10.z)), v8 - 4.0 * floor(v8 * 0.25)), pick_(texture2D(u_t0, vec2(v9, v10.w)), v8 - 4.0 * floor(v8 * 0.25)));
  vec4 v12 = (vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v13_0;
  vec4 v13_1;
  op_argmax_lift_f(v11, v12, v13_0, v13_1);
  vec4 v16_0 = c0;
  vec4 v16_1 = c1;
  op_argmax_combine_f(v16_0, v16_1, v13_0, v13_1);
  c0 = v16_0;
  c1 = v16_1;
  }
  vec4 v22 = c0.yxwz;
  vec4 v23 = c1.yxwz;
  vec4 v24_0 = c0;
  vec4 v24_1 = c1;
  op_argmax_combine_f(v24_0, v24_1, v22, v23);
  vec4 v27 = v24_0.zwxy;
  vec4 v28 = v24_1.zwxy;
  vec4 v29_0 = v24_0;
  vec4 v29_1 = v24_1;
  op_argmax_combine_f(v29_0, v29_1, v27, v28);
  vec4 v32_0;
  op_argmax_finish_f(v29_0, v29_1, v32_0);
  gl_FragColor = v32_0;
}
