// draw 0: elementwise (17, 64) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
// glsl/select.glsl
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v1 + u_i[0].x;
  vec4 v3 = vec4(v2 >= 0 && true ? 1.0 : 0.0);
  vec4 v4 = vec4(lessThan((ivec4(v0) + ivec4(0, 1, 2, 3)), ivec4(u_i[0].y)));
  vec4 v5 = v3 * v4;
  int v6 = v0 + v1 * u_i[0].z + u_i[0].w;
  ivec4 v7 = (ivec4(v6) + ivec4(0, 1, 2, 3));
  ivec4 v8 = v7 >> 2;
  int v9 = 0;
  int v10 = v9;
  vec4 v11 = vec4(pick_(texelFetch(u_t0, ivec2(v8.x, v10), 0), v7.x & 3), pick_(texelFetch(u_t0, ivec2(v8.y, v10), 0), v7.y & 3), pick_(texelFetch(u_t0, ivec2(v8.z, v10), 0), v7.z & 3), pick_(texelFetch(u_t0, ivec2(v8.w, v10), 0), v7.w & 3));
  vec4 v12 = vec4(u_f[0].x);
  vec4 v13 = select_(v5, v11, v12);
  o0 = v13;
}
