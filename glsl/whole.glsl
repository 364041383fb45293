// whole_(x): x without its fraction, as an integer that is a float; 0 if x is inf or NaN.
#if __VERSION__ < 300
vec4 whole_(vec4 x) {
  return select_(isfinite_(x), trunc_(x), vec4(0.0));
}
#endif
