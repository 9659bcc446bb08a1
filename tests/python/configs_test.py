"""`rope-check-configs`, which pre-commit calls with the changed configs of a commit."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
         "max_position_embeddings": 8192, "rope_theta": 500000.0}


class Configs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def config(self, name, **keys):
        path = self.folder / name / "config.json"
        path.parent.mkdir()
        path.write_text(json.dumps({**RIGHT, **keys}))
        return f"{name}/config.json"

    def run_on(self, *files):
        done = subprocess.run(
            [sys.executable, "-c",
             "import sys; from rope_check.configs import main; sys.exit(main())", *files],
            cwd=self.folder, capture_output=True, encoding="utf-8")
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_right_configs_print_nothing(self):
        self.assertEqual(self.run_on(self.config("a"), self.config("b")), (0, []))

    def test_each_wrong_config_has_one_line_and_right_ones_none(self):
        two_types = self.config("two", rope_scaling={"type": "yarn", "rope_type": "linear",
                                                     "factor": 4.0})
        no_factor = self.config("none", rope_scaling={"rope_type": "linear"})
        code, lines = self.run_on(self.config("right"), two_types, no_factor)
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 2, lines)
        self.assertRegex(lines[0], "^warning: two/config.json: rope_scaling.rope_type is 'linear' but")
        self.assertRegex(lines[1], "^error: none/config.json: rope_scaling.factor is missing")

    def test_configs_without_rope_pass_with_a_note(self):
        for name, keys, why in (
                ("bert", {"model_type": "bert", "hidden_size": 768}, "bert uses learned absolute positions"),
                ("mamba", {"model_type": "mamba", "hidden_size": 768}, "mamba uses a state space model"),
                ("unet", {"_class_name": "UNet2DConditionModel"}, "UNet2DConditionModel uses no positions"),
                ("own", {"model_type": "own_detector", "d_model": 256}, "has neither head_dim nor"),
                ("tsc", {"compilerOptions": {}}, "has neither head_dim nor")):
            path = self.folder / name / "config.json"
            path.parent.mkdir()
            path.write_text(json.dumps(keys))
            code, lines = self.run_on(f"{name}/config.json")
            self.assertEqual((code, len(lines)), (0, 1), lines)
            self.assertRegex(lines[0], f"^note: {name}/config.json: {why}.*; not checked$")
        for name, text in (("no_size", '{"rope_theta": 1e6}'), ("no_json", '{"a":'),
                           ("odd", '{"model_type": "llama", "hidden_size": 7, "num_attention_heads": 1}')):
            (self.folder / name).mkdir()
            (self.folder / name / "config.json").write_text(text)
            code, lines = self.run_on(f"{name}/config.json")
            self.assertEqual(code, 1, name)
            self.assertRegex(lines[0], f"^error: {name}/config.json")

    def test_a_file_that_cannot_be_read_hides_no_other(self):
        wrong = self.config("wrong", rope_scaling={"rope_type": "linear"})
        code, lines = self.run_on("absent.json", wrong)
        self.assertEqual(code, 3)
        self.assertEqual(len(lines), 2, lines)

    def test_hook_names_a_command_of_the_package(self):
        hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
        scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
        self.assertIn(re.search(r"entry: (\S+)", hook)[1], scripts)
        files = re.search(r"files: (\S+)", hook)[1]
        self.assertTrue(re.search(files, "models/a/config.json") and re.search(files, "config.json"))
        self.assertFalse(re.search(files, "tsconfig.json"))


if __name__ == "__main__":
    unittest.main()
