"""Whether the facts reported for a dump without a diagnosis are true of the whole dump."""
import re

import numpy as np

from faults import FAULTY_FROM, SOUND_BELOW, model_of
from rope_np import pair_dimensions, table_ratios, vector_ratios


def pair_list(text, pairs):
    named = set()
    for part in re.findall(r"\d+(?:–\d+)?", text):
        ends = [int(n) for n in part.split("–")]
        named |= set(range(ends[0], ends[-1] + 1))
    return {i for i in named if i < pairs}


def heads_described(facts, heads):
    """The heads that the facts after "…: not explained; there:" describe."""
    for fact in facts:
        if match := re.match(r"heads? ([\d–, ]+) of \d+: not explained; there:", fact):
            return sorted(pair_list(match[1], heads))
    return list(range(heads))


def pair_errors(subject, facts=()):
    """The largest error of each pair of the config, relative to its tolerance; None if rotary_dim differs."""
    if subject.name == "inv_freq":
        return None
    right = subject.right()
    if subject.x is None:
        if subject.got[0].shape != right[0].shape:
            return None
        ratios = table_ratios(subject.truth, subject.got, right, subject.setup.fmt)
    else:
        ratios = vector_ratios(subject.truth, subject.x, subject.got, right, subject.setup.fmt)
        ratios = ratios[:, heads_described(facts, ratios.shape[1])]
    return ratios.reshape(-1, ratios.shape[-1]).max(0)


def pair_norms(subject, heads=None):
    """|after|/|before| of every pair; head h was computed from q's head heads[h]."""
    if subject.x is None:
        return np.hypot(*subject.got)
    before = subject.x if heads is None else subject.x[:, heads]
    first, second = pair_dimensions(subject.setup.spec)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.hypot(subject.got[..., first], subject.got[..., second]) / np.hypot(
            before[..., first], before[..., second])


def norm_range(subject):
    norms = pair_norms(subject)
    norms = norms[np.isfinite(norms)]  # pairs that are zero have no norm ratio
    return norms.min(), norms.max()


def head_order(facts):
    for fact in facts:
        if match := re.match(r"heads are in another order .* by number, (.*)", fact):
            return [int(number) for number in match[1].split(", ")]
    return None


def false_facts(subject, facts):
    found = []
    for fact in facts:
        match = re.match(r"pairs (.*) match the config, pairs (.*) do not", fact)
        if match and (errors := pair_errors(subject, facts)) is not None:
            right = pair_list(match[1], len(errors))
            if any(errors[i] >= FAULTY_FROM for i in right):
                found.append(fact)
        match = re.match(r"the row for position (\S+) is rotated to position (\S+)", fact)
        if match and subject.name != "inv_freq":
            own = [f for f in subject.faults if f.subjects is None or subject.name in f.subjects]
            model = model_of(subject.setup, subject.heads, own)
            places = model.places()
            at = np.broadcast_to(subject.setup.positions[..., None, :], places.shape) == float(match[1])
            where = places[at]
            where = np.concatenate([where, -where, 0 * where[:1], 2 * where])  # rotated in reverse, never, or twice
            if not np.any(np.abs(where - float(match[2])) <= 0.02 + 0.01 * np.abs(where)):
                found.append(fact)
        match = re.match(r"in the sampled rows, every pair's norm is multiplied by (\S+)", fact)
        if match and subject.name != "inv_freq":
            norms = pair_norms(subject, head_order(facts))
            if subject.x is not None:
                norms = norms[:, heads_described(facts, norms.shape[1])]
            off = np.abs(norms - float(match[1])) > 0.1 * float(match[1])
            if np.mean(off) > 0.05:
                found.append(fact)
        if "not a rotation of these pairs" in fact and subject.name != "inv_freq":
            low, high = norm_range(subject)
            if high - low <= 0.03 * high:
                found.append(fact)
    return found
