// draw 0: elementwise (16, 64) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_f[1];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
// glsl/select.glsl
vec4 op_greater_f(vec4 a, vec4 b) { return vec4(greaterThan(a, b)); }
vec4 op_where_f(vec4 a, vec4 b, vec4 c) { return select_(a, b, c); }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v3 = (v1 + 0.5) * u_f[0].y;
  vec4 v4 = texture2D(u_t0, vec2(v2, v3));
  vec4 v5 = vec4(u_f[0].z);
  vec4 v6 = op_greater_f(v4, v5);
  vec4 v7 = op_where_f(v6, v4, v5);
  gl_FragColor = v7;
}
