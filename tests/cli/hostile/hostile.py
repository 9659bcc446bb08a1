#!/usr/bin/env python3
"""Hostile names and texts pass through every command and format without a raw control character.

usage: hostile.py ROPE_CHECK
"""
import os
import shutil
import struct
import sys
import tempfile

import run as runner
from files import (CONFIG, LAYERS, NAMES, ONE_LAYER, ONES, RULE, TEXT, ZEROS, gguf, npy,
                   safetensors, write, zip_of)
from run import commands, failures, fault_of, run, tried

REPORTS = ["text", "json", "junit", "github", "markdown"]


def check_reports(name):
    layers, one = write(name + b".json", LAYERS), write(name + b"1.json", ONE_LAYER)
    folder = name + b".d"
    os.mkdir(folder)
    write(folder + b"/config.json", ONE_LAYER)
    model = write(name + b".gguf", gguf(name))
    for form in REPORTS:
        verify = ["verify", "--context", "32", "--format", form]
        run([*verify, "--config", layers, "--verbose"], [0], form)
        run([*verify, "--config", layers, "--pipeline", "bf16-angles"], [1], form)
        run([*verify, "--config", layers, "--only", "linearity"], [2], form)
        run([*verify, "--config", one, "--verbose"], [0], form, shows=form in ("text", "json"))
        run([*verify, "--config", folder, "--verbose"], [0], form, shows=form in ("text", "json"))
        run([*verify, "--config", model, "--verbose"], [0], form, shows=form in ("text", "json"))
        out = name + b".out"
        run([*verify, "--config", layers, "-o", form.encode() + b":" + out], [0], form,
            files=[(form, out)])
    for form in ("text", "json", "markdown"):
        for config in (layers, one, folder, model):
            run(["explain", "--config", config, "--verbose", "--format", form], [0], form)
    for form in ("text", "json"):
        run(["diff", layers, one, "--format", form, "--verbose"], [0, 1], form)
        run(["diff", one, model, "--format", form], [0, 1], form)
        run(["base-bound", "--config", one, "--context", "32", "--format", form],
            [0, 1], form, shows=False)
    return one, layers


def check_tables(name, one, layers):
    bad, out = write(name + b"2.json", {**CONFIG, "head_dim": TEXT}), name + b".table"
    table = ["verify", "--context", "32", "--context", "16"]
    for form in ("text", "json", "markdown", "csv"):
        for configs in ([one], [layers, bad, one]):
            words = [word for config in configs for word in ("--config", config)]
            code = 2 if bad in configs else 0
            run([*table, *words, "--format", form, "-v"], [code], form, is_table=True)
            run([*table, *words, "--pipeline", "bf16-angles", "-o", form.encode() + b":" + out], [1],
                files=[(form, out)], is_table=True)
    for other in ({"schema": TEXT}, b"rope-check tasks: " + name):
        write(out, other)
        run([*table, "--config", one, "--resume", out], [2])


def check_dumps(name, one):
    files = [write(name + b".npz", zip_of({TEXT + ".npy": npy(ONES), "s.npy": npy(ZEROS)})),
             write(name + b".safetensors", safetensors({TEXT: ONES, "s": ZEROS}))]
    for form in REPORTS:
        for file in files:
            tensors = ["cos=" + TEXT, "sin=s"]
            run(["compare", file, *tensors, "--config", one, "--format", form], [0, 1], form)
            run(["compare", file, *tensors, "--format", form, "-v"], [0, 1], form,
                shows=form != "markdown")
        run(["compare", b"cos=" + files[0] + b":" + TEXT.encode(), b"sin=" + files[0] + b":s",
             "--format", form], [0, 1], form, shows=form != "markdown")
        run(["compare", b"inv_freq=" + name + b".gguf:" + name, "--config", one, "--format", form],
            [0, 1], form)
    for file in files:
        run(["compare", file, "cos=" + TEXT + "x", "sin=s"], [2])
        run(["compare", file], [2])
    for bad in (b"PK\3\4", b"\x93NUMPY", b"GGUF", b"\x80\2}q", name, b"{" + name):
        for ending in (b".npz", b".bin", b".onnx"):
            run(["compare", write(name + b"bad" + ending, bad)], [2])
    run(["compare", write(name + b"bad.safetensors", struct.pack("<Q", len(name) + 4) + b'{"' +
                          name + b'":')], [2])


def check_baselines(name, kind, one, layers):
    base = name + b".base"
    record = ["baseline", "record", base, "--context", "32", "--reason", TEXT]
    if kind == "bytes":  # which JSON cannot contain
        run([*record, "--config", one], [2])
        run([*record, "--dim", "16"], [0])
    else:
        run([*record, "--config", one], [0])
        run([*record, "--config", layers], [0])
    with open(base, "rb") as file:
        if fault := fault_of(file.read(), "json"):
            failures.append(f"the baseline {fault}")
    for form in REPORTS:
        check = ["baseline", "check", base, "--format", form]
        run(check, [0], form, shows=form in ("text", "json", "junit"))
        shutil.copy(one, name + b".kept")
        drifted = ["verify", "--dim", "16", "--context", "32", "--base", "5", "--format", form]
        if kind == "bytes":
            run([*drifted, "--baseline", base], [1], form)
        else:
            run([*drifted, "--baseline", base], [2])
            write(one, {**ONE_LAYER, "rope_theta": 5.0, "rope_scaling": {**RULE, "rope_theta": 5.0}})
            run(check, [1], form)
        os.replace(name + b".kept", one)
    run(["baseline", "update", base, "--reason", TEXT, "--allow", "ci"], [0], "json")


def here(program):
    return os.getcwdb() + b"/" + program


def check_audits(name, one):
    program = write(name + b".sh", b"#!/bin/sh\nfor f; do :; done\ncp \"$f/x.npy\" \"$f/y.npy\"\n")
    noisy = write(name + b"n.sh", b"#!/bin/sh\ncat \"$0.txt\" \"$0.txt\" >&2\nexit 3\n")
    write(noisy + b".txt", name + b"\n")
    garbled = write(name + b"g.sh", b"#!/bin/sh\nfor f; do :; done\ncp \"$0.txt\" \"$f/y.npy\"\n")
    write(garbled + b".txt", name)
    for script in (program, noisy, garbled):
        os.chmod(script, 0o755)
    for form in REPORTS:
        run(["audit", "--config", one, "--format", form, "--", here(program)], [1], form)
        run(["audit", "--config", one, "--format", form, "--", here(noisy)], [2])
        run(["audit", "--config", one, "--format", form, "--", here(garbled)], [2], shows=False)
    run(["audit", "--dim", "64", "--", name], [3])
    run(["audit", "--keep", name + b".keep", "--config", one, "--format", "json", "--",
         here(program)], [1], "json")
    folder = name + b".audit"
    run(["audit", "new", folder, "--config", one], [0])
    run(["audit", "check", folder], [2, 3])
    shutil.copy(folder + b"/x.npy", folder + b"/y.npy")
    for form in REPORTS:
        run(["audit", "check", folder, "--format", form], [1], form)
    write(folder + b"/spec.json", {TEXT: TEXT})
    run(["audit", "check", folder], [2])


def check_adapters(name):
    run(["audit", "init", "c"], [0], shows=False)
    run(["audit", "init", name], [2])
    run(["audit", "init", "c", "-o", name], [2], shows=False)


def check_suites(name):
    folder, out = name + b".suite", name + b".table"
    run(["export", "--suite", folder], [0])
    run(["export", "--suite", folder], [2])
    program = write(name + b"s.sh", b"#!/bin/sh\nfor f; do :; done\ncp \"$0.answers\" \"$f/answers.$1\"\n")
    os.chmod(program, 0o755)
    check = ["audit", "--suite", folder]
    answer = "head_dim-2/float32/dx"
    wrong = [("json", {TEXT: "00"}), ("json", b'{"' + name + b'": "00"}'), ("json", name),
             ("json", {answer: TEXT}), ("json", {answer: [TEXT]}), ("json", {TEXT: {TEXT: TEXT}}),
             ("safetensors", safetensors({TEXT: ONES})), ("safetensors", name)]
    for ending, answers in wrong:
        write(program + b".answers", answers)
        run([*check, "--", here(program), ending], [2], shows=False)
    write(program + b".answers", {answer: "00" * 104})
    for form in ("text", "json", "markdown"):
        words = ["--", here(program), "json", name]
        run([*check, "--format", form, "-v", *words], [1], form, shows=form == "json")
        run([*check, "-o", form.encode() + b":" + out, *words], [1], files=[(form, out)])
    run([*check, "--keep", name + b".kept-answers", "--", here(program), "json"], [1], "json",
        shows=False)
    for words in ([*check, "--pipeline", name, "--", "true"], [*check, "--", name],
                  ["audit", "--suite", name, "--", "true"]):
        run(words, [2, 3])
    write(folder + b"/manifest.json", name)
    run([*check, "--", "true"], [2])


def check_figures(name, one, layers):
    out = name + b".fig"
    for form in ("svg", "csv"):
        written = ["--config", one, "-o", form.encode() + b":" + out]
        for words in (["plot-decay", "--config", layers, "--distance", "40"],
                      ["plot-angles", "--config", layers, "--distance", "40"],
                      ["explain", "--config", layers], ["base-bound", "--context", "16"],
                      ["plot-scores", "--context", "16"]):
            run([*words, *written], [0], files=[(form, out)])
    dump = [b"cos=" + write(name + b".cos.npy", npy(ONES)),
            b"sin=" + write(name + b".sin.npy", npy(ZEROS))]
    for form in ("svg", "csv", "html"):
        for words in (["verify", "--context", "16"], ["compare", *dump]):
            run([*words, "--config", one, "-o", form.encode() + b":" + out], [0, 1],
                files=[(form, out)])
    run(["explain", "--config", one, "-o", b"html:" + out], [0], files=[("html", out)])
    for form in ("json", "npz", "npy", "safetensors"):
        export = ["export", "--config", one, "--positions", "0,1", "-o", form.encode() + b":" + out]
        run(export + (["--only", "cos"] if form == "npy" else []), [0],
            files=[(form, out)] if form == "json" else [])
        if os.path.exists(out):
            os.remove(out)


def check_errors(name):
    for words in ([name], ["help", name], ["verify", name], ["verify", b"--" + name],
                  ["verify", b"-" + name], ["list", "models", name],
                  ["claims", name], ["diff", name, name],
                  ["diff", "a.json"], ["baseline", name], ["baseline", "check", name],
                  ["baseline", "record", name, "--reason", "r", "--", name],
                  ["audit", name], ["audit", "new", name + b"/" + name], ["audit", "check", name],
                  ["compare", name], ["compare", name + b".npz:" + name], ["compare"],
                  ["completion", name], ["list", name]):
        run(words, [2, 3], shows=name in words)
    options = {
        "verify": ["--config", "--model", "--layers", "--dim", "--rotary-dim", "--layout", "--base",
                   "--rope", "--max-position",
                   "--context", "--pipeline",
                   "--only", "--require", "--seed", "--threads", "--baseline", "--format",
                   "--output", "--color"],
        "compare": ["--positions", "--raw", "--cache-layout", "--axes", "--pipeline"],
        "audit": ["--positions", "--timeout", "--pipeline"],
        "export": ["--positions", "--dtype", "--cache-layout", "--output", "--only"],
        "diff": ["--at"],
        "base-bound": ["--context", "--digits", "--search-to", "--base"],
        "plot-decay": ["--distance", "--output", "--config", "--base"],
        "plot-scores": ["--pipeline", "--context", "--seed", "--output"],
        "explain": ["--context", "--output", "--config", "--base"]}
    given = [words for command, names in options.items() for option in names
             for words in ([command, option, name], [command, option.encode() + b"=" + name])]
    for words in given[::int(os.environ.get("CASES_EVERY", "1"))]:
        run(words, [2, 3], shows=False)
    run(["verify", "--dim", "16", "--context", "32"], [2], environment={b"ROPE_CHECK_ISA": name})
    for field, value in (("rope_theta", TEXT), ("rope_scaling", {"rope_type": TEXT}),
                         ("rope_scaling", TEXT), ("rope_scaling", {"type": "yarn", "factor": TEXT}),
                         ("head_dim", [TEXT]), ("layer_types", [TEXT]), ("rope_parameters", [TEXT]),
                         ("partial_rotary_factor", {TEXT: TEXT}), ("model_type", [TEXT])):
        run(["verify", "--context", "32", "--config", write(name + b".bad", {**CONFIG, field: value}),
             "--format", "text", "-v"], [0, 2])
    write(name + b".bad", b'{"a": "' + name + b'"}')
    run(["verify", "--config", name + b".bad"], [2])
    run(["baseline", "check", name + b".bad"], [2])
    write(name + b".bad", {"schema": TEXT})
    run(["baseline", "check", name + b".bad"], [2])


with tempfile.TemporaryDirectory() as scratch:
    for kind, name in NAMES.items():
        folder = os.path.join(scratch, kind)
        os.mkdir(folder)
        os.chdir(folder)
        one, layers = check_reports(name)
        check_tables(name, one, layers)
        check_dumps(name, one)
        check_baselines(name, kind, one, layers)
        check_audits(name, one)
        check_adapters(name)
        check_suites(name)
        check_figures(name, one, layers)
        check_errors(name)
    os.chdir("/")
if untried := commands() - tried:
    failures.append(f"no run of {sorted(untried)}")
for failure in failures[:40]:
    print("FAIL", failure)
print(f"{len(failures)} faults in {runner.runs} runs")
sys.exit(bool(failures))
