// Covers the viewport. v_at: from 0 to 1 across it.
out vec2 v_at;
void main() {
  v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(v_at * 2.0 - 1.0, 0.0, 1.0);
}
