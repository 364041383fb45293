// draw 0: copy (62, 64) float32
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
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  vec4 v2 = (vec4(v0) + vec4(0.0, 1.0, 2.0, 3.0)) * u_i[0].x + vec4(v1);
  vec4 v3 = (floor(v2 * 0.25) + 0.5) * u_f[0].x;
  float v4 = 0.0;
  float v5 = (v4 + 0.5) * u_f[0].y;
  vec4 v6 = vec4(pick_(texture2D(u_t0, vec2(v3.x, v5)), v2.x - 4.0 * floor(v2.x * 0.25)), pick_(texture2D(u_t0, vec2(v3.y, v5)), v2.y - 4.0 * floor(v2.y * 0.25)), pick_(texture2D(u_t0, vec2(v3.z, v5)), v2.z - 4.0 * floor(v2.z * 0.25)), pick_(texture2D(u_t0, vec2(v3.w, v5)), v2.w - 4.0 * floor(v2.w * 0.25)));
  gl_FragColor = v6;
}
// draw 1: matmul (1, 64) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[3];
uniform vec4 u_f[2];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
// glsl/select.glsl
void main() {
  float v0 = 4.0 * floor(v_at.x);
  vec4 v4 = vec4(u_f[0].x);
  float v6 = (floor(v0 * 0.25) + 0.5) * u_f[0].y;
  float v24 = 0.0;
  float v25 = (v24 + 0.5) * u_f[1].x;
  float v29 = u_i[2].x;
  vec4 c0 = v4;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v29) break;
  float v1 = 4.0 * t;
  float v2 = t;
  vec4 v3 = vec4(lessThan((vec4(v1) + vec4(0.0, 1.0, 2.0, 3.0)), vec4(u_i[0].x)));
  float v7 = v2 * u_i[0].y;
  float v8 = (v7 + 0.5) * u_f[0].z;
  vec4 v9 = texture2D(u_t0, vec2(v6, v8));
  vec4 v10 = v3.x != 0.0 ? v9 : vec4(0.0);
  float v11 = v2 * u_i[0].z + u_i[0].w;
  float v12 = (v11 + 0.5) * u_f[0].z;
  vec4 v13 = texture2D(u_t0, vec2(v6, v12));
  vec4 v14 = v3.y != 0.0 ? v13 : vec4(0.0);
  float v15 = v2 * u_i[1].x + u_i[1].y;
  float v16 = (v15 + 0.5) * u_f[0].z;
  vec4 v17 = texture2D(u_t0, vec2(v6, v16));
  vec4 v18 = v3.z != 0.0 ? v17 : vec4(0.0);
  float v19 = v2 * u_i[1].z + u_i[1].w;
  float v20 = (v19 + 0.5) * u_f[0].z;
  vec4 v21 = texture2D(u_t0, vec2(v6, v20));
  vec4 v22 = v3.w != 0.0 ? v21 : vec4(0.0);
  float v23 = (floor(v1 * 0.25) + 0.5) * u_f[0].w;
  vec4 v26 = texture2D(u_t1, vec2(v23, v25));
  vec4 v27 = select_(v3, v26, v4);
  vec4 v28 = c0 + v27.x * v10 + v27.y * v14 + v27.z * v18 + v27.w * v22;
  c0 = v28;
  }
  gl_FragColor = c0;
}
