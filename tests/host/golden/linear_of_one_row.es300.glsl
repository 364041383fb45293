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
uniform ivec4 u_i[3];
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
layout(location = 0) out vec4 o0;
// glsl/select.glsl
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  vec4 v5 = vec4(u_f[0].x);
  int v7 = v0 + v1 * u_i[0].y;
  int v8 = v7 >> 2;
  int v26 = 0;
  int v27 = v26;
  int v31 = u_i[2].y;
  int n0 = u_i[0].x;
  int n2 = u_i[0].z;
  int n3 = u_i[0].w;
  int n4 = u_i[1].x;
  int n5 = u_i[1].y;
  int n6 = u_i[1].z;
  int n7 = u_i[1].w;
  int n8 = u_i[2].x;
  vec4 c0 = v5;
  for (int t = 0; t < v31; ++t) {
  int v2 = 4 * t;
  int v3 = t;
  vec4 v4 = vec4(lessThan((ivec4(v2) + ivec4(0, 1, 2, 3)), ivec4(n0)));
  int v9 = v3 * n2;
  int v10 = v9;
  vec4 v11 = texelFetch(u_t0, ivec2(v8, v10), 0);
  vec4 v12 = v4.x != 0.0 ? v11 : vec4(0.0);
  int v13 = v3 * n3 + n4;
  int v14 = v13;
  vec4 v15 = texelFetch(u_t0, ivec2(v8, v14), 0);
  vec4 v16 = v4.y != 0.0 ? v15 : vec4(0.0);
  int v17 = v3 * n5 + n6;
  int v18 = v17;
  vec4 v19 = texelFetch(u_t0, ivec2(v8, v18), 0);
  vec4 v20 = v4.z != 0.0 ? v19 : vec4(0.0);
  int v21 = v3 * n7 + n8;
  int v22 = v21;
  vec4 v23 = texelFetch(u_t0, ivec2(v8, v22), 0);
  vec4 v24 = v4.w != 0.0 ? v23 : vec4(0.0);
  int v25 = v2 >> 2;
  vec4 v28 = texelFetch(u_t1, ivec2(v25, v27), 0);
  vec4 v29 = select_(v4, v28, v5);
  vec4 v30 = c0 + v29.x * v12 + v29.y * v16 + v29.z * v20 + v29.w * v24;
  c0 = v30;
  }
  o0 = c0;
}
