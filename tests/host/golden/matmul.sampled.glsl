// draw 0: matmul (2, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[5];
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
  int v3 = int(gl_FragCoord.x) & 1;
  vec4 v5 = vec4(u_f[0].x);
  int v10 = v1 * u_i[0].x + v2;
  float v11 = (float(v10 >> 2) + 0.5) * u_f[0].y;
  int v24 = v1 * u_i[3].x + v2 + u_i[3].y;
  float v25 = (float(v24 >> 2) + 0.5) * u_f[0].y;
  int v32 = 0;
  float v33 = (float(v32) + 0.5) * u_f[1].x;
  int v35 = u_i[4].x;
  float v36 = (float(v35) + 0.5) * u_f[1].x;
  int v42 = u_i[4].y;
  float v46 = (float(v0 >> 2) + 0.5) * u_f[1].y;
  float v47 = (float(v32) + 0.5) * u_f[1].z;
  vec4 v48 = texture(u_t2, vec2(v46, v47));
  int n1 = u_i[0].y;
  int n2 = u_i[0].z;
  int n3 = u_i[0].w;
  int n4 = u_i[1].x;
  int n5 = u_i[1].y;
  int n6 = u_i[1].z;
  int n7 = u_i[1].w;
  int n8 = u_i[2].x;
  int n9 = u_i[2].y;
  int n10 = u_i[2].z;
  int n11 = u_i[2].w;
  int n14 = u_i[3].z;
  int n15 = u_i[3].w;
  vec4 c0 = v5;
  vec4 c1 = v5;
  vec4 c2 = v5;
  vec4 c3 = v5;
  for (int t = 0; t < v42; ++t) {
  int v4 = t;
  int v12 = v3 * n1 + v4 * n2;
  float v13 = (float(v12) + 0.5) * u_f[0].z;
  vec4 v14 = texture(u_t0, vec2(v11, v13));
  int v15 = v3 * n3 + v4 * n4 + n5;
  float v16 = (float(v15) + 0.5) * u_f[0].z;
  vec4 v17 = texture(u_t0, vec2(v11, v16));
  int v18 = v3 * n6 + v4 * n7 + n8;
  float v19 = (float(v18) + 0.5) * u_f[0].z;
  vec4 v20 = texture(u_t0, vec2(v11, v19));
  int v21 = v3 * n9 + v4 * n10 + n11;
  float v22 = (float(v21) + 0.5) * u_f[0].z;
  vec4 v23 = texture(u_t0, vec2(v11, v22));
  vec4 v26 = texture(u_t0, vec2(v25, v13));
  vec4 v27 = texture(u_t0, vec2(v25, v16));
  vec4 v28 = texture(u_t0, vec2(v25, v19));
  vec4 v29 = texture(u_t0, vec2(v25, v22));
  int v30 = v2 + v3 * n14 + v4 * n15;
  float v31 = (float(v30 >> 2) + 0.5) * u_f[0].w;
  vec4 v34 = texture(u_t1, vec2(v31, v33));
  vec4 v37 = texture(u_t1, vec2(v31, v36));
  vec4 v38 = c0 + v34.x * v14 + v34.y * v17 + v34.z * v20 + v34.w * v23;
  vec4 v39 = c1 + v34.x * v26 + v34.y * v27 + v34.z * v28 + v34.w * v29;
  vec4 v40 = c2 + v37.x * v14 + v37.y * v17 + v37.z * v20 + v37.w * v23;
  vec4 v41 = c3 + v37.x * v26 + v37.y * v27 + v37.z * v28 + v37.w * v29;
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
