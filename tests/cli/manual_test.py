"""Completion and help: the shells' completions, and the width of help in a terminal.

usage: manual_test.py TOOL"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(sys.argv.pop(1)).resolve()


def printed(*words):
    return subprocess.run([TOOL, *words], check=True, capture_output=True, text=True).stdout


COMMANDS = re.findall(r"^  ([a-z-]+)  ", printed("--help").split("Commands:")[1], re.M)


def options_of(command):
    """The options that --help explains."""
    rows = re.split(r"^Options:$", printed(command, "--help"), flags=re.M)[1]
    return set(re.findall(r"--[a-z][a-z-]*", " ".join(re.findall(r"^  -.*?(?=  |$)", rows, re.M))))


def run_shell(script, program):
    return subprocess.run(program, input=script, capture_output=True, text=True)


class Bash(unittest.TestCase):
    @staticmethod
    def completed(line):
        words = [str(TOOL), *line.split(" ")[1:]]
        quoted = " ".join("'" + word + "'" for word in words)
        script = (printed("completion", "bash") + f"COMP_WORDS=({quoted}); "
                  f"COMP_CWORD={len(words) - 1}; _rope_check; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        done = run_shell(script, ["bash", "--norc", "-eu"])
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout.split()

    def test_completes_commands_options_and_values(self):
        for line, want in (("rope-check ver", ["verify"]),
                           ("rope-check plot-d", ["plot-decay"]),
                           ("rope-check verify --pipel", ["--pipeline"]),
                           ("rope-check verify --pipeline hf", ["hf-fp32"]),
                           ("rope-check explain --rope rope_type=lla", ["rope_type=llama3"]),
                           ("rope-check explain --model phi-2", ["phi-2"]),
                           ("rope-check baseline r", ["record"]),
                           ("rope-check baseline record b.json -- compare --cache-", ["--cache-layout"]),
                           ("rope-check verify --config x", []),
                           ("rope-check verify x", []),
                           ("rope-check nothing --x", [])):
            self.assertEqual(self.completed(line), want, line)

    def test_completes_every_command_and_option(self):
        self.assertEqual(self.completed("rope-check "), COMMANDS)
        for command in COMMANDS:
            self.assertLessEqual(options_of(command), set(self.completed(f"rope-check {command} -")))


class Words(unittest.TestCase):
    def test_the_option_accepts_each_completed_value(self):
        for option in ("--layout", "--model", "--pipeline", "--only", "--require", "--reading",
                       "--color", "--rope"):
            words = Bash.completed(f"rope-check verify {option} ")
            self.assertGreater(len(words), 1, option)
            dim = [] if option == "--model" else ["--dim", "8"]
            for word in words:
                done = subprocess.run([TOOL, "verify", *dim, "--context", "8", option, word],
                                      capture_output=True, text=True)
                self.assertNotRegex(done.stderr, "unknown|must be one of|is not true or false",
                                    f"{option} {word}")


class Zsh(unittest.TestCase):
    SHOWN = "compdef() { defined=$2; }; _files() { print :files; }; _describe() { print -rl -- ${(P)2}; }\n"

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh here")
    def test_accepts_the_script(self):
        done = run_shell(self.SHOWN + printed("completion", "zsh") + "print $defined $+functions[_rope-check]",
                         ["zsh", "-f", "-e"])
        self.assertEqual((done.stdout, done.stderr), ("rope-check 1\n", ""))

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh here")
    def test_completes_commands_options_and_values(self):
        for line, want in (("''", "verify:compute cos and sin"), ("verify --pipel", "--pipeline:implementation"),
                           ("verify --pipeline ''", "hf-fp32"), ("baseline ''", "record"),
                           ("baseline ''", ":files"), ("verify --config ''", ":files")):
            words = f"words=({TOOL} {line}); CURRENT=$#words; _rope-check"
            done = run_shell(self.SHOWN + printed("completion", "zsh") + words, ["zsh", "-f", "-e"])
            self.assertEqual(done.stderr, "", line)
            self.assertTrue(any(row.startswith(want) for row in done.stdout.splitlines()), (line, done.stdout))


class Fish(unittest.TestCase):
    @unittest.skipUnless(shutil.which("fish"), "there is no fish here")
    def test_completes_commands_options_and_values(self):
        with tempfile.TemporaryDirectory() as home:
            file = Path(home) / "rope-check.fish"
            file.write_text(printed("completion", "fish"))
            empty = Path(home) / "empty"
            empty.mkdir()
            (Path(home) / "rope-check").symlink_to(TOOL)
            for line, want in (("rope-check ver", {"verify"}),
                               ("rope-check verify --pipel", {"--pipeline"}),
                               ("rope-check verify --pipeline hf", {"hf-fp32"}),
                               ("rope-check baseline r", {"record"})):
                done = subprocess.run(
                    ["fish", "--no-config", "-c", f"source {file}; complete -C '{line}'"],
                    capture_output=True, text=True, cwd=empty,
                    env={"HOME": home, "PATH": f"{home}:/usr/bin:/bin"})
                self.assertEqual(done.stderr, "", line)
                self.assertEqual({row.split("\t")[0] for row in done.stdout.splitlines()}, want, line)


class Help(unittest.TestCase):
    def test_fits_80_columns(self):
        for words in (["--help"], *([command, "-h"] for command in COMMANDS)):
            for line in printed(*words).split("Examples:")[0].splitlines():
                self.assertLessEqual(len(line), 80, line)
        for command in COMMANDS:
            options = printed(command, "--help").split("\nOptions:")[1].split("\n\n")[0]
            for line in options.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_aligns_meanings_and_wraps_them_below_long_names(self):
        for command in COMMANDS:
            for part in re.split(r"\n\n(?:Options|Config .*):\n", printed(command, "--help"))[1:]:
                for line in part.split("\n\n")[0].splitlines():
                    names = re.match(r"  \S.*?(?=  |$)|", line)[0]
                    self.assertRegex(line[max(len(names), 24):], r"^(  \S|$)" if len(names) <= 24 else "^$")
                    self.assertTrue(line != names or len(names) > 24, line)

    def test_lists_the_options_of_every_command(self):
        for command in COMMANDS:
            self.assertLessEqual({"--color", "--sandbox"}, options_of(command), command)

    def test_each_command_has_the_same_summary_in_the_overview(self):
        listed = printed("--help").split("Commands:\n")[1].split("\n\n")[0]
        summaries = [" ".join(row.split()) for row in re.split(r"\n(?=  \S)", listed)]
        own = [" ".join(printed(command, "-h").split("\n\n")[0].split()) for command in COMMANDS]
        self.assertEqual(["rope-check " + row.replace(" ", ": ", 1) for row in summaries], own)

    def test_h_is_at_most_a_screen(self):
        for command in COMMANDS:
            self.assertLessEqual(len(printed(command, "-h").splitlines()), 25, command)


if __name__ == "__main__":
    unittest.main()
