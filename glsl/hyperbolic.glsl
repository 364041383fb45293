// sinh_(x), cosh_(x), tanh_(x): within 3 ulp. arcsinh_(x), arccosh_(x), arctanh_(x): within 4 ulp;
// NaN outside their domains.
vec4 sinh_(vec4 x) {
  vec4 a = abs(x);
  vec4 z = x * x;
  vec4 near = ((z * 2.03721912945e-4 + 8.33028376239e-3) * z + 1.66667160211e-1) * z * x + x;
  vec4 h = exp_scaled_(a, vec4(-1.0));
  vec4 far = h - 0.25 / h;
  far = select_(lessThan(x, vec4(0.0)), -far, far);
  return select_(lessThan(a, vec4(1.0)), near, far);
}

vec4 cosh_(vec4 x) {
  vec4 h = exp_scaled_(abs(x), vec4(-1.0));
  return h + 0.25 / h;
}

// e / (e + 2) with e = exp(2 |x|) - 1 = 2^n (exp(r) - 1) + (2^n - 1).
vec4 tanh_(vec4 x) {
  vec4 a = abs(x);
  vec4 c = select_(greaterThan(a, vec4(10.0)), vec4(20.0), 2.0 * a);
  vec4 n = exp_turns_(c);
  vec4 r = exp_rest_(c, n);
  vec4 s = power_of_two_(n);
  // For n = 0 the term s - 1 is left out: compilers reorder the sum and lose its low bits.
  vec4 e = s * (r + r * r * exp_tail_(r)) + select_(equal(n, vec4(0.0)), vec4(0.0), s - 1.0);
  return odd_(e / (e + 2.0), x);
}

vec4 arcsinh_(vec4 x) {
  vec4 a = abs(x);
  vec4 s = a * a;
  bvec4 huge = greaterThan(a, vec4(1e9));
  vec4 y = log1p_(select_(huge, a, a + s / (1.0 + sqrt(s + 1.0))));
  return odd_(select_(huge, y + 0.693147181, y), x);
}

vec4 arccosh_(vec4 x) {
  vec4 t = x - 1.0;
  bvec4 huge = greaterThan(x, vec4(1e9));
  vec4 y = log1p_(select_(huge, x, t + sqrt(max(t, vec4(0.0)) * (t + 2.0))));
  y = select_(huge, y + 0.693147181, y);
  return select_(greaterThanEqual(x, vec4(1.0)), y, vec4(NAN_));
}

vec4 arctanh_(vec4 x) {
  vec4 a = abs(x);
  vec4 y = odd_(0.5 * log1p_(2.0 * a / (1.0 - a)), x);
  y = select_(equal(a, vec4(1.0)), x * INF_, y);
  return select_(lessThanEqual(a, vec4(1.0)), y, vec4(NAN_));
}
