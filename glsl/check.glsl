// guard_(kernel, input, index, size): notes an index outside of [0, size).
// trip_(): counts a trip of a loop; true.
// checked_(): (kernel, input, index, size) of the first index out of range, or (0, kernel of the
// last loop, trips, 0).
vec4 check_ = vec4(0.0);
float kernel_ = 0.0;
float looped_ = 0.0;
float trips_ = 0.0;

void guard_(float kernel, float input_, float index, float size) {
  if (check_.x == 0.0 && (index < 0.0 || index >= size)) {
    check_ = vec4(kernel, input_, index, size);
  }
}

bool trip_() {
  trips_ += 1.0;
  looped_ = kernel_;
  return true;
}

vec4 checked_() {
  return check_.x == 0.0 ? vec4(0.0, looped_, trips_, 0.0) : check_;
}
