"""A library with one changed source, outside the build folder: neither the source nor the build changes."""
import json
import os
import re
import shlex
import subprocess
from pathlib import Path


def succeeds(words, folder):
    return subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL,
                          env={**os.environ, "CCACHE_DISABLE": "1"}).returncode == 0


def replaced(words, new):
    return [new.get(word, word) for word in words]


class Build:
    def __init__(self, build):
        self.build = build
        self.libraries = sorted(path for path in build.glob("**/librope_check_*.so")
                                if "mutation" not in path.parts)
        self.links = {path: self.link_of(path) for path in self.libraries}
        self.compilations = {}  # for each file, the commands that make its objects
        for one in json.loads((build / "compile_commands.json").read_text()):
            words = shlex.split(one["command"])
            self.compilations.setdefault(Path(one["file"]), []).append(words)

    def link_of(self, library):
        text = subprocess.run(["ninja", "-t", "commands", library.relative_to(self.build)],
                              cwd=self.build, capture_output=True, text=True, check=True).stdout
        return shlex.split(re.sub(r"^: && | +&& :$", "", text.splitlines()[-1]))

    def library_of(self, file):
        """The file's library, and the commands that make the file's objects in it; None if it is in no library."""
        for library, link in self.links.items():
            found = [words for words in self.compilations.get(file, ())
                     if words[words.index("-o") + 1] in link]
            if found:
                return library, found
        return None

    def changed(self, file, text, folder):
        """Builds the library with this text into the folder, and returns whether that succeeded."""
        library, commands = self.library_of(file)
        source, objects = folder / file.name, {}
        source.write_text(text)
        for number, words in enumerate(commands):
            old = words[words.index("-o") + 1]
            objects[old] = str(folder / f"{number}.o")
            if not succeeds([*replaced(words, {**objects, str(file): str(source)}), "-w",
                             "-iquote", str(file.parent)], self.build):
                return False
        link = replaced(self.links[library], objects | {
            str(library.relative_to(self.build)): str(folder / library.name)})
        return succeeds([*link, "-Wl,--strip-debug"], self.build)

    def is_same_code(self, file, folder):
        """Whether the compiler made the same code from the changed text."""
        def code(made):
            stripped = folder / "stripped.o"
            subprocess.run(["objcopy", "--strip-debug", made, stripped], check=True)
            return stripped.read_bytes()
        return all(code(folder / f"{number}.o") == code(self.build / words[words.index("-o") + 1])
                   for number, words in enumerate(self.library_of(file)[1]))
