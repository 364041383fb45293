// exp_(x), exp2_(x), expm1_(x): within 2 ulp. exp_scaled_(x, k): exp(x) * 2^k for integral k in
// [-8, 8]; overflows only if the result does. After Cephes: x = n ln 2 + r, a polynomial in r,
// times 2^n.

// (exp(r) - 1 - r) / r^2 for |r| <= 0.35.
vec4 exp_tail_(vec4 r) {
  vec4 p = r * 1.9875691500e-4 + 1.3981999507e-3;
  p = p * r + 8.3334519073e-3;
  p = p * r + 4.1665795894e-2;
  p = p * r + 1.6666665459e-1;
  return p * r + 5.0000001201e-1;
}

vec4 exp_turns_(vec4 x) {
  return floor(x * 1.44269504 + 0.5);
}

// ln 2 in two parts: the first has 10 bits, so n times it is exact.
vec4 exp_rest_(vec4 x, vec4 n) {
  return (x - n * 0.693359375) + n * 2.12194440e-4;
}

vec4 exp_scaled_(vec4 x, vec4 k) {
  vec4 c = clamp(x, -110.0, 110.0);
  vec4 n = exp_turns_(c);
  vec4 r = exp_rest_(c, n);
  vec4 y = ldexp_(1.0 + (r + r * r * exp_tail_(r)), n + k);
  return select_(isnan_(x), x, y);
}

vec4 exp_(vec4 x) {
  return exp_scaled_(x, vec4(0.0));
}

vec4 exp2_(vec4 x) {
  vec4 c = clamp(x, -160.0, 160.0);
  vec4 n = floor(c + 0.5);
  vec4 r = (c - n) * 0.693147181;
  vec4 y = ldexp_(1.0 + (r + r * r * exp_tail_(r)), n);
  return select_(isnan_(x), x, y);
}

vec4 expm1_(vec4 x) {
  vec4 c = clamp(x, -30.0, 110.0);
  vec4 n = exp_turns_(c);
  vec4 r = exp_rest_(c, n);
  vec4 e = r + r * r * exp_tail_(r);
  vec4 y = ldexp_((1.0 - ldexp_(vec4(1.0), -n)) + e, n);
  y = select_(equal(n, vec4(0.0)), e, y);
  vec4 itself = isnan_(x) + vec4(lessThan(abs(x), vec4(1e-8)));  // -0, too
  return select_(itself, x, y);
}
