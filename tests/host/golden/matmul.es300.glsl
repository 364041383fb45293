// draw 0: matmul (2, 64) float32
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
uniform highp sampler2D u_t2;
layout(location = 0) out vec4 o0;
layout(location = 1) out vec4 o1;
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  vec4 v3 = vec4(u_f[0].x);
  int v6 = v0 >> 2;
  int v20 = 0;
  int v21 = v20;
  int v23 = u_i[1].w;
  int v24 = v23;
  int v28 = u_i[2].x;
  vec4 v30 = texelFetch(u_t2, ivec2(v6, v21), 0);
  int n0 = u_i[0].x;
  int n1 = u_i[0].y;
  int n2 = u_i[0].z;
  int n3 = u_i[0].w;
  int n4 = u_i[1].x;
  int n5 = u_i[1].y;
  int n6 = u_i[1].z;
  vec4 c0 = v3;
  vec4 c1 = v3;
  for (int t = 0; t < v28; ++t) {
  int v1 = 4 * t;
  int v2 = t;
  int v7 = v2 * n0;
  int v8 = v7;
  vec4 v9 = texelFetch(u_t0, ivec2(v6, v8), 0);
  int v10 = v2 * n1 + n2;
  int v11 = v10;
  vec4 v12 = texelFetch(u_t0, ivec2(v6, v11), 0);
  int v13 = v2 * n3 + n4;
  int v14 = v13;
  vec4 v15 = texelFetch(u_t0, ivec2(v6, v14), 0);
  int v16 = v2 * n5 + n6;
  int v17 = v16;
  vec4 v18 = texelFetch(u_t0, ivec2(v6, v17), 0);
  int v19 = v1 >> 2;
  vec4 v22 = texelFetch(u_t1, ivec2(v19, v21), 0);
  vec4 v25 = texelFetch(u_t1, ivec2(v19, v24), 0);
  vec4 v26 = c0 + v22.x * v9 + v22.y * v12 + v22.z * v15 + v22.w * v18;
  vec4 v27 = c1 + v25.x * v9 + v25.y * v12 + v25.z * v15 + v25.w * v18;
  c0 = v26;
  c1 = v27;
  }
  vec4 v31 = op_add_f(c0, v30);
  vec4 v33 = op_add_f(c1, v30);
  o0 = v31;
  o1 = v33;
}
