// draw 0: elementwise (16, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
// glsl/select.glsl
vec4 op_greater_f(vec4 a, vec4 b) { return vec4(greaterThan(a, b)); }
vec4 op_where_f(vec4 a, vec4 b, vec4 c) { return select_(a, b, c); }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 >> 2;
  int v3 = v1;
  vec4 v4 = texelFetch(u_t0, ivec2(v2, v3), 0);
  vec4 v5 = vec4(u_f[0].x);
  vec4 v6 = op_greater_f(v4, v5);
  vec4 v7 = op_where_f(v6, v4, v5);
  o0 = v7;
}
