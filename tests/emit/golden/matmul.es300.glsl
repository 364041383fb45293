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
flat in highp int v_part;
layout(location = 0) out vec4 o0;
layout(location = 1) out vec4 o1;
// glsl/pair.glsl
// glsl/select.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = v_part;
  int v2 = int(gl_FragCoord.x) >> 1;
  int v3 = 0;
  int v4 = v2 * u_i[0].x + v3;
  int v5 = v2 * u_i[0].y + v3 + u_i[0].z;
  int v6 = int(gl_FragCoord.x) & 1;
  vec4 v10 = vec4(u_f[0].x);
  int v15 = v4 >> 2;
  int v28 = v5 >> 2;
  int v35 = 0;
  int v36 = v35;
  int v38 = u_i[3].w;
  int v39 = v38;
  int v45 = u_i[4].x;
  int v49 = v0 >> 2;
  vec4 v50 = texelFetch(u_t2, ivec2(v49, v36), 0);
  vec4 v52 = vec4(true && v1 < u_i[4].y ? 1.0 : 0.0);
  vec4 v58 = vec4(true && v1 < u_i[4].z ? 1.0 : 0.0);
  int n3 = u_i[0].w;
  int n4 = u_i[1].x;
  int n5 = u_i[1].y;
  int n6 = u_i[1].z;
  int n7 = u_i[1].w;
  int n8 = u_i[2].x;
  int n9 = u_i[2].y;
  int n10 = u_i[2].z;
  int n11 = u_i[2].w;
  int n12 = u_i[3].x;
  int n13 = u_i[3].y;
  int n14 = u_i[3].z;
  vec4 c0 = v10;
  vec4 c1 = v10;
  vec4 c2 = v10;
  vec4 c3 = v10;
  for (int t = 0; t < v45; ++t) {
  int v7 = t;
  int v8 = v3 + v6 * n3 + v7 * n4;
  int v9 = v6 * n5 + v7 * n6;
  int v16 = v1 * n7 + v9;
  int v17 = v16;
  vec4 v18 = texelFetch(u_t0, ivec2(v15, v17), 0);
  int v19 = v1 * n8 + v9 + n9;
  int v20 = v19;
  vec4 v21 = texelFetch(u_t0, ivec2(v15, v20), 0);
  int v22 = v1 * n10 + v9 + n11;
  int v23 = v22;
  vec4 v24 = texelFetch(u_t0, ivec2(v15, v23), 0);
  int v25 = v1 * n12 + v9 + n13;
  int v26 = v25;
  vec4 v27 = texelFetch(u_t0, ivec2(v15, v26), 0);
  vec4 v29 = texelFetch(u_t0, ivec2(v28, v17), 0);
  vec4 v30 = texelFetch(u_t0, ivec2(v28, v20), 0);
  vec4 v31 = texelFetch(u_t0, ivec2(v28, v23), 0);
  vec4 v32 = texelFetch(u_t0, ivec2(v28, v26), 0);
  int v33 = v1 * n14 + v8;
  int v34 = v33 >> 2;
  vec4 v37 = texelFetch(u_t1, ivec2(v34, v36), 0);
  vec4 v40 = texelFetch(u_t1, ivec2(v34, v39), 0);
  vec4 v41 = c0 + v37.x * v18 + v37.y * v21 + v37.z * v24 + v37.w * v27;
  vec4 v42 = c1 + v37.x * v29 + v37.y * v30 + v37.z * v31 + v37.w * v32;
  vec4 v43 = c2 + v40.x * v18 + v40.y * v21 + v40.z * v24 + v40.w * v27;
  vec4 v44 = c3 + v40.x * v29 + v40.y * v30 + v40.z * v31 + v40.w * v32;
  c0 = v41;
  c1 = v42;
  c2 = v43;
  c3 = v44;
  }
  vec4 v48 = pair_x_(c0, c1);
  vec4 v51 = op_add_f(v48, v50);
  vec4 v53 = select_(v52, v51, v48);
  vec4 v56 = pair_x_(c2, c3);
  vec4 v57 = op_add_f(v56, v50);
  vec4 v59 = select_(v58, v57, v56);
  o0 = v53;
  o1 = v59;
}
