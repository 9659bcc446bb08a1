#!/usr/bin/env python3
"""Proves that layering.py detects violations: each planted one is named, each allowed line passes."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import layering  # noqa: E402

VIOLATIONS = [
    ("src/base/a.cpp", '#include "rope/spec/spec.hpp"'),
    ("src/base/a.cpp", "#include <mpfr.h>"),
    ("src/base/a.cpp", "#include <unistd.h>"),
    ("src/rope/spec/a.cpp", '#include "io/model/resolved_model.hpp"'),
    ("src/rope/spec/a.cpp", '#include "plots/svg/svg.hpp"'),
    ("src/rope/spec/a.cpp", '#include "rope/session/judge.hpp"'),
    ("src/rope/exact/a.cpp", '#include "rope/spec/spec.hpp"'),
    ("src/rope/checks/a.cpp", '#include "rope/claims/ledger.hpp"'),
    ("src/rope/evidence/a.cpp", '#include "rope/changes/dump_view.hpp"'),
    ("src/rope/changes/a.cpp", '#include "rope/diagnose/search.hpp"'),
    ("src/rope/diagnose/a.cpp", '#include "rope/session/session.hpp"'),
    ("src/rope/spec/a.cpp", '#include "rope/nowhere/a.hpp"'),
    ("src/rope/spec/a.cpp", "#include <nlohmann/json.hpp>"),
    ("src/rope/spec/a.cpp", "#include <fmt/format.h>"),
    ("src/rope/spec/a.cpp", "#include <unistd.h>"),
    ("src/rope/checks/a.cpp", "# include <CLI/CLI.hpp>"),
    ("src/rope/a.cpp", "int x;"),
    ("src/io/render/a.hpp", '#include "plots/parts/figure.hpp"'),
    ("src/io/render/a.hpp", '#include "cli/shell/options.hpp"'),
    ("src/io/system/a.cpp", '#include "io/config/config_file.hpp"'),
    ("src/io/config/a.cpp", '#include "io/model/gguf_config.hpp"'),
    ("src/io/tensor/a.cpp", "#include <CLI/CLI.hpp>"),
    ("plots/svg/a.cpp", '#include "io/render/results.hpp"'),
    ("plots/svg/a.cpp", '#include "plots/figures/decay.hpp"'),
    ("plots/svg/a.cpp", "#include <nlohmann/json.hpp>"),
    ("plots/figures/a.cpp", "#include <unistd.h>"),
    ("plots/figures/a.cpp", "#include <CLI/CLI.hpp>"),
    ("cli/shell/a.cpp", '#include "cli/command/commands.hpp"'),
    ("cli/shell/a.cpp", "#include <nlohmann/json.hpp>"),
    ("cli/command/verify.cpp", "#include <CLI/CLI.hpp>"),
    ("src/rope/spec/a.cpp", "using namespace std;"),
    ("tests/a_test.cpp", "using namespace std::chrono;"),
    ("src/io/system/a.cpp", "#include <iostream>"),
    ("src/rope/spec/a.cpp", "double x = std::sin(y);"),
    ("src/rope/spec/a.cpp", "double x = 2*std::cos (y);"),
    ("plots/svg/a.cpp", "double x = cosf(y);"),
    ("plots/svg/a.cpp", "double x = ::sin(y);"),
    ("plots/svg/a.cpp", "    return sin(y);"),
    ("plots/svg/a.cpp", "f(1 - cos(y));"),
    ("src/rope/spec/a.cpp", "std::transform(a, b, c, std::cosf);"),
    ("src/io/system/a.cpp", "double x = strtod(text, nullptr);"),
    ("src/io/system/a.cpp", "double x = std::stod(text);"),
    ("src/io/system/a.cpp", "double x = atof(text);"),
    ("src/io/system/a.cpp", 'setlocale(LC_ALL, "");'),
    ("src/rope/spec/a.cpp", 'printf("%g", x);'),
    ("src/rope/spec/a.cpp", 'std::snprintf(buffer, size, "%g", x);'),
    ("src/rope/spec/a.cpp", 'fprintf(stderr, "%g", x);'),
    ("src/io/explain/a.cpp", "return json.dump(2);"),
    ("src/io/config/a.cpp", "text += found->dump();"),
    ("src/io/system/a.cpp", "posix_spawnp(&pid, name, nullptr, nullptr, words, environ);"),
    ("cli/command/plotting.cpp", "posix_spawnp(&pid, name, nullptr, nullptr, words, environ);"),
    ("cli/shell/a.cpp", 'std::system("true");'),
    ("cli/command/audit.cpp", "execvp(name, words);"),
    ("plots/svg/a.cpp", 'std::FILE* pipe = popen("true", "r");'),
    ("src/io/system/a.cpp", "const int s = ::socket(AF_INET, SOCK_STREAM, 0);"),
    ("CMakeLists.txt", "add_compile_options(-ffast-math)"),
    ("src/rope/CMakeLists.txt", "target_compile_options(x PRIVATE -Ofast)"),
    ("CMakePresets.json", '"CMAKE_CXX_FLAGS": "-funsafe-math-optimizations"'),
    # in two pieces, because layering.py reads this file, too
    ("tests/golden/make.md", "taken from ../" + "shared/golden"),
    ("CONTRIBUTING.md", "| `src/base` | a map without the other modules |"),
]

LAWFUL = [
    ("src/rope/exact/a.cpp", "#include <mpfr.h>"),
    ("src/rope/spec/a.cpp", '#include "base/error.hpp"'),
    ("src/rope/spec/a.cpp", '#include "rope/spec/axis.hpp"'),
    ("src/rope/diagnose/a.cpp", '#include "rope/diagnose/search.hpp"'),
    ("src/rope/spec/a.cpp", "#include <unordered_map>"),
    ("src/io/text/a.cpp", "#include <nlohmann/json.hpp>"),
    ("src/io/system/a.cpp", "#include <sys/stat.h>"),
    ("src/io/tensor/a.cpp", "#include <zlib.h>"),
    ("plots/svg/a.cpp", "#include <fmt/format.h>"),
    ("cli/shell/options.cpp", "#include <CLI/CLI.hpp>"),
    ("src/io/text/json_text.cpp", "return json.dump(2);"),
    ("src/io/system/child.cpp", "posix_spawnp(&pid, name, nullptr, nullptr, words, environ);"),
    ("src/io/system/a.cpp", "std::system_category().message(system_error);"),
    ("cli/command/a.cpp", '#include "io/model/resolved_model.hpp"'),
    ("cli/shell/a.cpp", "#include <iostream>"),
    ("src/rope/spec/a.cpp", '// std::cos(m) = printf("%g")'),
    ("src/rope/spec/a.cpp", 'finding.statement = "B(s) = sum of cos(s)";'),
    ("src/rope/spec/a.cpp", "mpfr_cos(x, y, MPFR_RNDN); row.cos(3); exact_cos(p); s->sin(4);"),
    ("src/rope/spec/a.cpp", "double sin = row.sin[i];"),
    ("src/rope/spec/a.cpp", "std::vector<double> cos(n), sin(n);"),
    ("README.md", "never build with -ffast-math"),
]


def violations_of(files):
    with tempfile.TemporaryDirectory() as tree:
        for path, text in files.items():
            full = os.path.join(tree, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        return list(layering.violations(tree))


class Layering(unittest.TestCase):
    def test_each_violation_is_named(self):
        for path, text in VIOLATIONS:
            with self.subTest(path=path, text=text):
                found = violations_of({path: text})
                self.assertTrue(any(one.startswith(f"{path}:1:") for one in found), found)

    def test_each_allowed_line_passes(self):
        for path, text in LAWFUL:
            with self.subTest(path=path, text=text):
                self.assertEqual(violations_of({path: text}), [])

    def test_a_cycle_of_files_is_named(self):
        found = violations_of({"src/rope/spec/a.hpp": '#include "rope/spec/b.hpp"',
                               "src/rope/spec/b.hpp": '#include "rope/spec/c.hpp"',
                               "src/rope/spec/c.hpp": '#include "rope/spec/a.hpp"'})
        self.assertEqual(len(found), 1, found)
        self.assertIn("[a cycle]", found[0])


if __name__ == "__main__":
    unittest.main()
