"""Every command that writes, in a short and in a long form, and its inputs."""
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

TOOL = os.path.abspath(sys.argv[1])
OLD = b"old"
ANSWER = """import json, sys
vectors = json.load(open(sys.argv[1] + "/vectors.json"))["arrays"]
name = "default-half/float32/q_rot"
json.dump({name: vectors[name]["hex"]}, open(sys.argv[1] + "/answers.json", "w"))
"""
os.environ.pop("CI", None)  # `baseline update` refuses in CI without --allow ci
CHILD = "import os, time; os.fork(); time.sleep(600)"


@dataclass(frozen=True)
class Command:
    name: str
    short: str  # ends without a signal
    long: str  # runs until a signal ends it, or long enough for one
    output: str = "-o"  # the option that names the output; "" if it is a positional argument
    format: str = "json"


# OUT is the output; prepare() makes the other files.
COMMANDS = [
    Command("verify", "verify --dim 16 --context 64", "verify --dim 128 --context 67108864"),
    Command("compare", "compare dump.npz --dim 16", "compare wide.npz --dim 1024 --base 500"),
    Command("compare -o svg", "compare dump.npz --dim 16", "compare wide.npz --dim 1024 --base 500",
            format="svg"),
    Command("audit", "audit check request", "audit --dim 16 -- {python} -c '{child}'"),
    Command("audit new", "audit new OUT --dim 16",
            "audit new OUT --dim 1024 --positions 0:64", ""),
    Command("verify --all-models", "verify llama-2-7b phi-2 --context 64",
            "verify --all-models --context 1048576"),
    Command("verify --resume", "verify llama-2-7b phi-2 --context 64 --resume OUT",
            "verify --all-models --context 1048576 --resume OUT", "", "log"),
    Command("verify -o svg", "verify --dim 16 --context 64",
            "verify --dim 128 --context 16777216", format="svg"),
    Command("verify -o html", "verify --dim 16 --context 64", "verify --dim 128 --context 67108864",
            format="html"),
    Command("baseline record", "baseline record OUT --dim 16 --context 64 --reason r",
            "baseline record OUT --dim 128 --context 67108864 --reason r", ""),
    Command("baseline check", "baseline check base.json", "baseline check long.json"),
    Command("baseline update", "baseline update OUT --reason r",
            "baseline update OUT --reason r", "", "baseline"),
    Command("explain", "explain --dim 16", "explain --config large.json -v"),
    Command("explain -o svg", "explain", "explain --dim 65536", format="svg"),
    Command("explain -o html", "explain", "explain", format="html"),
    Command("diff", "diff a.json a.json", "diff large.json large.json"),
    Command("export", "export --dim 16 --positions 0:8",
            "export --dim 128 --positions 0:2097152 --only tables", format="npz"),
    Command("export --suite", "export --suite OUT", "export --suite OUT", ""),
    Command("audit --suite", "audit --suite suite -- env -u LD_PRELOAD {python} answer.py",
            "audit --suite suite -- {python} -c '{child}'"),
    Command("base-bound", "base-bound --dim 16 --context 64",
            "base-bound --dim 128 --context 1048576"),
    Command("base-bound -o svg", "base-bound --dim 16 --context 64",
            "base-bound --dim 128 --context 1048576", format="svg"),
    Command("base-bound --resume", "base-bound --dim 16 --context 64 --resume OUT",
            "base-bound --dim 128 --context 1048576 --resume OUT", "", "log"),
    Command("claims", "claims 001-c3-R3", "claims all"),
    Command("plot-decay", "plot-decay --distance 64", "plot-decay --distance 16777216",
            format="svg"),
    Command("plot-angles", "plot-angles --distance 64", "plot-angles --distance 65536",
            format="svg"),
    Command("plot-scores", "plot-scores --context 64", "plot-scores --context 131072",
            format="svg"),
    Command("list", "list models", "list models"),
]


def is_whole(path, form):
    content = path.read_bytes()
    if content == OLD or form == "log":
        return True
    try:
        if form in ("json", "baseline"):
            json.loads(content)
        elif form == "npz":
            zipfile.ZipFile(path).testzip()
        elif form == "svg":
            ElementTree.fromstring(content)
        elif form == "html":
            return content.endswith(b"</html>\n")
    except (ValueError, zipfile.BadZipFile, ElementTree.ParseError):
        return False
    return True


def words(command, form, out):
    text = form.format(python=sys.executable, child="CHILD")
    all_words = [{"OUT": out, "'CHILD'": CHILD}.get(word, word) for word in text.split()]
    if not command.output:
        return all_words
    at = all_words.index("--") if "--" in all_words else len(all_words)
    return all_words[:at] + [command.output, f"{command.format}:{out}"] + all_words[at:]


def tool(*all_words):
    subprocess.run([TOOL, *all_words], check=True, capture_output=True)


def prepare():
    """Makes the inputs in the current folder."""
    Path("a.json").write_text('{"head_dim": 16}')
    Path("large.json").write_text('{"head_dim": 16, "note": "%s"}' % ("x" * 8_000_000))
    tool("export", "--dim", "16", "--positions", "0:8", "-o", "dump.npz", "-q")
    tool("export", "--dim", "1024", "--positions", "0:2048", "--only", "tables", "-o", "wide.npz", "-q")
    tool("audit", "new", "request", "--dim", "16")
    subprocess.run(["cp", "request/x.npy", "request/y.npy"], check=True)
    tool("export", "--suite", "suite")
    Path("answer.py").write_text(ANSWER)
    tool("baseline", "record", "base.json", "--dim", "16", "--context", "64", "--reason", "r")
    text = Path("base.json").read_text()
    Path("long.json").write_text(text.replace('"64"', '"67108864"'))


@contextmanager
def folder_of_inputs():
    """Makes a new folder with the inputs, and enters it."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        yield folder
        os.chdir("/")


def chosen(cases):
    """Every Nth case, with N from $CASES_EVERY (default 1)."""
    return list(cases)[::int(os.environ.get("CASES_EVERY", "1"))]


def report(failures, tried):
    """Prints every fault and ends this process, with 1 if there is one."""
    for failure in failures:
        print("FAIL", failure)
    print(f"{tried}: {len(failures)} faults")
    sys.exit(bool(failures))
