// log_(x), log2_(x), log10_(x), log1p_(x): within 2 ulp. The logarithm of 0 is -inf, of a negative
// number NaN. After Cephes: x = 2^e (1 + f), a polynomial in f.

// log(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1].
vec4 log_tail_(vec4 f) {
  vec4 z = f * f;
  vec4 p = f * 7.0376836292e-2 - 1.1514610310e-1;
  p = p * f + 1.1676998740e-1;
  p = p * f - 1.2420140846e-1;
  p = p * f + 1.4249322787e-1;
  p = p * f - 1.6668057665e-1;
  p = p * f + 2.0000714765e-1;
  p = p * f - 2.4999993993e-1;
  p = p * f + 3.3333331174e-1;
  return p * f * z - 0.5 * z;
}

vec4 log_exponent_(vec4 x) {
  return exponent_(x * 0.707106781) + 1.0;
}

vec4 log_edges_(vec4 x, vec4 y) {
  vec4 r = select_(greaterThan(x, vec4(0.0)), y, vec4(NAN_));
  r = select_(lessThan(abs(x), vec4(1.17549435e-38)), vec4(-INF_), r);  // denormal, too
  return select_(equal(x, vec4(INF_)), x, r);
}

vec4 log_(vec4 x) {
  vec4 e = log_exponent_(x);
  vec4 f = ldexp_(x, -e) - 1.0;
  vec4 y = (f + (log_tail_(f) - e * 2.12194440e-4)) + e * 0.693359375;
  return log_edges_(x, y);
}

vec4 log2_(vec4 x) {
  vec4 e = log_exponent_(x);
  vec4 f = ldexp_(x, -e) - 1.0;
  vec4 t = log_tail_(f);
  vec4 y = (((t * 0.442695041 + f * 0.442695041) + t) + f) + e;
  return log_edges_(x, y);
}

vec4 log10_(vec4 x) {
  vec4 e = log_exponent_(x);
  vec4 f = ldexp_(x, -e) - 1.0;
  vec4 t = log_tail_(f);
  vec4 low = (f + t) * 7.00731903e-4 + e * 2.48745664e-4;
  vec4 y = ((low + t * 0.43359375) + f * 0.43359375) + e * 0.30078125;
  return log_edges_(x, y);
}

vec4 log1p_(vec4 x) {
  vec4 u = keep_(1.0 + x);
  vec4 lost = (x - keep_(u - 1.0)) / u;  // the error of rounding 1 + x
  vec4 usable = vec4(greaterThan(u, vec4(0.0))) * vec4(lessThan(u, vec4(1e9)));
  vec4 y = log_(u) + select_(usable, lost, vec4(0.0));
  vec4 near = vec4(greaterThan(x, vec4(-0.29))) * vec4(lessThan(x, vec4(0.41)));
  return select_(near, x + log_tail_(x), y);
}
