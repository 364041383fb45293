// threefry_: Threefry-2x32 with 20 rounds (Salmon et al., SC 2011). Each 32-bit word is a pair of
// integers: 256 * first + second, modulo 2^32. The key is k0 ... k3, the counter c0 ... c3, the
// result x0 ... x3; m0, m1 is the exclusive or of the result's words. In results the second is the
// lower 8 bits; in operands it may be any integer.
// halves_: sets h and l to the upper and lower 16 bits of a word.
#if __VERSION__ >= 300
uvec4 word_(ivec4 upper, ivec4 rest) {
  return uvec4(upper) * 256u + uvec4(rest);
}

void halves_(ivec4 upper, ivec4 rest, out ivec4 h, out ivec4 l) {
  uvec4 word = word_(upper, rest);
  h = ivec4(word >> 16u);
  l = ivec4(word & 65535u);
}

// Four rounds that rotate by r, then the next words of the key.
void threefry_group_(inout uvec4 x, inout uvec4 y, uvec4 r, uvec4 first, uvec4 second) {
  x += y;
  y = (y << r.x | y >> (32u - r.x)) ^ x;
  x += y;
  y = (y << r.y | y >> (32u - r.y)) ^ x;
  x += y;
  y = (y << r.z | y >> (32u - r.z)) ^ x;
  x += y;
  y = (y << r.w | y >> (32u - r.w)) ^ x;
  x += first;
  y += second;
}

void threefry_(ivec4 k0, ivec4 k1, ivec4 k2, ivec4 k3, ivec4 c0, ivec4 c1, ivec4 c2, ivec4 c3,
               out ivec4 m0, out ivec4 m1, out ivec4 x0, out ivec4 x1, out ivec4 x2,
               out ivec4 x3) {
  const uvec4 even = uvec4(13u, 15u, 26u, 6u);
  const uvec4 odd = uvec4(17u, 29u, 16u, 24u);
  uvec4 a = word_(k0, k1);
  uvec4 b = word_(k2, k3);
  uvec4 c = a ^ b ^ 466688986u;
  uvec4 x = word_(c0, c1) + a;
  uvec4 y = word_(c2, c3) + b;
  threefry_group_(x, y, even, b, c + 1u);
  threefry_group_(x, y, odd, c, a + 2u);
  threefry_group_(x, y, even, a, b + 3u);
  threefry_group_(x, y, odd, b, c + 4u);
  threefry_group_(x, y, even, c, a + 5u);
  m0 = ivec4((x ^ y) >> 8u);
  m1 = ivec4((x ^ y) & 255u);
  x0 = ivec4(x >> 8u);
  x1 = ivec4(x & 255u);
  x2 = ivec4(y >> 8u);
  x3 = ivec4(y & 255u);
}
#else
// Here a word is its upper and lower 16 bits, h and l, as floats. No intermediate value reaches
// 2^24, so sums are exact in any order.
void add_word_(inout vec4 h, inout vec4 l, vec4 other_h, vec4 other_l) {
  l += other_l;
  vec4 carry = step(65536.0, l);
  l -= 65536.0 * carry;
  h += other_h + carry;
  h -= 65536.0 * step(65536.0, h);
}

// The exclusive or of one bit of a and b, the one with the value `unit`.
vec4 xor_bit_(vec4 a, vec4 b, float unit) {
  return fract((floor(a / unit) + floor(b / unit)) * 0.5) * (2.0 * unit);
}

vec4 xor_four_(vec4 a, vec4 b, float unit) {
  return xor_bit_(a, b, unit) + xor_bit_(a, b, 2.0 * unit) + xor_bit_(a, b, 4.0 * unit) +
         xor_bit_(a, b, 8.0 * unit);
}

vec4 xor_half_(vec4 a, vec4 b) {
  return xor_four_(a, b, 1.0) + xor_four_(a, b, 16.0) + xor_four_(a, b, 256.0) +
         xor_four_(a, b, 4096.0);
}

// Rotates to the left by r < 16 bits; `power` is 2^r. If it is -2^r, by 16 bits more.
void rotate_word_(inout vec4 h, inout vec4 l, float power) {
  float upper = abs(power) / 65536.0;
  vec4 over_h = floor(h * upper);
  vec4 over_l = floor(l * upper);
  vec4 turned_h = (h - over_h / upper) * abs(power) + over_l;
  vec4 turned_l = (l - over_l / upper) * abs(power) + over_h;
  h = power < 0.0 ? turned_l : turned_h;
  l = power < 0.0 ? turned_h : turned_l;
}

void halves_(vec4 upper, vec4 rest, out vec4 h, out vec4 l) {
  h = floor(upper / 256.0);
  l = (upper - h * 256.0) * 256.0;
  vec4 above = floor(rest / 65536.0);
  add_word_(h, l, mod(above, 65536.0), rest - above * 65536.0);
}

void pieces_(vec4 h, vec4 l, out vec4 upper, out vec4 rest) {
  vec4 middle = floor(l / 256.0);
  upper = h * 256.0 + middle;
  rest = l - middle * 256.0;
}

// llvmpipe counts 32 trips, including those that only find the end of a loop.
void threefry_(vec4 k0, vec4 k1, vec4 k2, vec4 k3, vec4 c0, vec4 c1, vec4 c2, vec4 c3,
               out vec4 m0, out vec4 m1, out vec4 x0, out vec4 x1, out vec4 x2, out vec4 x3) {
  vec4 ah, al, bh, bl, xh, xl, yh, yl;
  halves_(k0, k1, ah, al);
  halves_(k2, k3, bh, bl);
  halves_(c0, c1, xh, xl);
  halves_(c2, c3, yh, yl);
  vec4 ch = xor_half_(xor_half_(ah, bh), vec4(7121.0));
  vec4 cl = xor_half_(xor_half_(al, bl), vec4(7130.0));
  vec4 powers = vec4(8192.0, 32768.0, -1024.0, 64.0);
  vec4 others = vec4(-2.0, -8192.0, -1.0, -256.0);
  add_word_(xh, xl, ah, al);
  add_word_(yh, yl, bh, bl);
  for (int group = 1; group <= 5; ++group) {
    for (int turn = 0; turn < 4; ++turn) {
      add_word_(xh, xl, yh, yl);
      rotate_word_(yh, yl, powers.x);
      yh = xor_half_(yh, xh);
      yl = xor_half_(yl, xl);
      powers = powers.yzwx;
    }
    add_word_(xh, xl, bh, bl);
    add_word_(yh, yl, ch, cl);
    add_word_(yh, yl, vec4(0.0), vec4(float(group)));
    vec4 h = ah;
    vec4 l = al;
    ah = bh;
    al = bl;
    bh = ch;
    bl = cl;
    ch = h;
    cl = l;
    vec4 now = powers;
    powers = others;
    others = now;
  }
  pieces_(xor_half_(xh, yh), xor_half_(xl, yl), m0, m1);
  pieces_(xh, xl, x0, x1);
  pieces_(yh, yl, x2, x3);
}
#endif
