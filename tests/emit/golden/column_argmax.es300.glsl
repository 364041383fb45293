// draw 0: argmax (64,) int32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out ivec4 o0;
// glsl/isnan.glsl
// glsl/select.glsl
// glsl/arg.glsl
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
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  vec4 v3_0;
  vec4 v3_1;
  op_argmax_identity_f(v3_0, v3_1);
  int v8 = v0 + v1 * u_i[0].x;
  int v9 = v8 >> 2;
  int v19 = u_i[0].y;
  vec4 c0 = v3_0;
  vec4 c1 = v3_1;
  for (int t = 0; t < v19; ++t) {
  int v2 = t;
  int v10 = v2;
  vec4 v11 = texelFetch(u_t0, ivec2(v9, v10), 0);
  vec4 v12 = vec4(ivec4(v2));
  vec4 v13_0;
  vec4 v13_1;
  op_argmax_lift_f(v11, v12, v13_0, v13_1);
  vec4 v16_0 = c0;
  vec4 v16_1 = c1;
  op_argmax_combine_f(v16_0, v16_1, v13_0, v13_1);
  c0 = v16_0;
  c1 = v16_1;
  }
  vec4 v22_0;
  op_argmax_finish_f(c0, c1, v22_0);
  ivec4 v24 = ivec4(v22_0);
  o0 = v24;
}
