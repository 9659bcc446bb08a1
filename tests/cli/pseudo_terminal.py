"""What the tests of terminals share: the environment of a command, and reading what it shows."""
import os
import threading

KEPT = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
END = b"\0end\0"


def environment(**more):
    """Of a terminal with colours, whatever this process has."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"TERM": "xterm-256color", "LANG": "en_US.UTF-8"} | more


def write_end(child, slave):
    """Writes END after all that the child wrote. A terminal whose last writer closes it may drop
    what was not read yet, and there is no telling what still has to come from nothing more to
    come: so the slave stays open, and its reader reads as far as END."""
    def write():
        child.wait()
        os.write(slave, END)
    threading.Thread(target=write, daemon=True).start()


def all_shown(child, master, slave):
    """Everything until the child ends; closes both ends."""
    write_end(child, slave)
    shown = b""
    while not shown.endswith(END):
        shown += os.read(master, 1 << 16)
    os.close(master)
    os.close(slave)
    return shown.removesuffix(END)
