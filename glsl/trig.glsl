// sin_(x), cos_(x), tan_(x): within 3, 3 and 4 ulp for |x| <= 1e5. Larger x are not reduced
// exactly: from about 1e7 on no digit is correct, but results stay bounded. inf gives NaN;
// near 0 sin_ and tan_ are x, -0 included. After Cody and Waite: x = n pi/2 + r, with pi/2 in parts
// whose products with n are exact; then Cephes' polynomials.
vec4 quarter_turns_(vec4 x) {
  return floor(x * 0.636619772 + 0.5);
}

// pi/2 in five parts of 8 bits and the rest: each product is exact, and so is each small
// difference. The rounding errors of the others are added at the end, so r is right to the last bit
// even near 0.
vec4 turn_rest_(vec4 x, vec4 n) {
  vec4 r = keep_(x - n * 1.5703125);
  r = keep_(r - n * 4.825592041015625e-4);
  vec4 c = n * 1.26659870147705078e-6;
  vec4 s = keep_(r - c);
  vec4 lost = keep_(r - s) - c;
  c = n * 9.89530236e-10;
  r = keep_(s - c);
  lost += keep_(s - r) - c;
  c = n * 2.55795385e-12;
  s = keep_(r - c);
  lost += keep_(r - s) - c;
  return clamp(s + (lost - n * 5.39030286e-15), -0.8, 0.8);
}

vec4 sin_core_(vec4 r) {
  vec4 z = r * r;
  return ((z * -1.9515295891e-4 + 8.3321608736e-3) * z - 1.6666654611e-1) * z * r + r;
}

vec4 cos_core_(vec4 r) {
  vec4 z = r * r;
  vec4 p = (z * 2.443315711809948e-5 - 1.388731625493765e-3) * z + 4.166664568298827e-2;
  return (p * z * z - 0.5 * z) + 1.0;
}

// sin(r + n pi/2).
vec4 turned_sin_(vec4 r, vec4 n) {
#if __VERSION__ >= 300
  ivec4 turns = ivec4(n);
  vec4 y = select_(notEqual(turns & 1, ivec4(0)), cos_core_(r), sin_core_(r));
  return intBitsToFloat(floatBitsToInt(y) ^ ((turns & 2) << 30));
#else
  vec4 quadrant = n - 4.0 * floor(n * 0.25);
  vec4 odd = n - 2.0 * floor(n * 0.5);
  vec4 y = select_(odd, cos_core_(r), sin_core_(r));
  return select_(greaterThan(quadrant, vec4(1.5)), -y, y);
#endif
}

vec4 sin_(vec4 x) {
  vec4 n = quarter_turns_(x);
  vec4 y = select_(isfinite_(x), turned_sin_(turn_rest_(x, n), n), vec4(NAN_));
  return select_(lessThan(abs(x), vec4(2.4e-4)), x, y);
}

vec4 cos_(vec4 x) {
  vec4 n = quarter_turns_(x);
  return select_(isfinite_(x), turned_sin_(turn_rest_(x, n), n + 1.0), vec4(NAN_));
}

vec4 tan_(vec4 x) {
  vec4 n = quarter_turns_(x);
  vec4 r = turn_rest_(x, n);
  vec4 z = r * r;
  vec4 p = z * 9.38540185543e-3 + 3.11992232697e-3;
  p = p * z + 2.44301354525e-2;
  p = p * z + 5.34112807005e-2;
  p = p * z + 1.33387994085e-1;
  p = p * z + 3.33331568548e-1;
  vec4 t = p * z * r + r;
  vec4 odd = n - 2.0 * floor(n * 0.5);
  vec4 y = select_(isfinite_(x), select_(odd, vec4(-1.0) / t, t), vec4(NAN_));
  return select_(lessThan(abs(x), vec4(2.4e-4)), x, y);
}
