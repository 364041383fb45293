// erfinv_(x): the y with erf(y) = x. Source: M. Giles, "Approximating the erfinv function", GPU
// Computing Gems, 2011.
vec4 erfinv_(vec4 x) {
  vec4 w = -log_((1.0 - x) * (1.0 + x));
  vec4 a = w - 2.5;
  vec4 p = a * 2.81022636e-8 + 3.43273939e-7;
  p = p * a - 3.5233877e-6;
  p = p * a - 4.39150654e-6;
  p = p * a + 2.1858087e-4;
  p = p * a - 1.25372503e-3;
  p = p * a - 4.17768164e-3;
  p = p * a + 2.46640727e-1;
  p = p * a + 1.50140941;
  vec4 b = sqrt(w) - 3.0;
  vec4 q = b * -2.00214257e-4 + 1.00950558e-4;
  q = q * b + 1.34934322e-3;
  q = q * b - 3.67342844e-3;
  q = q * b + 5.73950773e-3;
  q = q * b - 7.6224613e-3;
  q = q * b + 9.43887047e-3;
  q = q * b + 1.00167406;
  q = q * b + 2.83297682;
  vec4 y = select_(lessThan(w, vec4(5.0)), p, q) * x;
  return select_(equal(abs(x), vec4(1.0)), x * INF_, y);
}
