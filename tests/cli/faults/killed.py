#!/usr/bin/env python3
"""If SIGKILL ends an audit, the next audit removes its folder, and no other folder.

usage: killed.py ROPE_CHECK
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOOL = os.path.abspath(sys.argv[1])
SLEEPS = [sys.executable, "-c", "import os, time; open('pid', 'w').write(str(os.getpid())); "
          "time.sleep(600)"]
PATIENCE = 60


def awaited(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


class Killed(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.temporary = self.scratch / "temporary"
        self.temporary.mkdir()
        self.pid = self.scratch / "pid"

    def start(self, *program):
        return subprocess.Popen(
            [TOOL, "audit", "--dim", "16", "--", *program], cwd=self.scratch,
            env={**os.environ, "TMPDIR": str(self.temporary)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def sleeping(self):
        """A running audit, its folder and the process id of its program."""
        self.pid.unlink(missing_ok=True)
        before = set(self.temporary.iterdir())
        audit = self.start(*SLEEPS)
        self.assertTrue(awaited(lambda: self.pid.exists() and self.pid.read_text()))
        folder, = set(self.temporary.iterdir()) - before
        return audit, folder, int(self.pid.read_text())

    def test_leaves_its_folder_to_the_next(self):
        audit, folder, program = self.sleeping()
        (folder / "deep").mkdir()
        audit.send_signal(signal.SIGKILL)
        os.kill(program, signal.SIGKILL)
        audit.communicate()
        self.assertTrue(folder.exists())
        self.start("true").communicate()
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_leaves_the_folders_of_other_audits(self):
        own = self.temporary / "own"
        own.mkdir()
        (own / "kept").write_text("")
        (self.temporary / "rope-check-audit-linked").symlink_to(own)
        (self.temporary / "rope-check-audit-file").write_text("")
        (self.temporary / "rope-check-another").mkdir()
        before = set(self.temporary.iterdir())
        audit, folder, _ = self.sleeping()
        self.start("true").communicate()
        self.assertEqual(set(self.temporary.iterdir()) - before, {folder})
        self.assertTrue((folder / "x.npy").exists())
        audit.send_signal(signal.SIGTERM)
        audit.communicate()
        self.assertEqual(set(self.temporary.iterdir()), before)
        self.assertTrue((own / "kept").exists())

    def test_disturbs_no_audit_of_many_at_a_time(self):
        (self.temporary / "rope-check-audit-000000").mkdir()
        program = [sys.executable, "-c",
                   "import os, sys; sys.exit(not os.path.exists(sys.argv[1] + '/x.npy'))"]
        audits = [self.start(*program) for _ in range(24)]
        for audit in audits:  # after its program found the request, and before it answers
            self.assertIn(b"/y.npy, which the program writes", audit.communicate()[1])
        self.assertEqual(list(self.temporary.iterdir()), [])


unittest.main(argv=sys.argv[:1], verbosity=2)
