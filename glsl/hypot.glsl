// hypot_(a, b): sqrt(a^2 + b^2) without overflow, within 3 ulp. inf if either is inf, even if the
// other is NaN.
vec4 hypot_(vec4 a, vec4 b) {
  vec4 p = abs(a);
  vec4 q = abs(b);
  vec4 high = max(p, q);
  // Some drivers divide by a reciprocal, and flush the reciprocal of a huge number to 0.
  vec4 down = select_(greaterThan(high, vec4(1e19)), vec4(1.0 / 18446744073709551616.0), vec4(1.0));
  vec4 t = (min(p, q) * down) / (high * down);
  vec4 y = select_(equal(high, vec4(0.0)), high, high * sqrt(1.0 + t * t));
  y = select_(isnan_(a) + isnan_(b), a + b, y);
  return select_(isinf_(a) + isinf_(b), vec4(INF_), y);
}
