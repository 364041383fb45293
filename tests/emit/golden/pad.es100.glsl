// draw 0: elementwise (17, 64) float32
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
// glsl/select.glsl
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  float v2 = v1 + u_i[0].x;
  vec4 v3 = vec4(v2 >= 0.0 && true ? 1.0 : 0.0);
  vec4 v4 = vec4(lessThan((vec4(v0) + vec4(0.0, 1.0, 2.0, 3.0)), vec4(u_i[0].y)));
  vec4 v5 = v3 * v4;
  float v6 = v0 + v1 * u_i[0].z + u_i[0].w;
  vec4 v7 = (vec4(v6) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v8 = (floor(v7 * 0.25) + 0.5) * u_f[0].x;
  float v9 = 0.0;
  float v10 = (v9 + 0.5) * u_f[0].y;
  vec4 v11 = vec4(pick_(texture2D(u_t0, vec2(v8.x, v10)), v7.x - 4.0 * floor(v7.x * 0.25)), pick_(texture2D(u_t0, vec2(v8.y, v10)), v7.y - 4.0 * floor(v7.y * 0.25)), pick_(texture2D(u_t0, vec2(v8.z, v10)), v7.z - 4.0 * floor(v7.z * 0.25)), pick_(texture2D(u_t0, vec2(v8.w, v10)), v7.w - 4.0 * floor(v7.w * 0.25)));
  vec4 v12 = vec4(u_f[0].z);
  vec4 v13 = select_(v5, v11, v12);
  gl_FragColor = v13;
}
