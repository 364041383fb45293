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
  vec4 v4 = vec4(u_f[0].x);
  int v6 = v0 >> 2;
  int v24 = 0;
  int v25 = v24;
  int v29 = u_i[2].x;
  vec4 c0 = v4;
  for (int t = 0; t < v29; ++t) {
  int v1 = 4 * t;
  int v2 = t;
  vec4 v3 = vec4(lessThan((ivec4(v1) + ivec4(0, 1, 2, 3)), ivec4(u_i[0].x)));
  int v7 = v2 * u_i[0].y;
  int v8 = v7;
  vec4 v9 = texelFetch(u_t0, ivec2(v6, v8), 0);
  vec4 v10 = v3.x != 0.0 ? v9 : vec4(0.0);
  int v11 = v2 * u_i[0].z + u_i[0].w;
  int v12 = v11;
  vec4 v13 = texelFetch(u_t0, ivec2(v6, v12), 0);
  vec4 v14 = v3.y != 0.0 ? v13 : vec4(0.0);
  int v15 = v2 * u_i[1].x + u_i[1].y;
  int v16 = v15;
  vec4 v17 = texelFetch(u_t0, ivec2(v6, v16), 0);
  vec4 v18 = v3.z != 0.0 ? v17 : vec4(0.0);
  int v19 = v2 * u_i[1].z + u_i[1].w;
  int v20 = v19;
  vec4 v21 = texelFetch(u_t0, ivec2(v6, v20), 0);
  vec4 v22 = v3.w != 0.0 ? v21 : vec4(0.0);
  int v23 = v1 >> 2;
  vec4 v26 = texelFetch(u_t1, ivec2(v23, v25), 0);
  vec4 v27 = select_(v3, v26, v4);
  vec4 v28 = c0 + v27.x * v10 + v27.y * v14 + v27.z * v18 + v27.w * v22;
  c0 = v28;
  }
  o0 = c0;
}
