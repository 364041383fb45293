// draw 0: elementwise (40,) int32
#version 100
precision highp float;
precision highp int;
uniform vec4 u_i[2];
uniform vec4 u_f[2];
varying highp vec2 v_at;
uniform vec2 u_special;
#define INF_ u_special.x
#define NAN_ u_special.y
uniform highp sampler2D u_t0;
uniform highp sampler2D u_t1;
// glsl/index.glsl
int n_k1(int i0) {
  float e = u_i[0].w;
  float n = clamp(float(i0), 0.0, u_i[0].x - 1.0);
  e += n * u_i[0].z;
  float y = div_(e, u_i[1].x);
  float x = e - y * u_i[1].x;
  return int(pick_(texture2D(u_t0, vec2((floor(x * 0.25) + 0.5) * u_f[0].x, (y + 0.5) * u_f[0].y)), x - 4.0 * floor(x * 0.25)));
}
void halved_element_k1(bool b_k1, int i, out int m_k1) {
//@ halved: body
m_k1 = b_k1 ? n_k1(i) / int(2) : n_k1(0)
//@
;}
void halved_k1(vec4 a1, vec4 n0, out vec4 r0) {
  int e0;
  halved_element_k1(a1.x != 0.0, int(n0.x), e0); r0.x = float(e0);
  halved_element_k1(a1.y != 0.0, int(n0.y), e0); r0.y = float(e0);
  halved_element_k1(a1.z != 0.0, int(n0.z), e0); r0.z = float(e0);
  halved_element_k1(a1.w != 0.0, int(n0.w), e0); r0.w = float(e0);
}
vec4 op_add_f(vec4 a, vec4 b) { return a + b; }
void main() {
  float v0 = 4.0 * floor(v_at.x);
  vec4 v1 = vec4(u_f[0].x);
  vec4 v2 = vec4(u_f[0].y);
  float v4 = (floor(v0 * 0.25) + 0.5) * u_f[0].z;
  float v5 = 0.0;
  float v6 = (v5 + 0.5) * u_f[0].w;
  vec4 v7 = texture2D(u_t1, vec2(v4, v6));
  vec4 v8 = (vec4(v0) + vec4(0.0, 1.0, 2.0, 3.0));
  vec4 v9_0;
  halved_k1(v7, v8, v9_0);
  vec4 v11 = vec4(u_f[1].x);
  vec4 v12 = op_add_f(v9_0, v11);
  gl_FragColor = v12;
}
