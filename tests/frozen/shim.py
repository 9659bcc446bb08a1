"""Stands in for the tool in every script: runs the frozen one, then the present one, with the same words,
folder and input, hands on what the present one says, and notes what differs. frozen.py starts it."""
import os
import stat
import sys
import time

# what takes longer to import, and the modules beside this one, is imported where it is needed

LARGEST = 1 << 23    # of a file that is kept in memory
EXAMPLES = 3         # of a difference
KEPT = 200 << 10     # KiB of examples, together
SIGNALS = (13, 25)   # SIGPIPE and SIGXFSZ, which Python ignores
DUMPS = (".npz", ".npy", ".safetensors", ".gguf", ".raw", ".bin")


def read_all(fd):
    parts = []
    while part := os.read(fd, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def standard_input():
    """A file that can be read twice, where there is something to read."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return None
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return 0
    fd = os.memfd_create("stdin")
    os.write(fd, read_all(0))
    return fd


def run(program, words, stdin, start):
    """Exit code, stdout, stderr."""
    out, err = os.memfd_create("stdout"), os.memfd_create("stderr")
    actions = [(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)]
    if stdin is not None:
        if start is not None:
            os.lseek(stdin, start, os.SEEK_SET)
        actions.append((os.POSIX_SPAWN_DUP2, stdin, 0))
    pid = os.posix_spawn(program, ["rope-check", *words], os.environ, file_actions=actions,
                         setsigdef=SIGNALS)
    _, status = os.waitpid(pid, 0)
    said = []
    for fd in (out, err):
        os.lseek(fd, 0, os.SEEK_SET)
        said.append(read_all(fd))
        os.close(fd)
    return os.waitstatus_to_exitcode(status), *said


def places(words, scratch):
    """What the words may name, and the present folder: as far as it is in the scratch folder."""
    here, found = os.getcwd(), []
    inside = here.startswith(scratch)
    for word in words:
        for part in {word, *word.partition(":")[::2], word.partition("=")[2]}:
            path = os.path.normpath(os.path.join(here, part))
            if part and path.startswith(scratch + "/") and not (inside and (path + "/").startswith(here + "/")):
                found.append(path)
    return found + [here] * inside


def checksum(path):
    import zlib
    total = 0
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            total = zlib.crc32(part, total)
    return total


def note(path, entries, before):
    try:
        status = os.lstat(path)
    except OSError:
        return
    if stat.S_ISDIR(status.st_mode):
        entries[path] = "folder", None
        for name in os.listdir(path):
            note(os.path.join(path, name), entries, before)
    elif stat.S_ISREG(status.st_mode):
        stamp = status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode
        known = before and before.get(path)
        if known and known[0] == stamp:
            entries[path] = known
            return
        data = None
        if status.st_size <= LARGEST:
            with open(path, "rb", 0) as file:
                data = file.read()
        elif before is not None:
            data = b"(%d bytes, CRC %d)" % (status.st_size, checksum(path))
        entries[path] = stamp, data
    else:
        entries[path] = "other", None


def snapshot(paths, before=None):
    entries = {}
    for path in paths:
        note(path, entries, before)
    return entries


def changes(before, after):
    """Of each file and folder that was made, written or removed, its bytes."""
    made = {path: after[path][1] for path in after if after[path] != before.get(path)}
    made.update((path, b"(removed)") for path in before if path not in after)
    return made


def restore(before, made):
    for path in sorted(made, reverse=True):
        if path not in before:
            os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    for path in sorted(made):
        if path in before and before[path][0] == "folder":
            os.makedirs(path, exist_ok=True)
        elif path in before and before[path][1] is not None:
            with open(path, "wb") as file:
                file.write(before[path][1])


def dump_of(words):
    """The file that is judged."""
    files = (word.partition(":")[0] for word in words)
    return next((file for file in files if file.endswith(DUMPS) and os.path.exists(file)), None)


def stamp_of(words):
    """Tells dumps from each other, so that they can be counted."""
    file = dump_of(words)
    return f"{os.stat(file).st_ino}.{os.stat(file).st_mtime_ns}" if file else ""


def is_chosen(words, part):
    """One dump in `part`, by its bytes: the same ones in every run."""
    file = dump_of(words)
    return file is not None and checksum(file) % part == 0


def append(path, text):
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(fd, text.encode("utf-8", "surrogateescape"))
    os.close(fd)


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


class Shim:
    def __init__(self, frozen, present, folder, scratch, spec_options, identified):
        self.frozen, self.present, self.folder, self.scratch = frozen, present, folder, scratch
        self.spec_options, self.identified = spec_options, identified  # one dump in so many

    def compare(self, words, stdin):
        """Both tools on these words; what the present one says."""
        import translate
        start = os.lseek(stdin, 0, os.SEEK_CUR) if stdin is not None and not os.isatty(stdin) and \
            stat.S_ISREG(os.fstat(stdin).st_mode) else None
        if stdin:
            start = 0
        watched, stamp = places(words, self.scratch), stamp_of(words)
        before = snapshot(watched)
        one = run(self.frozen, translate.for_frozen(words), stdin, start)
        made = changes(before, snapshot(watched, before))
        restore(before, made)
        if made:
            before = {path: now if path in made else before[path] for path, now in snapshot(watched, before).items()}
        other = run(self.present, words, stdin, start)
        made_now = changes(before, snapshot(watched, before))
        found = (one != other or made != made_now) and self.explain(words, before, (*one, made), (*other, made_now))
        append(f"{self.folder}/runs", f"{int(bool(found))} {stamp}\n")
        return other

    def explain(self, words, before, one, other):
        import json
        import differences
        found = differences.between(words, differences.Side(*one), differences.Side(*other))
        if not found:
            return False
        case = self.keep(found, words, before, one, other)
        append(f"{self.folder}/found", json.dumps({"words": words, "case": case, "found": found}) + "\n")
        return True

    def keep(self, found, words, before, one, other):
        """A folder with the inputs and what both made of them, of the first examples of a difference."""
        import shlex
        if not any([self.is_new(kind, signature) for kind, signature, _ in found]):
            return ""
        case = f"{self.folder}/examples/{time.time_ns()}-{os.getpid()}"
        inputs = {path: data for path, (_, data) in before.items() if data is not None}
        for path in before:
            if os.path.islink(path) and os.path.isfile(path):
                with open(path, "rb") as file:
                    inputs[path] = file.read()
        size = sum(map(len, inputs.values())) + sum(
            len(data or b"") for side in (one, other) for data in (side[1], side[2], *side[3].values()))
        kept = f"{os.path.dirname(self.folder)}/kept"
        if os.path.exists(kept) and os.path.getsize(kept) + size // 1024 > KEPT:
            return ""
        append(kept, "." * (size // 1024 + 1))
        moved = lambda text: text.replace(self.scratch, f"{case}/inputs")
        for path, data in inputs.items():
            put(moved(path), data)
        here = moved(os.getcwd())
        os.makedirs(here, exist_ok=True)
        put(f"{case}/command", f"cd {shlex.quote(here)} && rope-check {moved(shlex.join(words))}\n".encode())
        for name, (code, out, err, made) in (("frozen", one), ("present", other)):
            put(f"{case}/{name}/exit", b"%d\n" % code)
            put(f"{case}/{name}/stdout", out)
            put(f"{case}/{name}/stderr", err)
            for path, data in made.items():
                if data is not None:
                    put(path.replace(self.scratch, f"{case}/{name}/made"), data)
        return case

    def is_new(self, kind, signature):
        import zlib
        name = f"{os.path.dirname(self.folder)}/seen/{zlib.crc32(f'{kind}: {signature}'.encode()):08x}"
        for number in range(EXAMPLES):
            try:
                os.close(os.open(f"{name}.{number}", os.O_CREAT | os.O_EXCL))
                return True
            except FileExistsError:
                pass
        return False


def main(*settings):
    import translate
    shim, words, stdin = Shim(*settings), sys.argv[1:], standard_input()
    code, out, err = shim.compare(words, stdin)
    if shim.identified and is_chosen(words, shim.identified):
        bare = translate.without_config(words, shim.spec_options)
        if bare != words:
            shim.compare(bare, stdin)
    try:
        for fd, data in ((2, err), (1, out)):
            while data:
                data = data[os.write(fd, data):]
    except OSError:
        pass  # nobody reads it
    os._exit(code if code >= 0 else 128 - code)
