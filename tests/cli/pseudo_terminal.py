"""Shared by the tests of terminals: the environment of a command, and the reading of its output."""
import os
import threading

KEPT = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
END = b"\0end\0"


def environment(**more):
    """The environment of a terminal with colours, independent of this process's."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"TERM": "xterm-256color", "LANG": "en_US.UTF-8"} | more


def write_end(child, slave):
    """Writes END after the child's output. A terminal whose last writer closes it may drop unread
    text, and a pause does not show that text is complete: the slave stays open, and its reader
    reads as far as END."""
    def write():
        child.wait()
        os.write(slave, END)
    threading.Thread(target=write, daemon=True).start()


def all_shown(child, master, slave):
    """The text until the child ends; closes both ends."""
    write_end(child, slave)
    shown = b""
    while not shown.endswith(END):
        shown += os.read(master, 1 << 16)
    os.close(master)
    os.close(slave)
    return shown.removesuffix(END)
