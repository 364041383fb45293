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
uniform highp sampler2D u_t1;
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
vec4 op_negative_f(vec4 x) { return -x; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = (floor(v0 * 0.25) + 0.5) * u_f[0].x;
  float v3 = (v1 + 0.5) * u_f[0].y;
  vec4 v4 = texture2D(u_t0, vec2(v2, v3));
  float v5 = (floor(v0 * 0.25) + 0.5) * u_f[0].z;
  float v6 = (v1 + 0.5) * u_f[0].w;
  vec4 v7 = texture2D(u_t1, vec2(v5, v6));
  vec4 v8 = op_add_f(v4, v7);
  vec4 v9 = op_negative_f(v8);
  gl_FragColor = v9;
}
