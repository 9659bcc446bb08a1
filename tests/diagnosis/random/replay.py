"""Replays a diagnosis on the correct implementation, and compares the dump with the result."""
import re

import numpy as np

from axes_np import behind_images
from fault_kinds import VectorChange
from rope_np import SOUND_K, TABLE_STORAGE, VECTOR_STORAGE, Model, pair_dimensions

NEUTRAL = {"table-precision"}


def number(parameters, key):
    value = parameters.get(key)
    return None if value is None else float(value)


def is_absurd(mistake, p, setup):
    """Whether a parameter is outside the range of plausible mistakes."""
    last = float(setup.positions.max())
    checks = {"offset": lambda x: abs(x) > 4 * max(last, 4096), "rope_theta": lambda x: not 1.5 <= x <= 1e12,
              "factor": lambda x: not 1 / 1024 <= x <= 1024, "scale": lambda x: not 1e-4 <= abs(x) <= 1e4,
              "attention_factor": lambda x: not 1e-2 <= x <= 1e2}
    for key, beyond in checks.items():
        try:
            if key in p and beyond(float(p[key])):
                return True
        except (TypeError, ValueError):
            pass
    return False


def apply_named(model, e, setup, changes=()):
    """False if it cannot be replayed. A mistake with axes changes only the ids of these axes. `changes`: the dump's
    changes of vectors, whose numbers no report contains."""
    count = len(model.maps)
    known = apply_to_all(model, e, setup, changes)
    if setup.spec.axes and "axes" in e["parameters"]:
        axes = [int(a) for a in e["parameters"]["axes"].split(", ")]
        model.maps[count:] = [of_axes(change, axes) for change in model.maps[count:]]
    return known


def of_axes(change, axes):
    def changed(q):
        q = q.copy()
        q[axes] = change(q)[axes]
        return q
    return changed


def rename_axes(model, p, setup):
    """axis-map: another scheme, other sections, or the axis that replaces each axis."""
    scheme, sections = setup.spec.axes
    word, _, numbers = p["map"].partition(" ")
    numbers = tuple(int(n) for n in numbers.replace(",", " ").split())
    if word == "sections":
        model.used.axes = scheme, numbers
    elif word == "order":
        model.axis_order = list(numbers)
    elif word == "axis":
        own = range(len(setup.positions))
        named = [int(a) for a in p["axes"].split(", ")] if "axes" in p else own
        before = own if model.axis_order is None else model.axis_order
        model.axis_order = [numbers[0] if a in named else before[a] for a in own]
    else:
        model.used.axes = word, sections
    return True


RUN = re.compile(r"rows? (\d+)(?:–(\d+))?(?: is| are)? for (?:positions? )?(.*)")
UNKNOWN = re.compile(r"rows? (.*?)(, …)? are for other positions, which the values do not determine")
MOVED = re.compile(r"rows? ([\d, –]+?)(, …)?(?: \(\d+ of \d+\))? (?:is|are) for positions? (\([^()]*\)|[\d.]+) (later|earlier)")
WHOLE = re.compile(r"every row is for position m ([−+]) (\d+)|positions start over from 0 at rows? ([\d, –]+)")


def listed_places(text):
    """The map of q [axis, entry, head, row], or without axes, to the positions of a list of rows, NaN for the rows behind
    a list that was cut short; None if it cannot be read."""
    point = lambda words: np.array([float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", words)])
    parts = [("0", text)] if not text.startswith("batch entry") else re.findall(
        r"batch entry (\d+): (.*?)(?=; batch entry|$)", text)
    runs = lambda words: re.split(r"[,;] (?=rows? \d)", re.split(r" \(other| and \d+ more runs", words)[0])
    rules = lambda words: UNKNOWN.fullmatch(words) or MOVED.fullmatch(words) or WHOLE.fullmatch(words) or all(map(RUN.fullmatch, runs(words)))
    if not parts or not all(rules(words) for _, words in parts):
        return None

    def placed(q, all_entries=not text.startswith("batch entry")):
        q = np.array(q, dtype=np.float64)
        for entry, words in parts:
            own = q if all_entries else q[..., int(entry):int(entry) + 1, :, :]
            if unknown := UNKNOWN.fullmatch(words):
                rows, is_cut = unknown.groups()
                at = listed(rows, q.shape[-1])
                at[np.flatnonzero(at)[-1]:] |= bool(is_cut)
                own[..., at] = np.nan
                continue
            if moved := MOVED.fullmatch(words):
                rows, is_cut, by, way = moved.groups()
                at = listed(rows, q.shape[-1])
                own[..., at] += (1 if way == "later" else -1) * point(by).reshape(-1, *[1] * (q.ndim - 1))
                if is_cut:
                    own[..., np.flatnonzero(at)[-1] + 1:] = np.nan
                continue
            if whole := WHOLE.fullmatch(words):
                sign, shift, starts = whole.groups()
                at = np.arange(q.shape[-1])
                starting = np.where(listed(starts or "0", at.size), at, 0)
                own[:] = at - np.maximum.accumulate(starting) if starts else own + float(shift) * (1 if sign == "+" else -1)
                continue
            for run in runs(words):
                first, last, places = RUN.fullmatch(run).groups()
                places = re.sub(r"^(\(.*?\)|[\d.]+), .*(later|earlier)$", r"\1", places)  # also as a difference
                rows, sign = slice(int(first), int(last or first) + 1), -1 if "earlier" in places else 1
                count = rows.stop - rows.start
                if "later" in places or "earlier" in places:
                    own[..., rows] += sign * point(places).reshape(-1, 1, 1, 1)[..., :] if q.ndim > 3 else sign * point(places)
                    continue
                ends = [point(end) for end in places.split("–")]
                line = np.linspace(ends[0], ends[-1], count).T
                own[..., rows] = line.reshape(-1, 1, 1, count) if q.ndim > 3 else line
            if "more runs" in words:
                own[..., rows.stop:] = np.nan
        return q
    return placed


FIELDS = {  # mistake: the field of the model that it sets
    "direction": ("turn", lambda p, what: "reversed"),
    "cos-sin-swapped": ("turn", lambda p, what: "rotated" if p.get("sign") == "negated" else "swapped"),
    "sign": ("turn", lambda p, what: "opposite" if p.get("negated") == "cos and sin" else "mirrored"),
    "rotate-half-sign": ("signs", lambda p, what: "minus" if "both" in what else "plus"),
    "rotated-in-place": ("written_first", lambda p, what: p["written_first"]),
    "exponent-divisor": ("divisor", lambda p, what: number(p, "divisor")),
    "exponent-start": ("start", lambda p, what: number(p, "first")),
    "frequency-order": ("order", lambda p, what: p["order"]),
    "scaling-doubled": ("double_scaled", lambda p, what: True),
    "scaling-inverted": ("inverse_scaled", lambda p, what: True),
    "head-order": ("head_order", lambda p, what: np.array([int(n) for n in p["heads"].split(",")])),
    "rotated-twice": ("twice", lambda p, what: True),
}
COLLAPSES = {  # parameter of position-collapse: the map of positions
    "position": lambda q, n: 0 * q + n, "last": np.minimum, "first": np.maximum,
    "divisor": lambda q, n: np.floor(q / n), "run": lambda q, n: np.floor(q / n) * n}


def apply_to_all(model, e, setup, changes):
    m, p, what = e["mistake"], e["parameters"], e.get("what", "")
    short = {"half_split": "half", "interleaved": "interleaved"}
    if m == "pair-layout":
        if "layout" in p:
            model.pairing = model.table_layout = short[p["layout"]]
            return True
        if "pairs" in p:
            model.pairing, model.table_layout = short[p["pairs"]], short[p["table"]]
            return True
        return False
    if m in FIELDS:
        name, value = FIELDS[m]
        setattr(model, name, value(p, what))
    elif m == "base":
        if "from" in p:
            return False
        model.used.base = number(p, "rope_theta")
    elif m in ("dimension-scale", "hadamard"):  # the weights are not in the report
        own = [f for f in changes if f.kind == ("hadamard" if m == "hadamard" else "dimension-weights")]
        for fault in own:
            fault.apply(model)
        return bool(own)
    elif m == "attention-factor" and "cos" in p:
        model.factors = number(p, "cos") / setup.amplitude, number(p, "sin") / setup.amplitude
    elif m == "scaling-missing":
        model.used.rope_type = "default"
    elif m == "scaling-type":
        if "rope_type" not in p or p["rope_type"] == "he_xu":
            return False
        model.used.rope_type = p["rope_type"]
        L0 = p.get("original_max_position_embeddings",
                   setup.spec.params.get("original_max_position", setup.spec.max_position))
        model.used.params = {"factor": number(p, "factor"), "original_max_position": L0,
                             "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    elif m == "scaling-parameter":
        if "from" in p or "ramp" in p or p.get("factors") == "unknown":
            return False
        for key, value in p.items():
            key = key.replace("_embeddings", "")
            if key == "factors":
                model.used.seq_len = 10 ** 7 if value == "long_factor" else None
            elif key == "seq_len":
                model.used.seq_len = int(value)
            elif key == "max_position":
                return False
            elif key == "bounds":
                model.used.params["base_of_bounds"] = float(value.rpartition(" ")[2])
            else:
                model.used.params[key] = value if key == "truncate" else float(value)
    elif m == "attention-factor":
        model.amplitude = number(p, "attention_factor")
    elif m == "rotary-dim":
        if "partial_rotary_factor" in p:
            model.still_pairs = int(number(p, "partial_rotary_factor") * model.used.pairs)
        else:
            model.used.rotary_dim = int(p["rotary_dim"])
            model.place = p.get("dimensions", "prefix")
    elif m == "position-offset":
        k, start = number(p, "offset"), number(p, "from")
        model.maps.append(lambda q: q + k if start is None else np.where(q >= start, q + k, q))
    elif m == "position-scale":
        k, b = number(p, "scale"), number(p, "offset") or 0
        if setup.subject == "inv_freq":
            model.frequency_scale *= k
        model.maps.append(lambda q: k * q + b)
    elif m == "position-collapse":
        key = next(filter(p.__contains__, COLLAPSES), None)
        if key is None:
            return False
        model.maps.append(lambda q: COLLAPSES[key](q, number(p, key)))
    elif m == "position-wrap":
        n = number(p, "period")
        model.maps.append((lambda q: np.fmod(q + n / 2, n) - n / 2) if p.get("type") else (lambda q: np.fmod(q, n)))
    elif m == "position-source":
        axis = {"head number": -2, "batch number": -3, "row number": -1}
        if "source" not in p:
            places = listed_places(p.get("rows", ""))
            if places is None:
                return False
            model.maps.append(places)
        elif p["source"] == "reversed":
            model.maps.append(lambda q: q[..., ::-1])
        elif p["source"] == "sequence 0":
            model.maps.append(lambda q: np.broadcast_to(setup.positions[..., :1, None, :], q.shape))
        elif p["source"] == "other entries":
            of = np.arange(setup.positions.shape[-2])
            numbers = [[int(n) for n in p[key].split(", ")] for key in ("entries", "positions_of")]
            of[numbers[0]] = numbers[1]
            model.maps.append(lambda q: q[..., of, :, :])
        elif p["source"] == "image alone":
            images, starts = setup.images
            model.maps.append(lambda q: q - np.where(images, starts, 0)[:, None])
        elif "rows" in p:
            behind = behind_images(setup) if p["rows"] == "behind images" else ~setup.images[0]
            model.maps.append(lambda q: np.where(behind[:, None], np.arange(q.shape[-1]), q))
        elif p["source"] in axis:
            model.maps.append(lambda q: np.moveaxis(np.broadcast_to(np.arange(
                q.shape[axis[p["source"]]], dtype=np.float64), np.moveaxis(q, axis[p["source"]], -1).shape),
                -1, axis[p["source"]]))
        else:
            return False
    elif m == "axis-map":
        return bool(setup.spec.axes) and rename_axes(model, p, setup)
    elif m == "rows-swapped":
        a, b = [int(n) for n in p["rows"].split()]
        order = np.arange(setup.positions.shape[-1])
        order[[a, b]] = b, a
        model.maps.append(lambda q: q[..., order])
    elif m == "inv-freq-entry":
        model.entries.append((int(p["pair"]), number(p, "inv_freq")))
    elif m in ("angle-precision", "position-precision", "inv-freq-precision"):
        fmt = p.get("format")
        if fmt not in ("bfloat16", "float16"):
            return False
        words = what.split(" rounded")[0].replace("position·inv_freq", "product")
        for where, word in (("inv", "inv_freq"), ("pos", "positions"), ("prod", "product")):
            if word in words:
                model.rounding[where] = fmt
    elif m == "not-rotated" and "from" in p:
        model.maps.append(lambda q: np.where(q >= number(p, "from"), 0, q))
    elif m == "not-rotated":
        model.still[:] = True
    elif m in NEUTRAL:
        step = re.fullmatch(r"whole multiples of 1/(\d+)", str(p.get("format", "")))
        model.slack = 1 / int(step[1]) if step else 0
    else:
        return False
    return True


def listed(text, count):
    """The mask of a list such as '0, 2–3'."""
    mask = np.zeros(count, bool)
    for part in str(text).split(", "):
        ends = [int(n) for n in part.split("–")]
        mask[ends[0]:ends[-1] + 1] = True
    return mask


def part_of(e, setup, heads):
    """The mask [batch entries, heads] of the part that an explanation names."""
    p, mask = e["parameters"], np.ones((setup.positions.shape[-2], heads), bool)
    if e["mistake"] != "head-order" and "heads" in p:
        mask &= listed(p["heads"], heads)[None, :]
    if "batch" in p:
        mask &= listed(p["batch"], setup.positions.shape[-2])[:, None]
    return mask


def fits(subject, explanations, of_named_parts=False):
    """Whether fits_all holds for each part of the dump and the mistakes named for it, or only for the named parts."""
    parts = [part_of(e, subject.setup, subject.heads) for e in explanations]
    codes = sum((mask.astype(int) << k for k, mask in enumerate(parts)), 0 * parts[0].astype(int))
    results = []
    for code in np.unique(codes):
        own = [e for k, e in enumerate(explanations) if code >> k & 1]
        if of_named_parts and not own:
            continue
        results.append(fits_all(subject, own, codes == code))
    return None if None in results else all(results)


def fits_all(subject, explanations, mask):
    """Whether the named mistakes together give every value; None if they cannot be replayed. If a
    scaling is named, the attention_factor may follow it or the config."""
    if fits_with(subject, explanations, None, mask):
        return True
    names = {e["mistake"] for e in explanations}
    if "attention-factor" in names or not any(n.startswith("scaling") for n in names):
        return fits_with(subject, explanations, None, mask)
    return fits_with(subject, explanations, subject.setup.amplitude, mask)


def in_order(explanations):
    """The order of application: the number of rotating dimensions and offsets before a wrap, other sources of positions,
    the wrap, all other mistakes, and factors of angles."""
    def place(e):
        p, known = e["parameters"], {"position-source": 1, "position-wrap": 2, "position-scale": 4}
        is_first = p.get("applied", "").startswith("before") or "rotary_dim" in p
        return 0 if is_first else known.get(e["mistake"], 3)
    return sorted(explanations, key=place)


def difference(want, got):
    """want - got, and 0 if both are not finite."""
    return np.where(~np.isfinite(want) & ~np.isfinite(got), 0, want - got)


def fits_with(subject, explanations, amplitude, mask):
    setup = subject.setup
    model = Model(setup.spec, setup.positions, subject.heads, "pow64", setup.fmt, False)
    model.amplitude = amplitude
    try:
        for e in in_order(explanations):
            if not apply_named(model, e, setup, [f for f in subject.faults if isinstance(f, VectorChange)]):
                return None
        rounds = any(model.rounding.values())
        if subject.name == "inv_freq":
            theta = model.theta()[0]
            if any(e["mistake"] == "attention-factor" for e in explanations):
                return False  # inv_freq does not contain the amplitude
            return theta.shape == subject.got.shape and bool(
                np.all(np.abs(difference(theta, subject.got)) <= 300 * 2.0 ** -24 * np.abs(theta) + 1e-30))
        theta, a = model.theta()
        drift = SOUND_K * 2.0 ** -24 * np.abs(model.pair_places(model.places()) * theta)
        drift = np.nan_to_num(np.minimum(2.0, drift), nan=0) * a
        scale = a if a == 1 else 2 * a
        with np.errstate(invalid="ignore", over="ignore"):
            if subject.x is None:
                want = model.table(exact=not rounds)
                if want[0].shape != subject.got[0].shape:
                    return False
                off = np.hypot(difference(want[0], subject.got[0]), difference(want[1], subject.got[1]))
                ratio = (off / (drift[:, 0] + TABLE_STORAGE[setup.fmt] * scale + model.slack))[mask[:, 0]]
            else:
                want = model.rotate(subject.x, exact=not rounds)
                before = subject.x if model.head_order is None else subject.x[:, model.head_order]
                changed = bool(model.before or model.after)
                for change in model.before + model.after:
                    before = np.maximum(np.abs(before), np.abs(change(before)))
                still = np.all((want == subject.x)[mask], axis=(0, 1))  # dimensions that do not rotate
                if still.any() and not np.array_equal(subject.got[mask][..., still], subject.x[mask][..., still]):
                    return False
                first, second = pair_dimensions(model.used)
                if model.place != "prefix" or model.used.rotary_dim != setup.spec.rotary_dim \
                        or model.pairing != setup.spec.layout:
                    norm = np.linalg.norm(before, axis=-1, keepdims=True) / np.sqrt(setup.spec.head_dim)
                    off = np.abs(difference(want, subject.got))
                    ratio = off / (3 * norm * (drift.max(-1, keepdims=True) + VECTOR_STORAGE[setup.fmt] * scale) + 1e-30)
                else:
                    apart = difference(want, subject.got)
                    off = np.hypot(apart[..., first], apart[..., second])
                    norm = np.hypot(before[..., first], before[..., second])
                    ratio = off / ((drift + VECTOR_STORAGE[setup.fmt] * scale) * np.maximum(
                        norm, 6.2e-5 if setup.fmt == "float16" else 1e-30))
                ratio = ratio[mask] / (16 if changed else 1)
        unlisted = np.isnan(model.places()).reshape(-1, *mask.shape, setup.positions.shape[-1]).any(0)
        ratio[(unlisted[:, 0] if subject.x is None else unlisted)[mask[:, 0] if subject.x is None else mask]] = 0
        ratio = np.where(np.isnan(ratio), np.inf, ratio)
        return bool(np.mean(ratio <= 1.2) >= (0.99 if rounds else 1.0))
    except (KeyError, ValueError, OverflowError, ZeroDivisionError, IndexError):
        return None
