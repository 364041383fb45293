// arcsin_(x), arccos_(x), arctan_(x), arctan2_(y, x): within 4 ulp; after Cephes. arcsin_ and
// arccos_ are NaN outside [-1, 1].

// asin(s) for s in [0, 1/2].
vec4 arcsin_core_(vec4 s) {
  vec4 z = s * s;
  vec4 p = z * 4.2163199048e-2 + 2.4181311049e-2;
  p = p * z + 4.5470025998e-2;
  p = p * z + 7.4953002686e-2;
  p = p * z + 1.6666752422e-1;
  return p * z * s + s;
}

vec4 arcsin_(vec4 x) {
  vec4 a = abs(x);
  bvec4 far = greaterThan(a, vec4(0.5));
  vec4 r = arcsin_core_(select_(far, sqrt(0.5 * max(1.0 - a, vec4(0.0))), a));
  r = odd_(select_(far, 1.57079637 - 2.0 * r, r), x);
  return select_(lessThanEqual(a, vec4(1.0)), r, vec4(NAN_));
}

vec4 arccos_(vec4 x) {
  vec4 a = abs(x);
  bvec4 far = greaterThan(a, vec4(0.5));
  vec4 r = arcsin_core_(select_(far, sqrt(0.5 * max(1.0 - a, vec4(0.0))), a));
  bvec4 negative = lessThan(x, vec4(0.0));
  vec4 middle = 1.57079637 - (select_(negative, -r, r) + 4.37113883e-8);
  vec4 outer = select_(negative, 3.14159274 - (2.0 * r + 8.74227766e-8), 2.0 * r);
  return select_(lessThanEqual(a, vec4(1.0)), select_(far, outer, middle), vec4(NAN_));
}

// atan(t) for t in [0, 1].
vec4 arctan_core_(vec4 t) {
  bvec4 far = greaterThan(t, vec4(0.414213562));
  vec4 s = select_(far, (t - 1.0) / (t + 1.0), t);
  vec4 z = s * s;
  vec4 p = z * 8.05374449538e-2 - 1.38776856032e-1;
  p = p * z + 1.99777106478e-1;
  p = p * z - 3.33329491539e-1;
  p = p * z * s + s;
  return select_(far, p + 0.785398163, p);
}

vec4 arctan_(vec4 x) {
  vec4 a = abs(x);
  bvec4 far = greaterThan(a, vec4(1.0));
  vec4 r = arctan_core_(select_(far, vec4(1.0) / a, a));
  r = select_(far, 1.57079637 - (r + 4.37113883e-8), r);
  return odd_(r, x);
}

vec4 arctan2_(vec4 y, vec4 x) {
  vec4 a = abs(x);
  vec4 b = abs(y);
  bvec4 steep = greaterThan(b, a);
  vec4 low = select_(steep, a, b);
  vec4 high = select_(steep, b, a);
  vec4 t = low / high;
  t = select_(equal(low, high), vec4(1.0), t);  // both inf
  t = select_(equal(low, vec4(0.0)), vec4(0.0), t);
  vec4 r = arctan_core_(t);
  r = select_(steep, 1.57079637 - (r + 4.37113883e-8), r);
  r = select_(signbit_(x), 3.14159274 - (r + 8.74227766e-8), r);
  r = select_(signbit_(y), -r, r);
  return select_(isnan_(x) + isnan_(y), x + y, r);
}
