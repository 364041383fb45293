// draw 0: loop (16, 64) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[1];
uniform vec4 u_f[6];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
// glsl/index.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
vec4 op_multiply_f(vec4 a, vec4 b) { return a * b; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v3 = (floor(v0 * 0.25) + 0.5) * u_f[5].x;
  float v4 = (v1 + 0.5) * u_f[5].y;
  vec4 v5 = texture2D(u_t0, vec2(v3, v4));
  float v7 = (floor(v0 * 0.25) + 0.5) * u_f[5].z;
  float v13 = u_i[0].x;
  vec4 c0 = v5;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v13) break;
  float v2 = t;
  float v8 = (v2 + 0.5) * u_f[5].w;
  vec4 v9 = texture2D(u_t1, vec2(v7, v8));
  vec4 v10 = op_add_f(c0, v9);
  vec4 v11 = vec4(pick_(u_f[i / 4], t - 4.0 * floor(t * 0.25)));
  vec4 v12 = op_multiply_f(v10, v11);
  c0 = v12;
  }
  gl_FragColor = c0;
}
