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
layout(location = 0) out vec4 o0;
// glsl/select.glsl
// glsl/pair.glsl
void main() {
  int v0 = int(gl_FragCoord.y);
  int v1 = int(gl_FragCoord.x) >> 1;
  int v2 = 0;
  int v3 = int(gl_FragCoord.x) & 1;
  vec4 v7 = vec4(u_f[0].x);
  int v10 = v0 * u_i[0].w + v1 * u_i[1].x + v2;
  int v11 = v10 >> 2;
  int v28 = v0 * u_i[4].x + v1 * u_i[4].y + v2 + u_i[4].z;
  int v29 = v28 >> 2;
  int v39 = 0;
  int v40 = v39;
  int v45 = u_i[4].w;
  int n0 = u_i[0].x;
  int n1 = u_i[0].y;
  int n2 = u_i[0].z;
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
  vec4 c0 = v7;
  vec4 c1 = v7;
  for (int t = 0; t < v45; ++t) {
  int v4 = t;
  int v5 = v2 + v3 * n0 + v4 * n1;
  vec4 v6 = vec4(lessThan((ivec4(v5) + ivec4(0, 1, 2, 3)), ivec4(n2)));
  int v12 = v3 * n5 + v4 * n6;
  int v13 = v12;
  vec4 v14 = texelFetch(u_t0, ivec2(v11, v13), 0);
  vec4 v15 = v6.x != 0.0 ? v14 : vec4(0.0);
  int v16 = v3 * n7 + v4 * n8 + n9;
  int v17 = v16;
  vec4 v18 = texelFetch(u_t0, ivec2(v11, v17), 0);
  vec4 v19 = v6.y != 0.0 ? v18 : vec4(0.0);
  int v20 = v3 * n10 + v4 * n11 + n12;
  int v21 = v20;
  vec4 v22 = texelFetch(u_t0, ivec2(v11, v21), 0);
  vec4 v23 = v6.z != 0.0 ? v22 : vec4(0.0);
  int v24 = v3 * n13 + v4 * n14 + n15;
  int v25 = v24;
  vec4 v26 = texelFetch(u_t0, ivec2(v11, v25), 0);
  vec4 v27 = v6.w != 0.0 ? v26 : vec4(0.0);
  vec4 v30 = texelFetch(u_t0, ivec2(v29, v13), 0);
  vec4 v31 = v6.x != 0.0 ? v30 : vec4(0.0);
  vec4 v32 = texelFetch(u_t0, ivec2(v29, v17), 0);
  vec4 v33 = v6.y != 0.0 ? v32 : vec4(0.0);
  vec4 v34 = texelFetch(u_t0, ivec2(v29, v21), 0);
  vec4 v35 = v6.z != 0.0 ? v34 : vec4(0.0);
  vec4 v36 = texelFetch(u_t0, ivec2(v29, v25), 0);
  vec4 v37 = v6.w != 0.0 ? v36 : vec4(0.0);
  int v38 = v5 >> 2;
  vec4 v41 = texelFetch(u_t1, ivec2(v38, v40), 0);
  vec4 v42 = select_(v6, v41, v7);
  vec4 v43 = c0 + v42.x * v15 + v42.y * v19 + v42.z * v23 + v42.w * v27;
  vec4 v44 = c1 + v42.x * v31 + v42.y * v33 + v42.z * v35 + v42.w * v37;
  c0 = v43;
  c1 = v44;
  }
  vec4 v48 = pair_x_(c0, c1);
  o0 = v48;
}
