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
uniform ivec4 u_i[4];
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
  int v3 = v0 * u_i[0].x + v1 * u_i[0].y + v2;
  int v4 = v0 * u_i[0].z + v1 * u_i[0].w + v2 + u_i[1].x;
  int v5 = int(gl_FragCoord.x) & 1;
  vec4 v10 = vec4(u_f[0].x);
  int v13 = v3 >> 2;
  int v29 = v4 >> 2;
  int v39 = 0;
  int v40 = v39;
  int v45 = u_i[3].y;
  int n5 = u_i[1].y;
  int n6 = u_i[1].z;
  int n7 = u_i[1].w;
  int n8 = u_i[2].x;
  int n9 = u_i[2].y;
  int n10 = u_i[2].z;
  int n11 = u_i[2].w;
  int n12 = u_i[3].x;
  vec4 c0 = v10;
  vec4 c1 = v10;
  for (int t = 0; t < v45; ++t) {
  int v6 = t;
  int v7 = v2 + v5 * n5 + v6 * n6;
  int v8 = v5 * n7 + v6 * n8;
  vec4 v9 = vec4(lessThan((ivec4(v7) + ivec4(0, 1, 2, 3)), ivec4(n9)));
  int v14 = v8;
  vec4 v15 = texelFetch(u_t0, ivec2(v13, v14), 0);
  vec4 v16 = v9.x != 0.0 ? v15 : vec4(0.0);
  int v17 = v8 + n10;
  int v18 = v17;
  vec4 v19 = texelFetch(u_t0, ivec2(v13, v18), 0);
  vec4 v20 = v9.y != 0.0 ? v19 : vec4(0.0);
  int v21 = v8 + n11;
  int v22 = v21;
  vec4 v23 = texelFetch(u_t0, ivec2(v13, v22), 0);
  vec4 v24 = v9.z != 0.0 ? v23 : vec4(0.0);
  int v25 = v8 + n12;
  int v26 = v25;
  vec4 v27 = texelFetch(u_t0, ivec2(v13, v26), 0);
  vec4 v28 = v9.w != 0.0 ? v27 : vec4(0.0);
  vec4 v30 = texelFetch(u_t0, ivec2(v29, v14), 0);
  vec4 v31 = v9.x != 0.0 ? v30 : vec4(0.0);
  vec4 v32 = texelFetch(u_t0, ivec2(v29, v18), 0);
  vec4 v33 = v9.y != 0.0 ? v32 : vec4(0.0);
  vec4 v34 = texelFetch(u_t0, ivec2(v29, v22), 0);
  vec4 v35 = v9.z != 0.0 ? v34 : vec4(0.0);
  vec4 v36 = texelFetch(u_t0, ivec2(v29, v26), 0);
  vec4 v37 = v9.w != 0.0 ? v36 : vec4(0.0);
  int v38 = v7 >> 2;
  vec4 v41 = texelFetch(u_t1, ivec2(v38, v40), 0);
  vec4 v42 = select_(v9, v41, v10);
  vec4 v43 = c0 + v42.x * v16 + v42.y * v20 + v42.z * v24 + v42.w * v28;
  vec4 v44 = c1 + v42.x * v31 + v42.y * v33 + v42.z * v35 + v42.w * v37;
  c0 = v43;
  c1 = v44;
  }
  vec4 v48 = pair_x_(c0, c1);
  o0 = v48;
}
