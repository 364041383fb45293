# Writes cases.json: random arrays and NumPy's text of each. README.md in the folder above says what
# the fields mean. Run it in its own folder with NumPy 1.24.2.
import json

import numpy as np

CASES = 5000
random = np.random.default_rng(20)

SHAPES = [(), (1,), (2,), (3,), (4,), (6,), (9,), (1, 3), (2, 2), (3, 2), (2, 1, 2), (1, 2, 2)]
EMPTY = [(0,), (0, 3), (2, 0), (2, 3, 0)]
LARGE = [(1001,), (40, 40), (1, 1003), (2, 600), (11, 10, 10), (501, 2)]


def floats(dtype, count):
    info = np.finfo(dtype)
    kind = random.integers(7)
    if kind == 0:  # any bits: all magnitudes, denormals, NaN and infinities
        bits = random.integers(0, 1 << info.bits, count, np.uint64)
        return bits.astype(f"u{info.bits // 8}").view(dtype)
    if kind == 1:  # near each other
        return (random.standard_normal(count) * 10.0 ** random.integers(-6, 5)).astype(dtype)
    if kind == 2:  # short decimals
        return (random.integers(-2000, 2000, count) / 10.0 ** random.integers(0, 6)).astype(dtype)
    if kind == 3:  # within a thousandfold, or about that
        return (10.0 ** random.uniform(-1.6, 1.6, count) * 10.0 ** random.integers(-5, 5)).astype(dtype)
    if kind == 4:  # powers of two, below which numbers are twice as close
        return (2.0 ** random.integers(info.minexp - info.nmant, info.maxexp, count)).astype(dtype)
    if kind == 5:  # whole numbers
        return random.integers(-(1 << random.integers(1, 26)), 1 << 26, count).astype(dtype)
    return random.uniform(-1, 1, count).astype(dtype)


def mixed(x):
    if random.random() < 0.15:
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], x.dtype)
        places = random.random(x.shape) < 0.3
        x[places] = random.choice(special, x.shape)[places]
    return x


def values(dtype, count):
    if dtype in ("float32", "float16"):
        with np.errstate(over="ignore"):
            return mixed(floats(np.dtype(dtype), count))
    if dtype == "bool":
        return random.random(count) < 0.5
    info = np.iinfo(dtype)
    high = min(10 ** random.integers(1, 11), info.max)
    return random.integers(max(-high, info.min), high, count, dtype, endpoint=True)


# What prints: all, or the first and last three elements along each axis of more than six.
def shown(x):
    if x.size <= 1000:
        return x
    for axis, size in enumerate(x.shape):
        if size > 6:
            x = np.take(x, [0, 1, 2, size - 3, size - 2, size - 1], axis)
    return x


def options(signs):
    if random.random() < 0.6:
        return {}
    chosen = {"precision": int(random.integers(0, 10))}
    if random.random() < 0.3:
        chosen["suppress"] = True
    if random.random() < 0.5:
        chosen["floatmode"] = str(random.choice(["fixed", "unique", "maxprec_equal"]))
    if signs and random.random() < 0.3:
        chosen["sign"] = str(random.choice(["+", " "]))
    if random.random() < 0.2:
        chosen["linewidth"] = int(random.integers(10, 75))
    return chosen


def case():
    dtype = str(random.choice(
        ["float32", "float16", "int32", "uint32", "uint8", "bool"], p=[0.6, 0.2, 0.08, 0.04, 0.04, 0.04]))
    chance = random.random()
    shapes = EMPTY if chance < 0.01 else LARGE if chance < 0.04 else SHAPES
    shape = shapes[random.integers(len(shapes))]
    x = values(dtype, int(np.prod(shape))).reshape(shape)
    is_float = dtype.startswith("float")
    if is_float and np.any(np.abs(x) == np.float32(0.0001)):
        return case()  # NumPy 1 takes it for less than 0.0001, NumPy 2 does not
    chosen = options(signs=is_float) if shape else {}  # NumPy 1 has no signs of integers
    with np.printoptions(**chosen):
        text = str(x)
    bits = x.dtype.newbyteorder(">")
    made = {"dtype": dtype, "shape": shape, "bits": shown(x).astype(bits).tobytes().hex(), "text": text}
    return {**made, "options": chosen} if chosen else made


with open("cases.json", "w") as file:
    cases = [json.dumps(case(), separators=(",", ":")) for _ in range(CASES)]
    file.write("[\n" + ",\n".join(cases) + "\n]\n")
