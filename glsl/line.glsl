// line_(k, sh, sl, vh, vl): (vh + vl) + k * (sh + sl), within 2^-8 ulp of being rounded once, if
// the sum is not much smaller than its terms. k is integral, |k| <= 2^24; sh has 12 bits; vl is
// below an ulp of vh, sl below 2^-11 of sh.
vec4 line_(vec4 k, vec4 sh, vec4 sl, vec4 vh, vec4 vl) {
  vec4 kh = trunc_(k * (1.0 / 4096.0)) * 4096.0;
  vec4 p = keep_(k * sh);
  vec4 lost = keep_(keep_(kh * sh) - p) + (k - kh) * sh;  // the error of rounding p: T. J. Dekker
  vec4 y = keep_(p + vh);
  vec4 q = keep_(y - p);
  lost += keep_(p - keep_(y - q)) + keep_(vh - q);  // that of y: D. E. Knuth's sum of two
  return select_(isfinite_(y), y + (lost + (k * sl + vl)), y);
}
