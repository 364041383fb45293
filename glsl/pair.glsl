// pair_x_(a, b): two fragments of a quad, side by side, exchange values: the left one gets the sum
// of both a, the right one the sum of both b. pair_y_(a, b): the same for two fragments above each
// other, where the lower one gets the sum of both a. neighbour_x_(a), neighbour_y_(a): the other
// one's a. A derivative is the difference of the two fragments; it is exact here, because one of the
// two contributes 0.
#if __VERSION__ >= 300
vec4 pair_x_(vec4 a, vec4 b) {
  bool right = (int(gl_FragCoord.x) & 1) == 1;
  vec4 from_right = dFdx(right ? a : vec4(0.0));
  vec4 from_left = dFdx(right ? vec4(0.0) : b);
  return right ? b - from_left : a + from_right;
}

vec4 pair_y_(vec4 a, vec4 b) {
  bool upper = (int(gl_FragCoord.y) & 1) == 1;
  vec4 from_upper = dFdy(upper ? a : vec4(0.0));
  vec4 from_lower = dFdy(upper ? vec4(0.0) : b);
  return upper ? b - from_lower : a + from_upper;
}

vec4 neighbour_x_(vec4 a) {
  bool right = (int(gl_FragCoord.x) & 1) == 1;
  vec4 from_right = dFdx(right ? a : vec4(0.0));
  vec4 from_left = -dFdx(right ? vec4(0.0) : a);
  return right ? from_left : from_right;
}

vec4 neighbour_y_(vec4 a) {
  bool upper = (int(gl_FragCoord.y) & 1) == 1;
  vec4 from_upper = dFdy(upper ? a : vec4(0.0));
  vec4 from_lower = -dFdy(upper ? vec4(0.0) : a);
  return upper ? from_lower : from_upper;
}
#endif
