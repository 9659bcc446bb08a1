"""Statements in README.md and docs/ about the code and its output are true.

usage: docs_test.py ROPE_CHECK SOURCE_FOLDER
"""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "")  # the folder of an example
TOOL, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PUBLISHED = [*PAGES, ROOT / "pyproject.toml", ROOT / "SECURITY.md", ROOT / "Dockerfile", ROOT / ".pre-commit-hooks.yaml",
             *(ROOT / ".github/actions/rope-check").iterdir()]
LLAMA_31_8B = {
    "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
    "max_position_embeddings": 131072, "rope_theta": 500000.0,
    "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                     "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}}


# the id is in the file's name
EXAMPLE_OF_A_MISTAKE = r"^\$ rope-check (?:compare|audit .*--python) ([a-z0-9-]+)\.(?:npz|py:)"


def printed(*words, **kwargs):
    done = subprocess.run([TOOL, *words], capture_output=True, text=True, timeout=300, **kwargs)
    if done.returncode > 1:
        raise AssertionError(f"rope-check {shlex.join(words)}: {done.stderr}")
    return done.stdout


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


def examples(text):
    """The blocks of a page or text that are run: their language and content."""
    text = text if isinstance(text, str) else text.read_text()
    return re.findall(r"^```(console|python run|python rotary|python file=\w+\.py)\n(.*?)^```$",
                      text, re.M | re.S)


def run(code, folder):
    sys.modules.pop("rotary", None)  # a block may have changed its arrays
    with contextlib.chdir(folder):
        exec(code, {})


def prepare(language, block, folder):
    """Writes the file of a block `python file=NAME`, or runs the block."""
    if "=" in language:
        pathlib.Path(folder, language.split("=")[1]).write_text(block)
    else:
        run(("from rotary import *\n" if language == "python rotary" else "") + block, folder)


def rows(page, head):
    """The cells of the table whose first column has this header."""
    lines = page.read_text().split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(f"| {head} |")) + 2
    for line in lines[first:]:
        if not line.startswith("|"):
            return
        yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


def difference(quoted, output):
    """The first quoted line that the output lacks in its place; a line '…' skips any number of lines."""
    left, skip = output, False
    for line in quoted:
        if line == "…":
            skip = True
            continue
        while skip and left and left[0] != line:
            left = left[1:]
        if not left or left[0] != line:
            return line
        left, skip = left[1:], False
    return None if skip or not left else f"end of the quotation; the output has: {left[0]}"


@contextlib.contextmanager
def readers_folder():
    """A folder with the files that the pages expect."""
    with tempfile.TemporaryDirectory() as folder:
        for file in [*(ROOT / "tests/golden/hf_half").glob("*.npz"), ROOT / "docs/suite/suite.py"]:
            shutil.copy(file, folder)
        printed("export", "--suite", "rope-suite", cwd=folder)
        pathlib.Path(folder, "adapter.py").write_text(printed("audit", "init", "numpy"))
        # the dump and the config of README.md's first example
        run(blocks(ROOT / "docs/first-bug.md", "python run")[0], folder)
        os.makedirs(os.path.join(folder, "path/to/model"))
        for config in ("config.json", "path/to/model/config.json"):
            pathlib.Path(folder, config).write_text(json.dumps(LLAMA_31_8B))
        yield folder


# the tool, and the python3 that has NumPy
PATH = f"{TOOL.parent}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
# files that the tests do not have
NOT_HERE = ("model.gguf", "cos.npy", "before.npy", "mine.npz")


class Docs(unittest.TestCase):
    def test_shell_lines_run(self):
        lines = {line: page.name for page in PAGES for line in "".join(blocks(page, "sh")).split("\n")
                 if line.startswith(("rope-check ", "cc ")) and not any(one in line for one in NOT_HERE)}
        self.assertGreaterEqual(len(lines), 12)
        with readers_folder() as folder:
            shutil.rmtree(os.path.join(folder, "rope-suite"))
            for line, page in lines.items():
                done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True,
                                      env={**os.environ, "PATH": PATH}, timeout=300)
                self.assertLessEqual(done.returncode, 1, f"{page}: {line}\n{done.stderr}")

    def test_quoted_output_equals_the_command_s_output(self):
        count = 0
        with readers_folder() as folder:
            for page in PAGES:
                for language, block in examples(page):
                    if language != "console":
                        prepare(language, block, folder)
                        continue
                    command, *quoted = block.rstrip("\n").split("\n")
                    words = shlex.split(command)
                    self.assertEqual(words[:2], ["$", "rope-check"], f"{page.name}: {command}")
                    at = words.index("--") if "--" in words else len(words)
                    if not {"text:-", "--format", "-q"} & set(words):
                        words[at:at] = ["--format", "text"]  # as on a terminal
                    how = {"cwd": folder, "env": {**os.environ, "PATH": PATH, "COLUMNS": "80"}}
                    output = printed(*words[2:], **how)
                    self.assertIsNone(difference(quoted, output.rstrip("\n").split("\n")),
                                      f"{page.name}: {command}\nprints\n{output}")
                    if page.name == "mistakes.md":  # one mistake, which has the section's id
                        report = json.loads(printed(*words[2:at], "--format", "json", **how))
                        self.assertEqual([one["mistake"] for one in report["diagnosis"]],
                                         re.findall(EXAMPLE_OF_A_MISTAKE, command))
                    count += 1
        self.assertGreaterEqual(count, 6)

    def test_mistakes_page_has_the_statement_and_an_example_of_each_mistake(self):
        mistakes = json.loads(printed("list", "mistakes", "--format", "json"))["mistakes"]
        known = [one["id"] for one in mistakes]
        page = (ROOT / "docs/mistakes.md").read_text()
        sections = re.findall(r"^## (.*)\n\n\*([^*]*)\.\*\s", page, re.M)
        self.assertEqual([(name, " ".join(what.split()).lower()) for name, what in sections],
                         [(one["id"], one["what"].lower()) for one in mistakes])
        self.assertEqual(re.findall(EXAMPLE_OF_A_MISTAKE, page, re.M), known)

    def test_cache_layouts_page_lists_the_layouts(self):
        known = re.search(r"^Cache layouts:\n(.*)$", printed("compare", "--help"), re.M)[1].split()
        self.assertEqual([row[0] for row in rows(ROOT / "docs/cache-layouts.md",
                                                 "`--cache-layout`")], known)

    def test_json_page_names_every_key_of_a_report(self):
        schema = json.loads((ROOT / "src/io/schema/report.json").read_text())
        self.assertEqual(sorted(row[0] for row in rows(ROOT / "docs/json.md", "key")),
                         sorted(schema["properties"]))

    def test_json_page_lists_every_schema(self):
        source = "".join(file.read_text() for file in (ROOT / "src/io").rglob("*.[ch]pp"))
        known = set(re.findall(r'"(rope-check-[a-z-]+/\d+)"', source)) - {"rope-check-report/1"}
        self.assertEqual({row[0] for row in rows(ROOT / "docs/json.md", "schema")}, known)

    def test_claims_page_equals_the_output_of_claims(self):
        self.assertEqual((ROOT / "docs/claims.md").read_text(),
                         printed("claims", "--format", "markdown"))

    def test_articles_page_names_existing_entries(self):
        known = {claim["id"] for claim in json.loads(printed("claims", "--format", "json"))["claims"]}
        named = set(re.findall(r"\b00[0-4]-[A-Za-z0-9-]+", (ROOT / "docs/articles.md").read_text()))
        self.assertGreater(len(named), 80)
        self.assertEqual(named - known, set())

    def test_readings_page_equals_the_list_of_readings(self):
        self.assertEqual((ROOT / "docs/readings.md").read_text(),
                         printed("list", "readings", "--format", "markdown"))

    def test_each_picture_of_the_gallery_equals_its_command_s_output(self):
        text = (ROOT / "docs/figures.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            for file in (ROOT / "tests/golden/hf_half").glob("*.npz"):
                shutil.copy(file, folder)
            pictures = re.findall(r"((?:.+\n)+)\n!\[[^\]]*\]\(\.\./plots/gallery/(.+?)\)", text)
            self.assertEqual({picture for _, picture in pictures},
                             {file.name for file in (ROOT / "plots/gallery").iterdir()})
            for before, picture in pictures:
                words = shlex.split(re.search(r"\(`rope-check\s([^`]+)`", before)[1])
                words = words[:words.index("-o")] if "-o" in words else words
                printed(*words, "-o", "drawn.svg", "-q", cwd=folder)
                drawn = pathlib.Path(folder, "drawn.svg").read_bytes()
                self.assertEqual(drawn, (ROOT / "plots/gallery" / picture).read_bytes(),
                                 f"{picture}: {shlex.join(words)}")
                os.remove(os.path.join(folder, "drawn.svg"))

    def test_suite_page_has_the_suite_s_counts(self):
        page = (ROOT / "docs/suite/README.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            printed("export", "--suite", "s", cwd=folder)
            manifest = json.loads(pathlib.Path(folder, "s/manifest.json").read_text())
            size = sum(file.stat().st_size for file in pathlib.Path(folder, "s").iterdir())
        cases, wrong = len(manifest["cases"]), len(manifest["wrong"])
        self.assertIn(f"{cases} cases, {12 * cases} right answers and {wrong} wrong ones, in {size / 1e6:.1f} MB",
                      " ".join(page.split()))
        self.assertIn(f"{9 * cases + wrong} tests, 0 failed", page)
        self.assertEqual([row[0] for row in rows(ROOT / "docs/suite/README.md", "ARITHMETIC")],
                         [one["name"] for one in manifest["arithmetics"]])
        for case in manifest["cases"]:
            self.assertIn(f"`{case['spec']['rope_parameters']['rope_type']}`", page)

    def test_commands_that_claims_refer_to_run(self):
        claims = json.loads(printed("claims", "--format", "json"))["claims"]
        commands = {claim["see"] for claim in claims} - {""}
        self.assertGreaterEqual(len(commands), 5)
        with tempfile.TemporaryDirectory() as folder:
            for command in sorted(commands):
                tool, *words = shlex.split(command)
                self.assertEqual(tool, "rope-check")
                self.assertTrue(printed(*words, "-o", "-", cwd=folder), command)

    def test_readme_lists_every_command(self):
        listed = {word for row in rows(ROOT / "README.md", "command")
                  for word in re.findall(r"(?:^|`)([a-z-]+)", row[0])}
        known = set(re.findall(r"^  ([a-z-]+)  ", printed("--help").split("Commands:")[1], re.M))
        self.assertEqual(listed, known)

    def test_readme_lists_the_exit_codes(self):
        known = re.findall(r"^  (\d+)  ", printed("verify", "--help").split("Exit codes:")[1], re.M)
        self.assertEqual([row[0] for row in rows(ROOT / "README.md", "exit code")], known)

    def test_the_path_to_a_diagnosis_has_files_with_these_functions(self):
        path = list(rows(ROOT / "CONTRIBUTING.md", "file on the path"))
        self.assertLessEqual(len(path), 15)
        for file, functions, _ in path:
            source = (ROOT / file).read_text()
            for name in re.findall(r"\w+", functions):
                self.assertRegex(source, rf"(?m)^\s*[\w:<>,&* ]+ {name}\(", file)

    def test_every_file_has_the_version_of_cmake(self):
        version = re.search(r"project\(rope_check VERSION ([0-9.]+)",
                            (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(printed("--version").split("\n")[0], f"rope-check {version}")
        first = re.search(r"^## (?:Unreleased: )?([0-9.]+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
        self.assertEqual(first[1], version)
        self.assertIn('dynamic = ["version"]', (ROOT / "pyproject.toml").read_text())
        self.assertIn(f'__version__ = "{version}"', (ROOT / "src/python/rope_check/__init__.py").read_text())
        for file in [*PUBLISHED, ROOT / "CONTRIBUTING.md"]:
            for named in re.findall(r"(?:rope[-_]check[-_@]|rev: |releases?/(?:tag|download)/|git tag |release )"
                                    r"v?(\d[\d.]*\d)", file.read_text()):
                self.assertEqual(named, version, file)
        for file in ("docs/ci.md", "tests/package/consumer/CMakeLists.txt",
                     "tests/package/sample/CMakeLists.txt"):
            wanted = re.findall(r"find_package\(rope_check ([0-9.]+)", (ROOT / file).read_text())
            self.assertEqual(wanted, [version.rpartition(".")[0]], file)
        figures = list((ROOT / "plots/gallery").glob("*.svg"))
        self.assertGreaterEqual(len(figures), 5)
        for figure in figures:
            self.assertIn(f"\ntool: rope-check {version}\n", figure.read_text(), figure.name)

    def test_every_file_has_the_address_of_pyproject(self):
        owner = re.search(r'Repository = "https://github.com/(\S+)/rope-check"',
                          (ROOT / "pyproject.toml").read_text())[1]
        named = [(one, file.name) for file in PUBLISHED for one in re.findall(
            r"(?:uses: |github\.com/)([\w.-]+)/rope-check\b|\b(OWNER)\b", file.read_text())]
        self.assertGreaterEqual(len(named), 3)
        self.assertEqual([one for one in named if "".join(one[0]) != owner], [])

    def test_library_example_is_compiled(self):
        consumer = (ROOT / "tests/package/consumer/main.cpp").read_text()
        found = blocks(ROOT / "docs/library.md", "cpp")
        self.assertEqual(len(found), 1)
        for part in found[0].strip().split("\n\n"):
            self.assertIn(part, consumer)

    def test_links_lead_to_files(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
                if "://" not in link:
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
