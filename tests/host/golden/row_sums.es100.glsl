// draw 0: sum (16,) float32
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
  float v0 = floor(v_at.x);
  vec4 v2_0;
  op_sum_identity_f(v2_0);
  float v8 = 0.0;
  float v9 = (v8 + 0.5) * u_f[0].y;
  float v18 = u_i[0].z;
  vec4 c0 = v2_0;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v18) break;
  float v1 = 4.0 * t;
  float v5 = v0 * u_i[0].x + v1;
  vec4 v6 = (vec4(v5) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v7 = (floor(v6 * 0.25) + 0.5) * u_f[0].x;
  vec4 v10 = vec4(pick_(texture2D(u_t0, vec2(v7.x, v9)), v6.x - 4.0 * floor(v6.x * 0.25)), pick_(texture2D(u_t0, vec2(v7.y, v9)), v6.y - 4.0 * floor(v6.y * 0.25)), pick_(texture2D(u_t0, vec2(v7.z, v9)), v6.z - 4.0 * floor(v6.z * 0.25)), pick_(texture2D(u_t0, vec2(v7.w, v9)), v6.w - 4.0 * floor(v6.w * 0.25)));
  vec4 v11 = (vec4(v1) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v12_0;
  op_sum_lift_f(v10, v11, v12_0);
  vec4 v14 = vec4(lessThan((vec4(v1) + vec4(0.0, 1.0, 2.0, 3.0)), vec4(u_i[0].y)));
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
  gl_FragColor = v26_0;
}
