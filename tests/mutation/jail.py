"""Runs what a changed source made of a program, which may do anything to files and processes."""
import subprocess
import time
from dataclasses import dataclass

# its own processes and /tmp; it can write to nothing else
JAIL = ["bwrap", "--dev-bind", "/", "/", "--remount-ro", "/", "--tmpfs", "/tmp", "--proc", "/proc",
        "--unshare-pid", "--die-with-parent"]
GIBIBYTE = 2 ** 30


@dataclass(frozen=True)
class Ended:
    code: int | None  # None: time is up
    seconds: float
    output: str


def limits(cpu_seconds):
    """What each process may use."""
    return ["prlimit", f"--cpu={cpu_seconds}", f"--as={8 * GIBIBYTE}", f"--fsize={GIBIBYTE}",
            "--core=0"]


def ended(words, seconds, folder, environment=()):
    """How a test ends that has so many seconds of a processor, and ten times as many of a clock."""
    begin = time.monotonic()
    variables = [word for name, value in {**dict(environment), "TMPDIR": "/tmp"}.items()
                 for word in ("--setenv", name, str(value))]
    with subprocess.Popen([*limits(int(seconds) + 1), *JAIL, *variables, "--",
                           *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          errors="replace") as child:
        try:
            output = child.communicate(timeout=10 * seconds + 10)[0]
            code = child.returncode
        except subprocess.TimeoutExpired:
            child.kill()
            output, code = child.communicate()[0], None
    return Ended(code, time.monotonic() - begin, output)
