// exp_below_(x, m): exp(x - m) for x <= m; 1 if both are the same infinity.
vec4 exp_below_(vec4 x, vec4 m) {
  return select_(equal(x, m), vec4(1.0), exp_(x - m));
}
