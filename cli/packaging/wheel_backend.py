"""The backend that pip calls to build this project (PEP 517): a wheel with the module src/python/rope_check and
the program of ./dev run, which is built if it is missing.

`pip wheel . --config-settings program=FILE` takes a built program.
"""
import base64
import hashlib
import io
import os
import pathlib
import platform
import re
import struct
import subprocess
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / "src/python/rope_check"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same bytes from the same files


def _project():
    try:
        import tomllib
    except ImportError:
        raise SystemExit("building the wheel takes Python 3.11 or later; the wheel itself, 3.9")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    project["version"] = re.search(r"project\(rope_check VERSION ([0-9.]+)", cmake)[1]
    return project


def _built_program():
    program = ROOT / "build/release/cli/rope-check"
    if not program.exists():
        print("rope-check: compiling takes about 5 minutes on 2 cores; after ./dev run --version it "
              "takes seconds", flush=True)
    try:
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", program.parents[1], "--target", "rope-check"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"rope-check could not be compiled ({error}); ./dev run --version installs what "
                         "is missing, or says what to install")
    return program


def _is_static(program):
    """Whether the program needs no interpreter: no segment of its 64-bit ELF names one."""
    data = program.read_bytes()
    if data[:5] != b"\x7fELF\2":
        return False
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    return all(struct.unpack_from("<I", data, start + k * size)[0] != 3 for k in range(count))


def _machine(program):
    """The name of the processor in tags, from the ELF, which may be for another processor than this one."""
    number, = struct.unpack_from("<H", program.read_bytes(), 18)
    return {62: "x86_64", 183: "aarch64"}.get(number) or sysconfig.get_platform().rpartition("-")[2]


def _tag(program):
    """Any Linux for a static program, else the glibc that the program is linked with."""
    name, version = platform.libc_ver()
    machine = _machine(program)
    if _is_static(program):
        return "py3-none-" + ".".join(f"{one}_{machine}" for one in (
            "manylinux_2_17", "manylinux2014", "musllinux_1_1"))
    if name == "glibc":
        return f"py3-none-manylinux_{version.replace('.', '_')}_{machine}"
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _metadata(project):
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
            f"Summary: {project['description']}\nLicense: {project['license']['text']}\n"
            f"Requires-Python: {project['requires-python']}\n"
            + "".join(f"Project-URL: {name}, {url}\n" for name, url in project["urls"].items()) +
            "Description-Content-Type: text/markdown\n\n"
            + (ROOT / project["readme"]).read_text(encoding="utf-8"))


def _entry_points(project):
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    return "\n".join(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in each.items())
                     for group, each in groups.items())


def _stem(project):
    return f"{project['name'].replace('-', '_')}-{project['version']}"


class _Wheel:
    """A zip that ends with the digests of its files."""

    def __init__(self, path, info):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info, self.record = info, []

    def add(self, name, data, mode=0o644):
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self):
        name = f"{self.info}/RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, EPOCH), "".join(self.record) + f"{name},,\n")
        self.zip.close()


def _description(project):
    """The files of the folder NAME.dist-info that do not depend on the program."""
    return {"METADATA": _metadata(project), "entry_points.txt": _entry_points(project),
            "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    project = _project()
    folder = pathlib.Path(metadata_directory, f"{_stem(project)}.dist-info")
    folder.mkdir()
    for name, text in _description(project).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    program = pathlib.Path((config_settings or {}).get("program") or _built_program())
    python, abi, platforms = _tag(program).split("-")
    name = f"{_stem(project)}-{python}-{abi}-{platforms}.whl"
    wheel = _Wheel(pathlib.Path(wheel_directory, name), f"{_stem(project)}.dist-info")
    for file in sorted(MODULE.iterdir()):
        if file.suffix in (".py", ".typed"):
            wheel.add(f"rope_check/{file.name}", file.read_bytes())
    wheel.add("rope_check/rope-check", program.read_bytes(), 0o755)
    tags = "".join(f"Tag: {python}-{abi}-{one}\n" for one in platforms.split("."))
    about = "Wheel-Version: 1.0\nGenerator: rope-check\nRoot-Is-Purelib: false\n" + tags
    for file, text in {**_description(project), "WHEEL": about}.items():
        wheel.add(f"{wheel.info}/{file}", text.encode())
    wheel.close()
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The files that git tracks, and new files that it does not ignore."""
    project = _project()
    name = _stem(project)
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    with tarfile.open(pathlib.Path(sdist_directory, f"{name}.tar.gz"), "w:gz") as archive:
        for file in sorted(filter(None, listed.split("\0"))):
            if (ROOT / file).is_file():
                archive.add(ROOT / file, f"{name}/{file}")
        data = _metadata(project).encode()
        entry = tarfile.TarInfo(f"{name}/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return f"{name}.tar.gz"
