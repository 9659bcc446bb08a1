"""M-RoPE: pairs that follow several position axes, by the right map and by others."""
import numpy as np

from dumps import flags, rng
from rotary import POSITIONS, inv_freq, several_axes

T, H, W = 0, 1, 2
SECTIONS = {64: ((8, 12, 12), (12, 10, 10)), 96: ((12, 18, 18), (18, 15, 15)),
            128: ((16, 24, 24), (24, 20, 20))}
PLACES = [POSITIONS, sorted(rng.integers(0, 4000, len(POSITIONS)).tolist()),
          rng.integers(0, 3000, len(POSITIONS)).tolist()]


def sectioned(sections):
    return np.repeat((T, H, W), sections)


def interleaved(sections, pairs):
    axis = np.zeros(pairs, int)
    for a in (H, W):
        axis[a:3 * sections[a]:3] = a
    return axis


def moved(changes):
    """The ids with those of some axes changed."""
    return [changes.get(a, lambda m: m)(np.asarray(ids)) for a, ids in enumerate(PLACES)]


def several(w, d):
    in_a_row, in_turn = SECTIONS[d]
    for base in (10000, 1000000, 5000000):
        theta = inv_freq(d, base)
        rows = flags(d, base, axes="sectioned", mrope_section=",".join(map(str, in_a_row)))
        turns = flags(d, base, axes="interleaved", mrope_section=",".join(map(str, in_turn)))
        first, second = sectioned(in_a_row), interleaved(in_turn, d // 2)

        def write(name, spec, expect, axis):
            w.both(f"{name}-{d}-{base}", spec, expect, *several_axes(theta, axis, PLACES),
                   positions=PLACES)

        write("sound-sectioned", rows, "", first)
        write("sound-interleaved", turns, "", second)
        write("axis-map-interleaved", rows, "axis-map", interleaved(in_a_row, d // 2))
        write("axis-map-sectioned", turns, "axis-map", sectioned(in_turn))
        write("axis-map-time", rows, "axis-map", np.zeros(d // 2, int))
        write("axis-map-cycle", turns, "axis-map", (second + 1) % 3)
        write("axis-map-swapped", rows, "axis-map", np.array((T, W, H))[first])
        write("axis-map-lengths", rows, "axis-map", sectioned((in_a_row[1], in_a_row[0], in_a_row[2])))

        rows_of = np.arange(len(POSITIONS))
        for name, expect, given in (
                ("axis-offset-height", "position-offset", moved({H: lambda m: m + 3})),
                ("axis-offset-all", "position-offset", moved({a: lambda m: m + 1 for a in (T, H, W)})),
                ("axis-clamp-width", "position-collapse", moved({W: lambda m: np.minimum(m, 999)})),
                ("axis-int8-height", "position-wrap", moved({H: lambda m: (m + 128) % 256 - 128})),
                ("axis-wrap-time", "position-wrap", moved({T: lambda m: m % 300})),
                ("axis-scale-width", "position-scale", moved({W: lambda m: m * 2})),
                ("axis-rows-all", "position-source", [rows_of] * 3),
                ("axis-rows-height", "position-source", moved({H: lambda m: rows_of})),
                ("axis-ids-of-time", "axis-map", moved({H: lambda m: np.asarray(PLACES[T])})),
                ("axis-two", "position-offset position-collapse",
                 moved({H: lambda m: m - 1, W: lambda m: np.minimum(m, 999)}))):
            w.both(f"{name}-{d}-{base}", rows, expect, *several_axes(theta, first, given), positions=PLACES)
