// sigmoid_(x): 1 / (1 + exp(-x)). softplus_(x): log(1 + exp(x)). logaddexp_(a, b): log(exp(a) +
// exp(b)). All without overflow and within 4 ulp, logaddexp_ only if its result is not near 0.
vec4 sigmoid_(vec4 x) {
  return 1.0 / (1.0 + exp_(-x));
}

vec4 softplus_(vec4 x) {
  return max(x, vec4(0.0)) + log1p_(exp_(-abs(x)));
}

vec4 logaddexp_(vec4 a, vec4 b) {
  vec4 y = max(a, b) + log1p_(exp_(-abs(a - b)));
  return select_(equal(a, b), a + 0.693147181, y);  // inf with inf
}
