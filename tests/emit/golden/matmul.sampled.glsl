// draw 0: matmul (2, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[3];
uniform vec4 u_f[2];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
uniform highp sampler2D u_t2;
layout(location = 0) out vec4 o0;
layout(location = 1) out vec4 o1;
// glsl/pair.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.x) >> 1;
  int v2 = 0;
  int v3 = v1 * u_i[0].x + v2;
  int v4 = v1 * u_i[0].y + v2 + u_i[0].z;
  int v5 = int(gl_FragCoord.x) & 1;
  vec4 v9 = vec4(u_f[0].x);
  float v14 = (float(v3 >> 2) + 0.5) * u_f[0].y;
  float v26 = (float(v4 >> 2) + 0.5) * u_f[0].y;
  int v32 = 0;
  float v33 = (float(v32) + 0.5) * u_f[1].x;
  int v35 = u_i[2].z;
  float v36 = (float(v35) + 0.5) * u_f[1].x;
  int v42 = u_i[2].w;
  float v46 = (float(v0 >> 2) + 0.5) * u_f[1].y;
  float v47 = (float(v32) + 0.5) * u_f[1].z;
  vec4 v48 = texture(u_t2, vec2(v46, v47));
  int n3 = u_i[0].w;
  int n4 = u_i[1].x;
  int n5 = u_i[1].y;
  int n6 = u_i[1].z;
  int n7 = u_i[1].w;
  int n8 = u_i[2].x;
  int n9 = u_i[2].y;
  vec4 c0 = v9;
  vec4 c1 = v9;
  vec4 c2 = v9;
  vec4 c3 = v9;
  for (int t = 0; t < v42; ++t) {
  int v6 = t;
  int v7 = v2 + v5 * n3 + v6 * n4;
  int v8 = v5 * n5 + v6 * n6;
  float v15 = (float(v8) + 0.5) * u_f[0].z;
  vec4 v16 = texture(u_t0, vec2(v14, v15));
  int v17 = v8 + n7;
  float v18 = (float(v17) + 0.5) * u_f[0].z;
  vec4 v19 = texture(u_t0, vec2(v14, v18));
  int v20 = v8 + n8;
  float v21 = (float(v20) + 0.5) * u_f[0].z;
  vec4 v22 = texture(u_t0, vec2(v14, v21));
  int v23 = v8 + n9;
  float v24 = (float(v23) + 0.5) * u_f[0].z;
  vec4 v25 = texture(u_t0, vec2(v14, v24));
  vec4 v27 = texture(u_t0, vec2(v26, v15));
  vec4 v28 = texture(u_t0, vec2(v26, v18));
  vec4 v29 = texture(u_t0, vec2(v26, v21));
  vec4 v30 = texture(u_t0, vec2(v26, v24));
  float v31 = (float(v7 >> 2) + 0.5) * u_f[0].w;
  vec4 v34 = texture(u_t1, vec2(v31, v33));
  vec4 v37 = texture(u_t1, vec2(v31, v36));
  vec4 v38 = c0 + v34.x * v16 + v34.y * v19 + v34.z * v22 + v34.w * v25;
  vec4 v39 = c1 + v34.x * v27 + v34.y * v28 + v34.z * v29 + v34.w * v30;
  vec4 v40 = c2 + v37.x * v16 + v37.y * v19 + v37.z * v22 + v37.w * v25;
  vec4 v41 = c3 + v37.x * v27 + v37.y * v28 + v37.z * v29 + v37.w * v30;
  c0 = v38;
  c1 = v39;
  c2 = v40;
  c3 = v41;
  }
  vec4 v45 = pair_x_(c0, c1);
  vec4 v49 = op_add_f(v45, v48);
  vec4 v52 = pair_x_(c2, c3);
  vec4 v53 = op_add_f(v52, v48);
  o0 = v49;
  o1 = v53;
}
