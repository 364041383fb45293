// trunc_(x): x without its fraction. round_(x): the nearest integer, ties to even. GLSL ES 1.00 has
// neither.
vec4 trunc_(vec4 x) {
  return select_(lessThan(x, vec4(0.0)), ceil(x), floor(x));
}

vec4 round_(vec4 x) {
  vec4 a = abs(x);
  vec4 low = floor(a);
  vec4 odd = low - 2.0 * floor(low * 0.5);
  vec4 part = a - low;
  vec4 half_up = select_(equal(part, vec4(0.5)), odd, vec4(greaterThan(part, vec4(0.5))));
  vec4 r = odd_(low + half_up, x);
  return select_(lessThan(a, vec4(8388608.0)), r, x);  // from 2^23 on, and for NaN, x itself
}
