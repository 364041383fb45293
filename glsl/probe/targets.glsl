// Writes u_value times 1, 2, 3 ... into the first TARGETS targets.
precision highp float;
uniform vec4 u_value;
layout(location = 0) out vec4 o0;
#if TARGETS > 1
layout(location = 1) out vec4 o1;
#endif
#if TARGETS > 2
layout(location = 2) out vec4 o2;
#endif
#if TARGETS > 3
layout(location = 3) out vec4 o3;
#endif
#if TARGETS > 4
layout(location = 4) out vec4 o4;
#endif
#if TARGETS > 5
layout(location = 5) out vec4 o5;
#endif
#if TARGETS > 6
layout(location = 6) out vec4 o6;
#endif
#if TARGETS > 7
layout(location = 7) out vec4 o7;
#endif

void main() {
  o0 = u_value;
#if TARGETS > 1
  o1 = u_value * 2.0;
#endif
#if TARGETS > 2
  o2 = u_value * 3.0;
#endif
#if TARGETS > 3
  o3 = u_value * 4.0;
#endif
#if TARGETS > 4
  o4 = u_value * 5.0;
#endif
#if TARGETS > 5
  o5 = u_value * 6.0;
#endif
#if TARGETS > 6
  o6 = u_value * 7.0;
#endif
#if TARGETS > 7
  o7 = u_value * 8.0;
#endif
}
