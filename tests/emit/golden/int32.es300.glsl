// draw 0: elementwise (16, 64) int32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp isampler2D u_t0;
layout(location = 0) out ivec4 o0;
ivec4 op_multiply_i(ivec4 a, ivec4 b) { return a * b; }
ivec4 op_add_i(ivec4 a, ivec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 >> 2;
  int v3 = v1;
  ivec4 v4 = texelFetch(u_t0, ivec2(v2, v3), 0);
  int v5 = u_i[0].x;
  ivec4 v6 = ivec4(v5);
  ivec4 v7 = op_multiply_i(v4, v6);
  ivec4 v8 = (ivec4(v0) + ivec4(0, 1, 2, 3));
  ivec4 v9 = op_add_i(v7, v8);
  o0 = v9;
}
