"""What the tests of terminals share: the environment of a command, and reading what it shows."""
import os

KEPT = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")


def environment(**more):
    """Of a terminal with colours, whatever this process has."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"TERM": "xterm-256color", "LANG": "en_US.UTF-8"} | more


def all_shown(master):
    """Everything until the other end is closed; closes this end."""
    shown = b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(master)
    return shown
