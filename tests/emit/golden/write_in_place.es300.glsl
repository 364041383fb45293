// draw 0: write (32, 16) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
void main() {
  int v0 = 4 * (int(gl_FragCoord.x) - u_i[0].x);
  int v1 = v0 >> 2;
  int v2 = 0;
  int v3 = v2;
  vec4 v4 = texelFetch(u_t0, ivec2(v1, v3), 0);
  o0 = v4;
}
