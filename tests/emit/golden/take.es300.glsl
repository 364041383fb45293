// draw 0: elementwise (8, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp isampler2D u_t0;
uniform highp sampler2D u_t1;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v1 >> 2;
  int v3 = 0;
  int v4 = v3;
  ivec4 v5 = ivec4(pick_(texelFetch(u_t0, ivec2(v2, v4), 0), v1 & 3));
  int v6 = clamp_index_(v5.x, u_i[0].x);
  int v7 = v0 >> 2;
  int v8 = v6;
  vec4 v9 = texelFetch(u_t1, ivec2(v7, v8), 0);
  o0 = v9;
}
