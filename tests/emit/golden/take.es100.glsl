// draw 0: elementwise (8, 64) float32
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
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = (floor(v1 * 0.25) + 0.5) * u_f[0].x;
  float v3 = 0.0;
  float v4 = (v3 + 0.5) * u_f[0].y;
  vec4 v5 = vec4(pick_(texture2D(u_t0, vec2(v2, v4)), v1 - 4.0 * floor(v1 * 0.25)));
  float v6 = clamp_index_(v5.x, u_i[0].x);
  float v7 = (floor(v0 * 0.25) + 0.5) * u_f[0].z;
  float v8 = (v6 + 0.5) * u_f[0].w;
  vec4 v9 = texture2D(u_t1, vec2(v7, v8));
  gl_FragColor = v9;
}
