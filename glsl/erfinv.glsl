// erfinv_(x): within 4 ulp; inf at 1, -inf at -1, NaN beyond. With t = log(1 - x^2) it is x times a
// minimax polynomial in t by N. Juffa or, towards 1 and -1, a Chebyshev fit in sqrt(-t).
vec4 erfinv_(vec4 x) {
  vec4 a = abs(x);
  vec4 t = log_((1.0 - a) * (1.0 + a));
  vec4 p = t * 5.43877832e-9 + 1.43285448e-7;
  p = p * t + 1.22774793e-6;
  p = p * t + 1.12963626e-7;
  p = p * t - 5.61530760e-5;
  p = p * t - 1.47697632e-4;
  p = p * t + 2.31468678e-3;
  p = p * t + 1.15392581e-2;
  p = p * t - 2.32015476e-1;
  p = p * t + 8.86226892e-1;
  vec4 w = sqrt(max(-t, vec4(0.0))) - 3.2;
  vec4 q = w * 3.80048446e-5 - 6.21835754e-6;
  q = q * w - 2.40948441e-4;
  q = q * w + 9.23284703e-4;
  q = q * w - 2.61909128e-3;
  q = q * w + 5.03092796e-3;
  q = q * w + 1.00502093;
  q = q * w + 3.03358245;
  vec4 y = select_(lessThan(t, vec4(-6.125)), odd_(q, x), p * x);
  y = select_(equal(a, vec4(1.0)), odd_(vec4(INF_), x), y);
  return select_(lessThanEqual(a, vec4(1.0)), y, vec4(NAN_));
}
