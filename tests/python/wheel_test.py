"""The contents of the wheel that the backend makes from a built program, and its installation by pip.

PROGRAM_IS_STATIC=1 states that the program is a release build, which must run on any Linux.
"""
import base64
import csv
import hashlib
import importlib.util
import io
import os
import pathlib
import platform
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

if sys.version_info < (3, 11):
    print("building a wheel takes Python 3.11")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cli/packaging"))
import wheel_backend  # noqa: E402

PROGRAM = os.environ["ROPE_CHECK_TOOL"]


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.name = wheel_backend.build_wheel(cls.folder, {"program": PROGRAM})

    @unittest.skipIf(wheel_backend._is_static(pathlib.Path(PROGRAM)), "the program is static")
    def test_tag_names_this_glibc_and_any_python(self):
        name, version = platform.libc_ver()
        self.assertEqual(name, "glibc")
        self.assertRegex(self.name, r"^rope_check-\d+\.\d+\.\d+-py3-none-manylinux_"
                         + version.replace(".", "_") + f"_{platform.machine()}.whl$")

    def test_every_file_is_recorded_by_its_digest(self):
        with zipfile.ZipFile(self.folder / self.name) as wheel:
            record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
            rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
            self.assertEqual([row[0] for row in rows], wheel.namelist())
            for name, digest, size in rows[:-1]:
                data = wheel.read(name)
                sha = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(size)), (f"sha256={sha}", len(data)), name)
            modules = {file.name for file in (ROOT / "src/python/rope_check").glob("*.py")}
            self.assertLess({f"rope_check/{name}" for name in modules}, set(wheel.namelist()))
            self.assertIn("rope_check/py.typed", wheel.namelist())

    def test_the_same_files_make_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as other:
            wheel_backend.build_wheel(other, {"program": PROGRAM})
            self.assertEqual(pathlib.Path(other, self.name).read_bytes(),
                             (self.folder / self.name).read_bytes())

    @unittest.skipUnless(importlib.util.find_spec("pip"), "no pip")
    def test_pip_installs_command_module_and_plugin(self):
        home = self.folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
        python = home / "bin/python"
        subprocess.run([sys.executable, "-m", "pip", "-q", "--python", python, "install", "--no-index",
                        "--no-deps", self.folder / self.name], check=True)
        environment = {"PATH": "/usr/bin:/bin"}
        done = subprocess.run([home / "bin/rope-check", "verify", "--dim", "64", "--context", "64"],
                              env=environment, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([home / "bin/rope-check", "verify", "--dim", "x"], env=environment,
                              capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        subprocess.run([python, "-c", "import rope_check; assert rope_check.verify(head_dim=64).ok; "
                        "from importlib.metadata import entry_points as e; "
                        "assert [p.name for p in e(group='pytest11')] == ['rope_check']"],
                       env=environment, check=True)

    def test_a_source_archive_holds_the_files_for_a_build(self):
        name = wheel_backend.build_sdist(self.folder)
        with tarfile.open(self.folder / name) as archive:
            names = {one.partition("/")[2] for one in archive.getnames()}
        self.assertLess({"pyproject.toml", "CMakeLists.txt", "cli/main.cpp", "PKG-INFO",
                         "src/python/rope_check/tool.py", "cli/packaging/wheel_backend.py"}, names)
        self.assertFalse([one for one in names if one.startswith("build/")])

    def test_versions_agree(self):
        import rope_check
        self.assertTrue(self.name.startswith(f"rope_check-{rope_check.__version__}-"))
        done = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, encoding="utf-8")
        self.assertEqual(done.stdout.split("\n")[0], f"rope-check {rope_check.__version__}")

    @unittest.skipUnless(os.environ.get("PROGRAM_IS_STATIC"), "the program of a test build")
    def test_program_needs_no_library_and_pip_takes_it_on_any_linux(self):
        def elf(*words):
            return subprocess.run(["readelf", "-W", *words, PROGRAM], check=True, capture_output=True,
                                  encoding="utf-8").stdout

        self.assertNotIn("INTERP", elf("-l"))
        self.assertNotIn("(NEEDED)", elf("-d"))
        self.assertIn("No version information", elf("-V"))
        self.assertNotRegex(elf("--dyn-syms"), r" UND +[^ \n]")
        wheel, machine = self.folder / self.name, wheel_backend._machine(pathlib.Path(PROGRAM))
        self.assertLessEqual(wheel.stat().st_size, 6_000_000)
        for platform_tag in ("manylinux_2_17", "manylinux2014", "musllinux_1_1"):
            subprocess.run([sys.executable, "-m", "pip", "-q", "install", "--no-index", "--no-deps",
                            "--platform", f"{platform_tag}_{machine}", "--target",
                            self.folder / platform_tag, wheel], check=True)


if __name__ == "__main__":
    unittest.main()
