// draw 0: write (32, 16) float32
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
void main() {
  float v0 = 4.0 * (floor(v_at.x) - u_i[0].x);
  float v1 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v2 = 0.0;
  float v3 = (v2 + 0.5) * u_f[0].y;
  vec4 v4 = texture2D(u_t0, vec2(v1, v3));
  gl_FragColor = v4;
}
