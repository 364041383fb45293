// draw 0: elementwise (6, 5) float32
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
uniform highp sampler2D u_t1;
// glsl/index.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  vec4 v1 = div_small_((vec4(v0) + vec4(0.0, 1.0, 2.0, 3.0)), u_i[0].x);
  vec4 v2 = (vec4(v0) + vec4(0.0, 1.0, 2.0, 3.0)) - v1 * u_i[0].x;
  float v3 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v4 = 0.0;
  float v5 = (v4 + 0.5) * u_f[0].y;
  vec4 v6 = texture2D(u_t0, vec2(v3, v5));
  vec4 v7 = (floor(v2 * 0.25) + 0.5) * u_f[0].z;
  float v8 = (v4 + 0.5) * u_f[0].w;
  vec4 v9 = vec4(pick_(texture2D(u_t1, vec2(v7.x, v8)), v2.x - 4.0 * floor(v2.x * 0.25)), pick_(texture2D(u_t1, vec2(v7.y, v8)), v2.y - 4.0 * floor(v2.y * 0.25)), pick_(texture2D(u_t1, vec2(v7.z, v8)), v2.z - 4.0 * floor(v2.z * 0.25)), pick_(texture2D(u_t1, vec2(v7.w, v8)), v2.w - 4.0 * floor(v2.w * 0.25)));
  vec4 v10 = op_add_f(v6, v9);
  gl_FragColor = v10;
}
