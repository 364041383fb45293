// div_(n, d): floor(n / d), exact, for d > 0 and 0 <= n < 2^31 (in 1.00: integral floats < 2^24).
// div_small_(n, d): the same for n < 2^20.
// clamp_index_(i, n): index i, from the end if negative, clamped into [0, n - 1].
// pick_(v, k): component k of v.
#if __VERSION__ >= 300
// The quotient of floats has a relative error of up to 2^-22; the remainder corrects it twice.
int div_(int n, int d) {
  float s = 1.0 / float(d);
  int q = int(float(n) * s);
  q += int(floor(float(n - q * d) * s));
  int r = n - q * d;
  return q + (r >= d ? 1 : 0) - (r < 0 ? 1 : 0);
}

ivec4 div_(ivec4 n, int d) {
  float s = 1.0 / float(d);
  ivec4 q = ivec4(vec4(n) * s);
  q += ivec4(floor(vec4(n - q * d) * s));
  ivec4 r = n - q * d;
  return q + ivec4(greaterThanEqual(r, ivec4(d))) - ivec4(lessThan(r, ivec4(0)));
}

int div_small_(int n, int d) {
  return int((float(n) + 0.5) / float(d));
}

ivec4 div_small_(ivec4 n, int d) {
  return ivec4((vec4(n) + 0.5) / float(d));
}

int clamp_index_(int i, int n) {
  return clamp(i < 0 ? i + n : i, 0, n - 1);
}

ivec4 clamp_index_(ivec4 i, int n) {
  return clamp(i + n * ivec4(lessThan(i, ivec4(0))), 0, n - 1);
}

float pick_(vec4 v, int k) {
  return k < 2 ? (k == 0 ? v.x : v.y) : (k == 2 ? v.z : v.w);
}

int pick_(ivec4 v, int k) {
  return k < 2 ? (k == 0 ? v.x : v.y) : (k == 2 ? v.z : v.w);
}

uint pick_(uvec4 v, int k) {
  return k < 2 ? (k == 0 ? v.x : v.y) : (k == 2 ? v.z : v.w);
}
#else
// A quotient may be 2.5 ulp off, which is 2 near 2^23; the remainders correct it.
float div_(float n, float d) {
  float q = floor(n / d);
  q += floor((n - q * d) / d);
  float r = n - q * d;
  return q + step(d, r) - (r < 0.0 ? 1.0 : 0.0);
}

vec4 div_(vec4 n, float d) {
  vec4 q = floor(n / d);
  q += floor((n - q * d) / d);
  vec4 r = n - q * d;
  return q + step(vec4(d), r) - vec4(lessThan(r, vec4(0.0)));
}

float div_small_(float n, float d) {
  return floor((n + 0.5) / d);
}

vec4 div_small_(vec4 n, float d) {
  return floor((n + 0.5) / d);
}

float clamp_index_(float i, float n) {
  return clamp(i < 0.0 ? i + n : i, 0.0, n - 1.0);
}

vec4 clamp_index_(vec4 i, float n) {
  return clamp(i + n * vec4(lessThan(i, vec4(0.0))), 0.0, n - 1.0);
}

float pick_(vec4 v, float k) {
  return k < 1.5 ? (k < 0.5 ? v.x : v.y) : (k < 2.5 ? v.z : v.w);
}
#endif
