// draw 0: copy (62, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  ivec4 v2 = (ivec4(v0) + ivec4(0, 1, 2, 3)) * u_i[0].x + ivec4(v1);
  ivec4 v3 = v2 >> 2;
  int v4 = 0;
  int v5 = v4;
  vec4 v6 = vec4(pick_(texelFetch(u_t0, ivec2(v3.x, v5), 0), v2.x & 3), pick_(texelFetch(u_t0, ivec2(v3.y, v5), 0), v2.y & 3), pick_(texelFetch(u_t0, ivec2(v3.z, v5), 0), v2.z & 3), pick_(texelFetch(u_t0, ivec2(v3.w, v5), 0), v2.w & 3));
  o0 = v6;
}
// draw 1: matmul (1, 64) float32
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
flat in highp int v_part;
layout(location = 0) out vec4 o0;
// glsl/select.glsl
// glsl/pair.glsl
void main() {
  int v0 = int(gl_FragCoord.y);
  int v1 = v_part;
  int v2 = int(gl_FragCoord.x) >> 1;
  int v3 = 0;
  int v4 = v0 * u_i[0].x + v2 * u_i[0].y + v3;
  int v5 = v0 * u_i[0].z + v2 * u_i[0].w + v3 + u_i[1].x;
  int v6 = int(gl_FragCoord.x) & 1;
  vec4 v12 = vec4(u_f[0].x);
  int v15 = v4 >> 2;
  int v32 = v5 >> 2;
  int v42 = 0;
  int v43 = v42;
  int v48 = u_i[4].z;
  vec4 v52 = vec4(true && v1 < u_i[4].w ? 1.0 : 0.0);
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
  int n15 = u_i[3].w;
  int n16 = u_i[4].x;
  int n17 = u_i[4].y;
  vec4 c0 = v12;
  vec4 c1 = v12;
  for (int t = 0; t < v48; ++t) {
  int v7 = t;
  int v8 = v3 + v6 * n5 + v7 * n6;
  int v9 = v6 * n7 + v7 * n8;
  int v10 = v1 * n9 + v8;
  vec4 v11 = vec4(lessThan((ivec4(v10) + ivec4(0, 1, 2, 3)), ivec4(n10)));
  int v16 = v1 * n11 + v9;
  int v17 = v16;
  vec4 v18 = texelFetch(u_t0, ivec2(v15, v17), 0);
  vec4 v19 = v11.x != 0.0 ? v18 : vec4(0.0);
  int v20 = v1 * n12 + v9 + n13;
  int v21 = v20;
  vec4 v22 = texelFetch(u_t0, ivec2(v15, v21), 0);
  vec4 v23 = v11.y != 0.0 ? v22 : vec4(0.0);
  int v24 = v1 * n14 + v9 + n15;
  int v25 = v24;
  vec4 v26 = texelFetch(u_t0, ivec2(v15, v25), 0);
  vec4 v27 = v11.z != 0.0 ? v26 : vec4(0.0);
  int v28 = v1 * n16 + v9 + n17;
  int v29 = v28;
  vec4 v30 = texelFetch(u_t0, ivec2(v15, v29), 0);
  vec4 v31 = v11.w != 0.0 ? v30 : vec4(0.0);
  vec4 v33 = texelFetch(u_t0, ivec2(v32, v17), 0);
  vec4 v34 = v11.x != 0.0 ? v33 : vec4(0.0);
  vec4 v35 = texelFetch(u_t0, ivec2(v32, v21), 0);
  vec4 v36 = v11.y != 0.0 ? v35 : vec4(0.0);
  vec4 v37 = texelFetch(u_t0, ivec2(v32, v25), 0);
  vec4 v38 = v11.z != 0.0 ? v37 : vec4(0.0);
  vec4 v39 = texelFetch(u_t0, ivec2(v32, v29), 0);
  vec4 v40 = v11.w != 0.0 ? v39 : vec4(0.0);
  int v41 = v10 >> 2;
  vec4 v44 = texelFetch(u_t1, ivec2(v41, v43), 0);
  vec4 v45 = select_(v11, v44, v12);
  vec4 v46 = c0 + v45.x * v19 + v45.y * v23 + v45.z * v27 + v45.w * v31;
  vec4 v47 = c1 + v45.x * v34 + v45.y * v36 + v45.z * v38 + v45.w * v40;
  c0 = v46;
  c1 = v47;
  }
  vec4 v51 = pair_x_(c0, c1);
  vec4 v53 = select_(v52, v51, v51);
  o0 = v53;
}
