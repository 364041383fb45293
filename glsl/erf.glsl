// erf_(x): within 3 ulp. Two minimax polynomials by N. Juffa: x + x p(x^2), and 1 - exp(-q(|x|)).
vec4 erf_(vec4 x) {
  vec4 a = min(abs(x), vec4(4.0));
  vec4 s = a * a;
  vec4 q = (a * -1.72853470e-5 + 3.83197126e-4) * s + (a * -3.88396438e-3 + 2.42546219e-2);
  q = q * a - 1.06777877e-1;
  q = q * a - 6.34846687e-1;
  q = q * a - 1.28717512e-1;
  q = q * a - a;
  vec4 far = 1.0 - exp_(q);
  vec4 p = s * -5.96761703e-4 + 4.99119423e-3;
  p = p * s - 2.67681349e-2;
  p = p * s + 1.12819925e-1;
  p = p * s - 3.76125336e-1;
  p = p * s + 1.28379166e-1;
  vec4 tiny = a * 1.12837917;  // here p * a would be denormal, and flushed to 0
  vec4 near = select_(lessThan(a, vec4(1e-30)), tiny, p * a + a);
  vec4 y = select_(greaterThan(a, vec4(0.927734375)), far, near);
  return select_(isnan_(x), x, odd_(y, x));
}
