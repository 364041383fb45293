// draw 0: elementwise (6, 5) float32
#version 300 es
precision highp float;
precision highp int;
uniform ivec4 u_i[1];
uniform vec4 u_f[1];
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
layout(location = 0) out vec4 o0;
// glsl/index.glsl
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  ivec4 v1 = div_small_((ivec4(v0) + ivec4(0, 1, 2, 3)), u_i[0].x);
  ivec4 v2 = (ivec4(v0) + ivec4(0, 1, 2, 3)) - v1 * u_i[0].x;
  float v3 = (float(v0 >> 2) + 0.5) * u_f[0].x;
  int v4 = 0;
  float v5 = (float(v4) + 0.5) * u_f[0].y;
  vec4 v6 = texture(u_t0, vec2(v3, v5));
  vec4 v7 = (vec4(v2 >> 2) + 0.5) * u_f[0].z;
  float v8 = (float(v4) + 0.5) * u_f[0].w;
  vec4 v9 = vec4(pick_(texture(u_t1, vec2(v7.x, v8)), v2.x & 3), pick_(texture(u_t1, vec2(v7.y, v8)), v2.y & 3), pick_(texture(u_t1, vec2(v7.z, v8)), v2.z & 3), pick_(texture(u_t1, vec2(v7.w, v8)), v2.w & 3));
  vec4 v10 = op_add_f(v6, v9);
  o0 = v10;
}
