// draw 0: elementwise (64, 16) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[1];
uniform vec4 u_f[1];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
// glsl/index.glsl
vec4 op_multiply_f(vec4 a, vec4 b) { return a * b; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = div_small_(v0, u_i[0].x);
  float v3 = v0 - v2 * u_i[0].x;
  float v4 = v1 * u_i[0].y + v2;
  float v5 = (floor(v4 * 0.25) + 0.5) * u_f[0].x;
  vec4 v6 = ((vec4(v3) + vec4(0.0, 1.0, 2.0, 3.0)) + 0.5) * u_f[0].y;
  vec4 v7 = vec4(pick_(texture2D(u_t0, vec2(v5, v6.x)), v4 - 4.0 * floor(v4 * 0.25)), pick_(texture2D(u_t0, vec2(v5, v6.y)), v4 - 4.0 * floor(v4 * 0.25)), pick_(texture2D(u_t0, vec2(v5, v6.z)), v4 - 4.0 * floor(v4 * 0.25)), pick_(texture2D(u_t0, vec2(v5, v6.w)), v4 - 4.0 * floor(v4 * 0.25)));
  vec4 v8 = vec4(u_f[0].z);
  vec4 v9 = op_multiply_f(v7, v8);
  gl_FragColor = v9;
}
