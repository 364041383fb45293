// draw 0: matmul (2, 64) float32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[2];
uniform vec4 u_f[2];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
uniform highp sampler2D u_t2;
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  float v1 = floor(v_at.y);
  vec4 v4 = vec4(u_f[0].x);
  float v6 = (floor(v0 * 0.25) + 0.5) * u_f[0].y;
  float v20 = (v1 + 0.5) * u_f[1].x;
  float v23 = u_i[1].w;
  float v25 = (floor(v0 * 0.25) + 0.5) * u_f[1].y;
  float v26 = 0.0;
  float v27 = (v26 + 0.5) * u_f[1].z;
  vec4 v28 = texture2D(u_t2, vec2(v25, v27));
  float n0 = u_i[0].x;
  float n1 = u_i[0].y;
  float n2 = u_i[0].z;
  float n3 = u_i[0].w;
  float n4 = u_i[1].x;
  float n5 = u_i[1].y;
  float n6 = u_i[1].z;
  vec4 c0 = v4;
  for (int i = 0; i < 65535; ++i) {
    float t = float(i);
    if (t >= v23) break;
  float v2 = 4.0 * t;
  float v3 = t;
  float v7 = v3 * n0;
  float v8 = (v7 + 0.5) * u_f[0].z;
  vec4 v9 = texture2D(u_t0, vec2(v6, v8));
  float v10 = v3 * n1 + n2;
  float v11 = (v10 + 0.5) * u_f[0].z;
  vec4 v12 = texture2D(u_t0, vec2(v6, v11));
  float v13 = v3 * n3 + n4;
  float v14 = (v13 + 0.5) * u_f[0].z;
  vec4 v15 = texture2D(u_t0, vec2(v6, v14));
  float v16 = v3 * n5 + n6;
  float v17 = (v16 + 0.5) * u_f[0].z;
  vec4 v18 = texture2D(u_t0, vec2(v6, v17));
  float v19 = (floor(v2 * 0.25) + 0.5) * u_f[0].w;
  vec4 v21 = texture2D(u_t1, vec2(v19, v20));
  vec4 v22 = c0 + v21.x * v9 + v21.y * v12 + v21.z * v15 + v21.w * v18;
  c0 = v22;
  }
  vec4 v29 = op_add_f(c0, v28);
  gl_FragColor = v29;
}
