#!/usr/bin/env python3
"""Runs rope-check on random faulty and correct dumps, and counts the outcomes of its diagnoses.

judge.py --tool PATH [--seed 1] [--cases 300] [--sound 150] [--several-axes 150] [--list N] [--json FILE] [--only f12,s3]

Outcomes of each faulty subject (a table, inv_freq, q or k):
  whole         every fault is named, with its parameters and the part of the dump that has it
  other-name    other names, at most as many as faults, whose replay gives every value
  in-part       true names, and the report says that the rest is unexplained
  observations  no name, but true facts
  false-fact    no name, and a fact that is not true of the dump
  silent        violated, and the report has neither names nor facts
  overclaim     true names for one head, entry or part of the error, reported for the whole dump
  roundabout    the replay gives every value, but with more mistakes than faults
  WRONG         a name that is not true
  missed        the dump passes
  refused       exit 2 or 3
Outcomes of each correct subject: sound, BLAMED, narrow (only table-precision for a table stored in a wider format,
which is true), rates (16 bits hide a fault except in the rates of slow pairs, which the report states) or refused.
"""
import argparse
import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

import numpy as np

import faults
import replay
import false_facts

GOOD = ("whole", "other-name")
ORDER = ("whole", "other-name", "in-part", "observations", "false-fact", "silent", "overclaim", "roundabout", "WRONG",
         "missed", "refused")
FALSE = ("false-fact", "overclaim", "WRONG", "BLAMED")
LEAST = {"float32": 0.9, "16 bits": 0.85}  # the shares that one run must name


def parse_name(text):
    """'scaling-type rope_type=linear factor=4' -> id, parameters"""
    name, _, words = text.partition(" ")
    return name, dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", words))


def own_words(e):
    others = ("advice", "equivalent", "also_fits", "before", "after")
    return json.dumps({k: v for k, v in e.items() if k not in others}, ensure_ascii=False)


def matches(fault, e):
    """Whether e names the fault, and whether it names the part of the dump that has it."""
    words = own_words(e)
    names = [(e["mistake"], e["parameters"])] + [parse_name(t) for t in e["equivalent"] + e["also_fits"]]
    named = any(fault.names(m, p, words) for m, p in names)
    return named, named and (fault.text is None or re.search(fault.text, words) is not None)


def says_incomplete(report):
    """Whether the report says that values remain unexplained."""
    if report.get("facts") or report.get("observations") or report.get("unexplained"):
        return True
    return any(isinstance(e.get("after"), str) or e.get("after", 0) > 1 for e in report["diagnosis"])


def judge_faulty(subject, report, code):
    diagnosis = report.get("diagnosis", [])
    if not diagnosis:
        if code == 0:
            return "missed"
        return "observations" if report.get("facts") or report.get("observations") else "silent"
    if subject.x is not None and not np.isfinite(subject.got).any() and {e["mistake"] for e in diagnosis} == {"uninitialised"}:
        return "observations"  # true, whatever made every value NaN
    narrow = subject.setup.carrier
    rest = [e for e in diagnosis if not (narrow and e["mistake"] == "table-precision")]
    # only a mistake about the format of the values
    if not rest:
        return "in-part" if says_incomplete(report) else "overclaim"
    vague = [e for e in rest if e["parameters"].get("factors") == "unknown"]  # without a rule
    if vague and any(f.slot in ("base", "scaling", "entry", "rounding") for f in subject.faults):
        return "overclaim"
    unmatched = [e for e in rest if not any(matches(f, e)[0] for f in subject.faults + subject.lost)]
    placed = [f for f in subject.faults if any(matches(f, e)[1] for e in rest)]
    if not unmatched and len(placed) == len(subject.faults):
        return "whole"
    if any(replay.is_absurd(e["mistake"], e["parameters"], subject.setup) for e in unmatched):
        return "WRONG"
    if replay.fits(subject, rest):
        return "other-name" if len(rest) <= max(len(subject.faults), 1) else "roundabout"
    if not unmatched:
        return "in-part" if says_incomplete(report) else "overclaim"
    if says_incomplete(report) and replay.fits(subject, rest, of_named_parts=True):
        return "in-part"
    return "WRONG"


def judge_sound(subject, report, code):
    if code == 0 and not report.get("diagnosis"):
        return "sound"
    names = [(e["mistake"], e["parameters"].get("format")) for e in report.get("diagnosis", [])]
    if subject.setup.carrier and names == [("table-precision", subject.setup.fmt)]:
        return "narrow"
    facts = report.get("facts", [])
    if subject.lost and not names and any(re.match(r"(head \d+: )?pairs? .* (turn|rotate) at .* times", f) for f in facts):
        return "rates"
    return "BLAMED"


def run(tool, words):
    start = time.time()
    try:
        done = subprocess.run([tool] + words + ["--format", "json", "--threads", "1"], capture_output=True,
                              text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return 124, [], "timed out", 60
    seconds = time.time() - start
    if done.returncode not in (0, 1):
        return done.returncode, [], done.stderr.strip()[:200], seconds
    out = json.loads(done.stdout)
    return done.returncode, out.get("reports", [out]), "", seconds


def reported(report):
    names = []
    for e in report.get("diagnosis", []):
        p = " ".join(f"{k}={v}" for k, v in e["parameters"].items())
        names.append((e["mistake"] + " " + p).strip())
    return " + ".join(names) or "; ".join(report.get("facts", []) or ["(nothing)"])


def of_batch(reports):
    """The reports of a batch's tables as one report."""
    whole = dict(reports[0], diagnosis=[], facts=[], summary={"violated": 0})
    for entry, report in enumerate(reports):
        for e in report.get("diagnosis", []):
            whole["diagnosis"].append(dict(e, parameters=dict(e["parameters"], batch=str(entry))))
        whole["facts"] += [f"batch entry {entry}: {fact}" for fact in report.get("facts", [])]
        whole["summary"]["violated"] += report["summary"]["violated"]
    return whole


def judge_case(tool, case, folder):
    words = faults.write(case, folder)
    code, reports, error, seconds = run(tool, words)
    os.remove(words[1])
    if len(case.subjects) == 1 and len(reports) > 1:
        reports = [of_batch(reports)]
    rows = []
    for k, subject in enumerate(case.subjects):
        row = {"case": case.name, "subject": subject.name, "faults": [f.kind for f in subject.faults],
               "truth": repr(subject.faults), "lost": repr(subject.lost) if subject.lost else "",
               "off": subject.off, "traits": case.traits(), "seconds": seconds,
               "command": "rope-check " + shlex.join(words[:1] + [case.name + ".npz"] + words[2:])}
        if k >= len(reports):
            row.update(outcome="refused", reported=error)
        else:
            own = 1 if reports[k]["summary"]["violated"] else 0
            judge = judge_faulty if subject.faults else judge_sound
            row.update(outcome=judge(subject, reports[k], own), reported=reported(reports[k]))
            false = false_facts.false_facts(subject, reports[k].get("facts", []))
            if false and row["outcome"] == "observations":
                row.update(outcome="false-fact", reported="; ".join(false))
        rows.append(row)
    return rows


def print_table(title, rows, key, columns):
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        for name in key(row):
            counts[name][row["outcome"]] += 1
    shown = [c for c in columns if any(n[c] for n in counts.values())]
    width = max([len(title)] + [len(n) for n in counts])
    print(f"\n{title:<{width}}  {'of':>4}  " + "  ".join(f"{c:>{max(5, len(c))}}" for c in shown))
    for name in sorted(counts):
        n = counts[name]
        print(f"{name:<{width}}  {sum(n.values()):>4}  " + "  ".join(
            f"{n[c] or '·':>{max(5, len(c))}}" for c in shown))


def names_enough(faulty):
    """Prints the shares of faulty subjects that are named, in float32 and in 16 bits."""
    enough = True
    for kind, least in LEAST.items():
        own = [r for r in faulty if (r["traits"]["format"] == "float32") == (kind == "float32")]
        named = sum(r["outcome"] in GOOD for r in own)
        print(f"{kind}: {named} of {len(own)} named" + (f", {100 * named / len(own):.1f} %" if own else ""))
        enough = enough and named >= least * len(own)
    return enough


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--cases", type=int, default=300)
    arguments.add_argument("--sound", type=int, default=150)
    arguments.add_argument("--several-axes", type=int, default=150, help="cases of those, and a third as many sound ones")
    arguments.add_argument("--only", default="", help="cases by name, such as f12,s3")
    arguments.add_argument("--list", type=int, default=1000)
    arguments.add_argument("--json", default="", help="every row with its traits, to this file")
    given = arguments.parse_args()
    names = given.only.split(",") if given.only else [f"f{n}" for n in range(given.cases)] + [
        f"s{n}" for n in range(given.sound)] + [f"a{n}" for n in range(given.several_axes)] + [
        f"b{n}" for n in range(given.several_axes // 3)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            rows += judge_case(given.tool, faults.draw_case(given.seed, name), folder)
    faulty, sound = [r for r in rows if r["faults"]], [r for r in rows if not r["faults"]]
    if faulty:
        print_table("fault (alone or with others)", faulty, lambda r: r["faults"], ORDER)
        print_table("format", faulty, lambda r: [r["traits"]["format"]], ORDER)
    if sound:
        columns = ("sound", "narrow", "rates", "BLAMED", "refused")
        print_table("sound: format", sound, lambda r: [r["traits"]["format"]], columns)
    bad = [r for r in rows if r["outcome"] not in GOOD + ("sound", "narrow", "rates")]
    bad.sort(key=lambda r: (ORDER + ("BLAMED",)).index(r["outcome"]), reverse=True)
    print()
    for r in bad[:given.list]:
        t = r["traits"]
        print(f"{r['outcome']:<12} {r['case']} {r['subject']}: {r['truth'] if r['faults'] else 'sound'}"
              f"  [{t['format']}, {t['make']}{' chain' if t['chain'] else ''}, {t['placing']}, b{t['batch']} h{t['heads']} s{t['rows']} {t['special']}]"
              f"\n    reported: {r['reported'][:400]}\n    {r['command'][:300]}")
    count = collections.Counter(r["outcome"] for r in rows)
    print(f"\nnamed whole {sum(count[c] for c in GOOD)}, honest {sum(count[c] for c in ('in-part', 'observations'))}, "
          f"false {sum(count[c] for c in FALSE)}, roundabout {count['roundabout']}, "
          f"silent or missed {count['silent'] + count['missed']}, refused {count['refused']}")
    slowest = max(rows, key=lambda r: r["seconds"])
    print(f"\n{len(rows)} subjects; {sum(r['seconds'] for r in rows) / len(rows):.3f} s a run, "
          f"at most {slowest['seconds']:.2f} s ({slowest['case']})")
    if given.json:
        with open(given.json, "w") as out:
            json.dump(rows, out, indent=1)
    enough = names_enough(faulty)
    wrong = any(r["outcome"] in FALSE + ("silent", "missed") for r in rows)
    return 1 if wrong or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
