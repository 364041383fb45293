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
  float v1 = floor(v_at.y);
  vec4 v3_0;
  op_sum_identity_f(v3_0);
  float v9 = 0.0;
  float v10 = (v9 + 0.5) * u_f[0].y;
  float v19 = u_i[0].w;
  float n0 = u_i[0].x;
  float n1 = u_i[0].y;
  float n2 = u_i[0].z;
  vec4 c0 = v3_0;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v19) break;
  float v2 = 4.0 * t;
  float v6 = v0 * n0 + v1 * n1 + v2;
  vec4 v7 = (vec4(v6) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v8 = (floor(v7 * 0.25) + 0.5) * u_f[0].x;
  vec4 v11 = vec4(pick_(texture2D(u_t0, vec2(v8.x, v10)), v7.x - 4.0 * floor(v7.x * 0.25)), pick_(texture2D(u_t0, vec2(v8.y, v10)), v7.y - 4.0 * floor(v7.y * 0.25)), pick_(texture2D(u_t0, vec2(v8.z, v10)), v7.z - 4.0 * floor(v7.z * 0.25)), pick_(texture2D(u_t0, vec2(v8.w, v10)), v7.w - 4.0 * floor(v7.w * 0.25)));
  vec4 v12 = (vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v13_0;
  op_sum_lift_f(v11, v12, v13_0);
  vec4 v15 = vec4(lessThan((vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0)), vec4(n2)));
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
  gl_FragColor = v27_0;
}
