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
  float v1 = floor(v_at.y);
  vec4 v5 = vec4(u_f[0].x);
  float v7 = v0 + v1 * u_i[0].y;
  float v8 = (floor(v7 * 0.25) + 0.5) * u_f[0].y;
  float v26 = 0.0;
  float v27 = (v26 + 0.5) * u_f[1].x;
  float v31 = u_i[2].y;
  float n0 = u_i[0].x;
  float n2 = u_i[0].z;
  float n3 = u_i[0].w;
  float n4 = u_i[1].x;
  float n5 = u_i[1].y;
  float n6 = u_i[1].z;
  float n7 = u_i[1].w;
  float n8 = u_i[2].x;
  vec4 c0 = v5;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v31) break;
  float v2 = 4.0 * t;
  float v3 = t;
  vec4 v4 = vec4(lessThan((vec4(v2) + vec4(0.0, 1.0, 2.0, 3.0)), vec4(n0)));
  float v9 = v3 * n2;
  float v10 = (v9 + 0.5) * u_f[0].z;
  vec4 v11 = texture2D(u_t0, vec2(v8, v10));
  vec4 v12 = v4.x != 0.0 ? v11 : vec4(0.0);
  float v13 = v3 * n3 + n4;
  float v14 = (v13 + 0.5) * u_f[0].z;
  vec4 v15 = texture2D(u_t0, vec2(v8, v14));
  vec4 v16 = v4.y != 0.0 ? v15 : vec4(0.0);
  float v17 = v3 * n5 + n6;
  float v18 = (v17 + 0.5) * u_f[0].z;
  vec4 v19 = texture2D(u_t0, vec2(v8, v18));
  vec4 v20 = v4.z != 0.0 ? v19 : vec4(0.0);
  float v21 = v3 * n7 + n8;
  float v22 = (v21 + 0.5) * u_f[0].z;
  vec4 v23 = texture2D(u_t0, vec2(v8, v22));
  vec4 v24 = v4.w != 0.0 ? v23 : vec4(0.0);
  float v25 = (floor(v2 * 0.25) + 0.5) * u_f[0].w;
  vec4 v28 = texture2D(u_t1, vec2(v25, v27));
  vec4 v29 = select_(v4, v28, v5);
  vec4 v30 = c0 + v29.x * v12 + v29.y * v16 + v29.z * v20 + v29.w * v24;
  c0 = v30;
  }
  gl_FragColor = c0;
}
