// draw 0: elementwise (64,) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
vec4 op_multiply_f(vec4 a, vec4 b) { return a * b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = u_i[0].x;
  int v2 = v0 >> 2;
  int v3 = v1;
  vec4 v4 = texelFetch(u_t0, ivec2(v2, v3), 0);
  vec4 v5 = vec4(u_f[0].x);
  vec4 v6 = op_multiply_f(v4, v5);
  o0 = v6;
}
