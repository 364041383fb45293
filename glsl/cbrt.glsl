// cbrt_(x): within 2 ulp; has the sign of x. Two steps of Newton's method from a coarse start.
vec4 cbrt_(vec4 x) {
  vec4 a = abs(x);
  vec4 y = exp2(log2(a) * 0.333333333);
  y -= (y - a / (y * y)) * 0.333333333;
  y -= (y - a / (y * y)) * 0.333333333;
  y = select_(lessThan(x, vec4(0.0)), -y, y);
  return select_(isfinite_(x) * vec4(greaterThan(a, vec4(0.0))), y, x);
}
