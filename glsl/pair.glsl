// pair_x_(a, b): what two fragments side by side have in a added in the left one, what they have in b
// in the right one. pair_y_: the same of two fragments above each other, a in the lower one. The
// fragments are those of one quad; a derivative is their difference, exact because one side of it
// is 0.
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
#endif
