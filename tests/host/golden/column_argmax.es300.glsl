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
  vec4 v2_0;
  vec4 v2_1;
  op_argmax_identity_f(v2_0, v2_1);
  int v7 = v0 >> 2;
  int v17 = u_i[0].x;
  vec4 c0 = v2_0;
  vec4 c1 = v2_1;
  for (int t = 0; t < v17; ++t) {
  int v1 = t;
  int v8 = v1;
  vec4 v9 = texelFetch(u_t0, ivec2(v7, v8), 0);
  vec4 v10 = vec4(ivec4(v1));
  vec4 v11_0;
  vec4 v11_1;
  op_argmax_lift_f(v9, v10, v11_0, v11_1);
  vec4 v14_0 = c0;
  vec4 v14_1 = c1;
  op_argmax_combine_f(v14_0, v14_1, v11_0, v11_1);
  c0 = v14_0;
  c1 = v14_1;
  }
  vec4 v20_0;
  op_argmax_finish_f(c0, c1, v20_0);
  ivec4 v22 = ivec4(v20_0);
  o0 = v22;
}
