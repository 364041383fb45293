// power_(x, y): x^y within 4 ulp, with C's edge cases: x^0 = 1^y = 1; a negative x with a
// fractional y gives NaN. Integers wrap around; for a negative exponent 1 / x^-y is truncated.

// 1.0 where y is an odd integer. Floats from 2^24 on are even.
vec4 is_odd_(vec4 y) {
  vec4 h = y * 0.5;
  return vec4(equal(floor(y), y)) * vec4(notEqual(floor(h), h));
}

// a^y for positive, finite a. log2(a) = e + 2 / (3 ln 2) s (3 + s^2 + r), s = (m - 1) / (m + 1), is
// kept in two parts of 12 and more bits, as in fdlibm's powf, because y multiplies its error by up
// to 128.
vec4 power_core_(vec4 a, vec4 y) {
  vec4 e = log_exponent_(a);
  vec4 m = ldexp_(a, -e);
  vec4 u = m - 1.0;
  vec4 v = 1.0 / (m + 1.0);
  vec4 s = u * v;
  vec4 sh = head_(s);
  vec4 th = head_(m + 1.0);
  vec4 tl = m - keep_(th - 1.0);
  vec4 sl = v * ((u - sh * th) - sh * tl);
  vec4 s2 = s * s;
  vec4 r = (s2 * 0.230660745 + 0.272728175) * s2 + 0.333333343;
  r = s2 * s2 * ((r * s2 + 0.428571433) * s2 + 0.6) + sl * (sh + s);
  s2 = sh * sh;
  th = head_(3.0 + s2 + r);
  tl = r - (keep_(th - 3.0) - s2);
  u = sh * th;
  v = sl * th + tl * s;
  vec4 ph = head_(u + v);
  vec4 pl = v - keep_(ph - u);
  vec4 zh = ph * 0.9619140625;
  vec4 zl = ph * -1.17368574e-4 + pl * 0.961796701;
  vec4 lh = head_((zh + zl) + e);
  vec4 ll = zl - (keep_(lh - e) - zh);
  vec4 c = clamp(y, -8589934592.0, 8589934592.0);  // enough to reach 0 or inf for every a but 1
  vec4 ch = head_(c);
  pl = keep_(c - ch) * lh + c * ll;
  ph = ch * lh;
  vec4 n = floor(clamp(ph + pl, -160.0, 160.0) + 0.5);
  r = clamp((ph - n) + pl, -1.0, 1.0) * 0.693147181;
  return ldexp_(1.0 + (r + r * r * exp_tail_(r)), n);
}

#if __VERSION__ < 300
// Multiplies p by s if n is odd, then squares s and halves n.
void square_step_(inout vec4 p, inout vec4 s, inout vec4 n) {
  vec4 h = floor(n * 0.5);
  p = select_(equal(n - 2.0 * h, vec4(1.0)), p * s, p);
  s *= s;
  n = h;
}

// r, or x^y by squaring if that is an integer below 2^24, and so exact.
vec4 whole_power_(vec4 x, vec4 y, vec4 r) {
  vec4 p = vec4(1.0);
  vec4 s = x;
  vec4 n = y;
  square_step_(p, s, n);
  square_step_(p, s, n);
  square_step_(p, s, n);
  square_step_(p, s, n);
  square_step_(p, s, n);
  vec4 whole = vec4(equal(floor(x), x)) * vec4(equal(floor(y), y));
  vec4 few = vec4(greaterThanEqual(y, vec4(0.0))) * vec4(lessThan(y, vec4(32.0)));
  return select_(whole * few * vec4(lessThan(abs(p), vec4(16777216.0))), p, r);
}
#endif

vec4 power_(vec4 x, vec4 y) {
  vec4 a = abs(x);
  vec4 odd = is_odd_(y);
  bvec4 zero = equal(a, vec4(0.0));
  vec4 edge = vec4(zero) + vec4(equal(a, vec4(INF_)));
  vec4 r = power_core_(select_(edge, vec4(1.0), a), y);
  bvec4 grows = equal(vec4(zero), vec4(lessThan(y, vec4(0.0))));  // inf^+ and 0^-
  r = select_(edge, select_(grows, vec4(INF_), vec4(0.0)), r);
  r = select_(signbit_(x) * odd, -r, r);
  vec4 broken = vec4(lessThan(x, vec4(0.0))) * vec4(notEqual(floor(y), y)) * (1.0 - edge);
  r = select_(broken, vec4(NAN_), r);
  r = select_(isnan_(x) + isnan_(y), vec4(NAN_), r);
  vec4 one = vec4(equal(x, vec4(1.0))) + vec4(equal(y, vec4(0.0)));
  r = select_(one, vec4(1.0), r);
#if __VERSION__ < 300
  r = whole_power_(x, y, r);
#endif
  return r;
}

#if __VERSION__ >= 300
uvec4 power_(uvec4 x, uvec4 y) {
  uvec4 r = uvec4(1u);
  for (int i = 0; i < 32; ++i) {
    r = select_(notEqual(y & uvec4(1u), uvec4(0u)), r * x, r);
    x *= x;
    y >>= 1;
  }
  return r;
}

ivec4 power_(ivec4 x, ivec4 y) {
  ivec4 r = ivec4(power_(uvec4(x), uvec4(y)));
  bvec4 unit = lessThanEqual(uvec4(x + 1), uvec4(2u));  // -1, 0, 1
  ivec4 sign_of = select_(notEqual(y & ivec4(1), ivec4(0)), x, x * x);
  return select_(lessThan(y, ivec4(0)), select_(unit, sign_of, ivec4(0)), r);
}
#endif
