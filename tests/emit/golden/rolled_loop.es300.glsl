// draw 0: loop (16, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec4 u_f[5];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
vec4 op_multiply_f(vec4 a, vec4 b) { return a * b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v3 = v0 >> 2;
  int v4 = v1;
  vec4 v5 = texelFetch(u_t0, ivec2(v3, v4), 0);
  int v12 = u_i[0].x;
  vec4 c0 = v5;
  for (int t = 0; t < v12; ++t) {
  int v2 = t;
  int v7 = v2;
  vec4 v8 = texelFetch(u_t1, ivec2(v3, v7), 0);
  vec4 v9 = op_add_f(c0, v8);
  vec4 v10 = vec4(pick_(u_f[t >> 2], t & 3));
  vec4 v11 = op_multiply_f(v9, v10);
  c0 = v11;
  }
  o0 = c0;
}
