// pair_x_(a, b): two neighbouring fragments of a quad exchange values. The left one gets the sum of
// both a, the right one the sum of both b. pair_y_(a, b): the same vertically; the lower one gets
// the sum of both a. neighbour_x_(a), neighbour_y_(a): the neighbour's a. A derivative is the
// difference of the two fragments; it is exact here, since one of the two contributes 0.
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
