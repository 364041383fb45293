// fmod_(a, b): the remainder with a's sign, exact. remainder_(a, b): with b's sign, also if it is
// 0. floor_divide_(a, b): NumPy's a // b. For integers all are 0 where b is 0.

// x - n y for integral |n| < 2^24 if the result is small. n and y are split into parts of 12 bits,
// so no product rounds.
vec4 rest_(vec4 x, vec4 n, vec4 y) {
  vec4 nh = floor(n * (1.0 / 4096.0)) * 4096.0;
  vec4 nl = n - nh;
  vec4 yh = head_(y);
  vec4 yl = keep_(y - yh);
  vec4 r = keep_(x - nh * yh);
  r = keep_(r - nh * yl);
  r = keep_(r - nl * yh);
  return keep_(r - nl * yl);
}

// The power of two that scales y. A tiny y is scaled up, so that its low bits are not flushed to 0.
// A huge y is scaled down, so that nothing overflows and drivers that divide by a reciprocal do not
// flush 1 / y.
vec4 scale_of_(vec4 y) {
  vec4 up = select_(lessThan(y, vec4(1e-19)), vec4(18446744073709551616.0), vec4(1.0));
  return select_(greaterThan(y, vec4(1e19)), vec4(1.0 / 18446744073709551616.0), up);
}

// The power of two that multiplies a remainder of y, so that it is not denormal and flushed to 0.
vec4 up_of_(vec4 y) {
  return max(scale_of_(y), vec4(1.0));
}

// up times x - y trunc(x / y) for 0 <= x / y < 2^22 and y > 0; the quotient may be wrong by 2 ulp.
vec4 fmod_step_(vec4 x, vec4 y, vec4 up) {
  vec4 scale = scale_of_(y);
  vec4 z = y * scale;
  vec4 n = floor((x * scale) / z);
  vec4 r = rest_(x * scale, n, z);
  r = select_(lessThan(r, vec4(0.0)), r + z, r);
  r = select_(greaterThanEqual(r, z), r - z, r);
  return select_(lessThan(x, y), x * up, r * (up / scale));
}

// fmod_(a, b) times up.
vec4 fmod_scaled_(vec4 a, vec4 b, vec4 up) {
  vec4 x = abs(a);
  vec4 y = abs(b);
  if (any(greaterThanEqual(x * (1.0 / 4194304.0), y))) {
    for (int i = 11; i > 0; --i) {  // 22 bits of the quotient at a time
      vec4 h = power_of_two_(vec4(11.0 * float(i)));
      // h * h may be inf although y * h * h is not.
      x = fmod_step_(x, keep_(y * h) * h, vec4(1.0));
    }
  }
  x = fmod_step_(x, y, up);
  x = copysign_(x, a);
  vec4 ok = isfinite_(a) * vec4(greaterThan(y, vec4(0.0)));
  x = select_(ok, select_(isinf_(b), a, x), vec4(NAN_));
  return select_(isnan_(b), b, x);
}

vec4 fmod_(vec4 a, vec4 b) {
  vec4 up = up_of_(abs(b));
  return fmod_scaled_(a, b, up) / up;
}

vec4 remainder_(vec4 a, vec4 b) {
  vec4 up = up_of_(abs(b));
  vec4 r = fmod_scaled_(a, b, up);
  vec4 other = vec4(lessThan(r * sign_(b), vec4(0.0)));
  r = select_(other, r + b * up, r);
  return select_(equal(r, vec4(0.0)), copysign_(r, b), r) / up;
}

vec4 floor_divide_(vec4 a, vec4 b) {
  vec4 scale = scale_of_(abs(b));
  vec4 up = max(scale, vec4(1.0));
  vec4 r = fmod_scaled_(a, b, up);
  vec4 x = abs(a) * scale;
  vec4 y = abs(b) * scale;
  vec4 m = abs(r) * (scale / up);
  vec4 down = min(scale, vec4(1.0));  // scaled up, the quotient could overflow too early
  vec4 n = ((abs(a) - abs(r) / up) * down) / (abs(b) * down);
  vec4 exact = floor(n + 0.5);
  exact += floor((rest_(x, exact, y) - m) / y + 0.5);
  n = select_(vec4(greaterThan(n, vec4(0.5))) * vec4(lessThan(n, vec4(16777216.0))), exact, n);
  vec4 apart = abs(signbit_(a) - signbit_(b));
  n = select_(apart, -n - vec4(notEqual(r, vec4(0.0))), n);
  n = select_(isnan_(r), r, n);
  return select_(equal(b, vec4(0.0)), a / b, n);
}

#if __VERSION__ >= 300
// Signed % and / are undefined for negative operands in ES 3.00, and wrong on llvmpipe.
uvec4 floor_divide_(uvec4 a, uvec4 b) {
  bvec4 zero = equal(b, uvec4(0u));
  return select_(zero, uvec4(0u), a / select_(zero, uvec4(1u), b));
}

uvec4 fmod_(uvec4 a, uvec4 b) {
  bvec4 zero = equal(b, uvec4(0u));
  return select_(zero, uvec4(0u), a % select_(zero, uvec4(1u), b));
}

uvec4 remainder_(uvec4 a, uvec4 b) {
  return fmod_(a, b);
}

ivec4 fmod_(ivec4 a, ivec4 b) {
  ivec4 r = ivec4(fmod_(uvec4(abs(a)), uvec4(abs(b))));
  return select_(lessThan(a, ivec4(0)), -r, r);
}

ivec4 remainder_(ivec4 a, ivec4 b) {
  ivec4 r = fmod_(a, b);
  bvec4 other = lessThan(sign(r) * sign(b), ivec4(0));
  return select_(other, r + b, r);
}

ivec4 floor_divide_(ivec4 a, ivec4 b) {
  ivec4 q = ivec4(floor_divide_(uvec4(abs(a)), uvec4(abs(b))));
  ivec4 r = fmod_(a, b);
  bvec4 apart = lessThan(sign(a) * sign(b), ivec4(0));
  q = select_(apart, -q, q);
  return q - ivec4(lessThan(sign(r) * sign(b), ivec4(0)));
}
#endif
