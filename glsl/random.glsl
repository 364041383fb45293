// random_bits_(counter, key): 32 well mixed bits, a pure function of both. Two rounds of the PCG
// hash (Jarzynski and Olano, Hash Functions for GPU Rendering, 2020); ES 3.00 only.
#if __VERSION__ >= 300
uvec4 pcg_(uvec4 x) {
  uvec4 s = x * 747796405u + 2891336453u;
  uvec4 w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
  return (w >> 22u) ^ w;
}

uvec4 random_bits_(uvec4 counter, uvec4 key) {
  return pcg_(pcg_(counter + key) ^ (key * 2654435769u));
}
#endif
