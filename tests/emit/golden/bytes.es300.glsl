// draw 0: elementwise (16, 64) uint8
#version 300 es
precision highp float;
precision highp int;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp usampler2D u_t0;
uniform highp usampler2D u_t1;
layout(location = 0) out uvec4 o0;
uvec4 op_add_u(uvec4 a, uvec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 >> 2;
  int v3 = v1;
  uvec4 v4 = texelFetch(u_t0, ivec2(v2, v3), 0);
  uvec4 v5 = texelFetch(u_t1, ivec2(v2, v3), 0);
  uvec4 v6 = op_add_u(v4, v5);
  uvec4 v7 = v6 & 255u;
  o0 = v7;
}
