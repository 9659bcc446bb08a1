"""Faults of positions on several axes, as in fault_kinds.py: on one axis, on some or on all."""
import numpy as np

from axes_np import axis_count, behind_images
from fault_kinds import Fault, moving, near, setting, using


def of_axes(p, count):
    """The axes in the parameters of a name, otherwise all axes."""
    return set(range(count)) if "axes" not in p else {int(a) for a in p["axes"].split(", ")}


def some_axes(rng, setup):
    # without ggml's fourth axis
    used = [a for a in range(min(3, axis_count(setup.spec.axes))) if np.any(setup.axis_of_pairs == a)]
    if rng.random() < 0.25:
        return used
    return sorted(rng.choice(used, 1 if rng.random() < 0.75 else min(2, len(used)), replace=False).tolist())


def on_axes(rng, setup, kind, change, accept, detail):
    axes = some_axes(rng, setup)

    def apply(model):
        def changed(p):
            p = p.copy()
            p[axes] = change(p[axes])
            return p
        model.maps.append(changed)
    return Fault(kind, "position", apply,
                 lambda m, p, w: accept(m, p) and of_axes(p, len(setup.positions)) >= set(axes),
                 f"{detail} on {axes}")


def axis_offset(rng, setup):
    k = int(rng.choice([1, -1, 2, 3, -3, 7, 16, 100]))
    return on_axes(rng, setup, "axis-offset", lambda p: p + k,
                   lambda m, p: m == "position-offset" and near(p.get("offset"), k, 1e-6) and "from" not in p, f"{k:+d}")


def axis_clamp(rng, setup):
    last = int(rng.integers(1, max(2, setup.positions.max())))
    return on_axes(rng, setup, "axis-clamp", lambda p: np.minimum(p, last),
                   lambda m, p: m == "position-collapse" and near(p.get("last"), last, 1e-6), f"{last}")


def axis_wrap(rng, setup):
    n = int(rng.integers(4, max(5, setup.positions.max())))
    return on_axes(rng, setup, "axis-wrap", lambda p: np.fmod(p, n),
                   lambda m, p: m == "position-wrap" and near(p.get("period"), n, 1e-6) and "type" not in p, f"{n}")


def axis_int8(rng, setup):
    n = 256 if rng.random() < 0.8 else 65536
    return on_axes(rng, setup, "axis-int-wrap", lambda p: np.fmod(p + n / 2, n) - n / 2,
                   lambda m, p: m == "position-wrap" and near(p.get("period"), n, 1e-6) and "type" in p, f"{n}")


def axis_scale(rng, setup):
    scale = float(rng.choice([2, 0.5, 0.25, 4, 14, 1 / 14]))
    return on_axes(rng, setup, "axis-scale", lambda p: p * scale,
                   lambda m, p: m == "position-scale" and near(p.get("scale"), scale, 1e-2), f"{scale:.4g}")


def axis_constant(rng, setup):
    place = int(rng.choice([0, 0, 1, 5]))
    return on_axes(rng, setup, "axis-constant", lambda p: 0 * p + place,
                   lambda m, p: m in ("position-collapse", "not-rotated") and near(p.get("position", 0), place, 1e-6), f"{place}")


def axis_rows(rng, setup):
    return on_axes(rng, setup, "axis-rows-for-ids", lambda p: 0 * p + np.arange(p.shape[-1]),
                   lambda m, p: m == "position-source" and p.get("source") == "row number" and "rows" not in p, "arange")


def all_rows(rng, setup):
    return Fault("every-axis-arange", "position", moving(lambda p: 0 * p + np.arange(p.shape[-1])),
                 lambda m, p, w: m == "position-source" and p.get("source") == "row number" and
                 not {"axes", "rows"} & set(p), setup.placing)


def text_rows(rng, setup):
    """rope_deltas are ignored: the positions of text after the last image are row numbers."""
    behind = behind_images(setup)
    if not behind.any():
        return None
    return Fault("text-by-row-number", "position", moving(lambda p: np.where(behind[:, None], np.arange(p.shape[-1]), p)),
                 lambda m, p, w: m == "position-source" and p.get("source") == "row number" and "rows" in p)


def image_alone(rng, setup):
    images, starts = setup.images
    if not images.any():
        return None
    return on_axes(rng, setup, "image-without-text", lambda p: p - np.where(images, starts, 0)[:, None],
                   lambda m, p: m == "position-source" and "image" in p.get("source", ""), "")


def axes_exchanged(rng, setup):
    order = np.arange(axis_count(setup.spec.axes))
    a, b = rng.choice(order, 2, replace=False)
    order[[a, b]] = b, a
    return Fault("axes-exchanged", "axes", setting(axis_order=order),
                 lambda m, p, w: m == "axis-map" and p.get("map", "").startswith("order")
                 and p["map"].split(" ", 1)[1].replace(",", "").split() == [str(n) for n in order], f"{order}")


def one_axis_for_all(rng, setup):
    count = axis_count(setup.spec.axes)
    a = 0 if rng.random() < 0.6 else int(rng.integers(count))
    return Fault("one-axis-for-all", "axes", setting(axis_order=np.full(count, a)),
                 lambda m, p, w: m == "axis-map" and p.get("map") == f"axis {a}", f"{a}")


def other_axis(rng, setup):
    """One axis has the ids of another axis."""
    order = np.arange(axis_count(setup.spec.axes))
    a, b = rng.choice(order, 2, replace=False)
    order[a] = b
    return Fault("ids-of-another-axis", "axes", setting(axis_order=order), lambda m, p, w: m == "axis-map" and
                 of_axes(p, len(order)) == {a} and p.get("map") == f"axis {b}", f"{b} for {a}")


def sections_order(rng, setup):
    scheme, sections = setup.spec.axes
    if scheme not in ("sectioned", "interleaved"):
        return None
    other = tuple(int(n) for n in rng.permutation(sections))
    return Fault("sections-order", "axes", using(axes=(scheme, other)),
                 lambda m, p, w: m == "axis-map" and "section" in p.get("map", ""), f"{other}")


def other_scheme(rng, setup):
    scheme, sections = setup.spec.axes
    other = {"sectioned": "interleaved", "interleaved": "sectioned"}.get(scheme)
    if not other:
        return None
    return Fault("interleaved-for-sectioned", "axes", using(axes=(other, sections)),
                 lambda m, p, w: m == "axis-map" and p.get("map") == other, other)


def axes_of_batch0(rng, setup):
    if setup.positions.shape[1] < 2:
        return None
    return Fault("axes-of-sequence-0", "position", moving(lambda p: np.broadcast_to(p[:, :1], p.shape)),
                 lambda m, p, w: m == "position-source" and p.get("source") == "sequence 0")


def entries_exchanged(rng, setup):
    count = setup.positions.shape[1]
    if count < 2:
        return None
    return Fault("entries-exchanged", "position", moving(lambda p: np.roll(p, 1, axis=1)),
                 lambda m, p, w: m == "position-source" and p.get("source") == "other entries")


KINDS = [axis_offset, axis_clamp, axis_wrap, axis_int8, axis_scale, axis_constant, axis_rows, all_rows, text_rows,
         image_alone, axes_exchanged, one_axis_for_all, other_axis, sections_order, other_scheme, axes_of_batch0,
         entries_exchanged]
