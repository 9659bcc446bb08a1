"""Runs a program made from a changed source, which may do anything to files and processes."""
import subprocess
import time
from dataclasses import dataclass

# with its own processes and /tmp, and no other writable folder
JAIL = ["bwrap", "--dev-bind", "/", "/", "--remount-ro", "/", "--tmpfs", "/tmp", "--proc", "/proc",
        "--unshare-pid", "--die-with-parent"]
GIBIBYTE = 2 ** 30


@dataclass(frozen=True)
class Ended:
    code: int | None  # None after the time limit
    seconds: float
    output: str


def limits(cpu_seconds):
    """Limits for each process."""
    return ["prlimit", f"--cpu={cpu_seconds}", f"--as={8 * GIBIBYTE}", f"--fsize={GIBIBYTE}",
            "--core=0"]


def ended(words, seconds, folder, environment=()):
    """The result of a test that may use so many processor seconds, and ten times as many seconds of wall time."""
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
