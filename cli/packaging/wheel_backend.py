"""What pip calls to build this project (PEP 517): a wheel of the module src/python/rope_check with
the program in it, which CMake builds in build/wheel.

`pip wheel . --config-settings program=FILE` takes a program that is built already.
"""
import base64
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
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
    folder = ROOT / "build/wheel"
    ninja = ["-G", "Ninja"] if shutil.which("ninja") and not folder.exists() else []
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, *ninja, "-DCMAKE_BUILD_TYPE=Release",
                    "-DROPE_CHECK_STATIC=ON", "-DROPE_CHECK_SMALL=ON",
                    "-DROPE_CHECK_HARDENED=ON", "-DCMAKE_EXE_LINKER_FLAGS=-s"],
                   check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "rope-check", "--parallel",
                    str(os.cpu_count())], check=True)
    return folder / "cli/rope-check"


def _tag():
    """manylinux of the glibc that the program is linked against."""
    name, version = platform.libc_ver()
    machine = sysconfig.get_platform().rpartition("-")[2]
    if name == "glibc":
        return f"py3-none-manylinux_{version.replace('.', '_')}_{machine}"
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _metadata(project):
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
            f"Summary: {project['description']}\nLicense: {project['license']['text']}\n"
            f"Requires-Python: {project['requires-python']}\n"
            "Description-Content-Type: text/markdown\n\n"
            + (ROOT / project["readme"]).read_text(encoding="utf-8"))


def _entry_points(project):
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    return "\n".join(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in each.items())
                     for group, each in groups.items())


def _stem(project):
    return f"{project['name'].replace('-', '_')}-{project['version']}"


class _Wheel:
    """A zip that ends in the digests of what is in it."""

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
    """The files of the folder NAME.dist-info but RECORD."""
    return {"METADATA": _metadata(project), "entry_points.txt": _entry_points(project),
            "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
            "WHEEL": "Wheel-Version: 1.0\nGenerator: rope-check\nRoot-Is-Purelib: false\n"
                     f"Tag: {_tag()}\n"}


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
    name = f"{_stem(project)}-{_tag()}.whl"
    wheel = _Wheel(pathlib.Path(wheel_directory, name), f"{_stem(project)}.dist-info")
    for file in sorted(MODULE.iterdir()):
        if file.suffix in (".py", ".typed"):
            wheel.add(f"rope_check/{file.name}", file.read_bytes())
    wheel.add("rope_check/rope-check", program.read_bytes(), 0o755)
    for file, text in _description(project).items():
        wheel.add(f"{wheel.info}/{file}", text.encode())
    wheel.close()
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git tracks, and new files that it does not ignore."""
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
