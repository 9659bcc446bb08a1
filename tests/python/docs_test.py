"""The examples of docs/python.md run, one after the other, as they stand."""
import contextlib
import io
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Docs(unittest.TestCase):
    def test_examples_run(self):
        text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        examples = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        self.assertTrue(examples)
        scope = {"__name__": "example"}
        with contextlib.redirect_stdout(io.StringIO()):
            for example in examples:
                exec(compile(example, "docs/python.md", "exec"), scope)


if __name__ == "__main__":
    unittest.main()
