// draw 0: matmul (2, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[5];
uniform vec4 u_f[1];
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
  int v11 = v10 >> 2;
  int v24 = v1 * u_i[3].x + v2 + u_i[3].y;
  int v25 = v24 >> 2;
  int v32 = 0;
  int v33 = v32;
  int v35 = u_i[4].x;
  int v36 = v35;
  int v42 = u_i[4].y;
  int v46 = v0 >> 2;
  vec4 v47 = texelFetch(u_t2, ivec2(v46, v33), 0);
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
  int v13 = v12;
  vec4 v14 = texelFetch(u_t0, ivec2(v11, v13), 0);
  int v15 = v3 * n3 + v4 * n4 + n5;
  int v16 = v15;
  vec4 v17 = texelFetch(u_t0, ivec2(v11, v16), 0);
  int v18 = v3 * n6 + v4 * n7 + n8;
  int v19 = v18;
  vec4 v20 = texelFetch(u_t0, ivec2(v11, v19), 0);
  int v21 = v3 * n9 + v4 * n10 + n11;
  int v22 = v21;
  vec4 v23 = texelFetch(u_t0, ivec2(v11, v22), 0);
  vec4 v26 = texelFetch(u_t0, ivec2(v25, v13), 0);
  vec4 v27 = texelFetch(u_t0, ivec2(v25, v16), 0);
  vec4 v28 = texelFetch(u_t0, ivec2(v25, v19), 0);
  vec4 v29 = texelFetch(u_t0, ivec2(v25, v22), 0);
  int v30 = v2 + v3 * n14 + v4 * n15;
  int v31 = v30 >> 2;
  vec4 v34 = texelFetch(u_t1, ivec2(v31, v33), 0);
  vec4 v37 = texelFetch(u_t1, ivec2(v31, v36), 0);
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
  vec4 v48 = op_add_f(v45, v47);
  vec4 v51 = pair_x_(c2, c3);
  vec4 v52 = op_add_f(v51, v47);
  o0 = v48;
  o1 = v52;
}
