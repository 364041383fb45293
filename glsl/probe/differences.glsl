// The lanes hold derivatives with the fragment's neighbours in a 2 x 2 quad: right, left, above and
// below. u_value: a number that shows a loss of precision.
precision highp float;
uniform float u_value;
in vec2 v_at;
out vec4 o;
void main() {
  ivec2 at = ivec2(v_at * 4.0);
  float own = u_value * float(1 + at.x + 4 * at.y);
  bool right = (at.x & 1) == 1, upper = (at.y & 1) == 1;
  o = vec4(dFdx(right ? own : 0.0), dFdx(right ? 0.0 : own),
           dFdy(upper ? own : 0.0), dFdy(upper ? 0.0 : own));
}
