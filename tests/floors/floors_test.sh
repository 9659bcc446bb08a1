#!/bin/sh
# Proves that floors.sh can fail: each row of the table below, alone in a small tree, must be
# named; a tree of lawful lines must pass.
set -u
floors=$(dirname "$0")/floors.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# try EXPECTED_EXIT FILE TEXT
try() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/$(dirname "$2")"
    printf '%s\n' "$3" >"$tree/$2"
    output=$(sh "$floors" "$tree")
    code=$?
    named=0
    case $output in *"$2:1:"*) named=1 ;; esac
    [ "$code" -eq "$1" ] && [ "$named" -eq "$1" ] && return
    printf 'expected exit %s, got %s for %s: %s\n%s\n' "$1" "$code" "$2" "$3" "$output"
    failures=$((failures + 1))
}

while IFS='|' read -r file text; do
    [ -n "$file" ] && try 1 "$file" "$text"
done <<'END'
src/rope/a.cpp|#include "io/config.hpp"
src/rope/a.cpp|#include "plots/svg.hpp"
src/rope/a.cpp|#include <nlohmann/json.hpp>
src/rope/a.cpp|#include <fmt/format.h>
src/rope/a.cpp|#include <unistd.h>
src/rope/checks/a.cpp|# include <CLI/CLI.hpp>
src/io/a.hpp|#include "plots/figure.hpp"
src/io/a.hpp|#include "cli/options.hpp"
src/io/readers/a.cpp|#include <CLI/CLI.hpp>
plots/a.cpp|#include "io/report_json.hpp"
plots/a.cpp|#include <nlohmann/json.hpp>
plots/figures/a.cpp|#include <unistd.h>
plots/figures/a.cpp|#include <CLI/CLI.hpp>
cli/a.cpp|#include <nlohmann/json.hpp>
cli/verify.cpp|#include <CLI/CLI.hpp>
src/rope/a.cpp|using namespace std;
tests/a_test.cpp|using namespace std::chrono;
src/io/a.cpp|#include <iostream>
src/rope/a.cpp|double x = std::sin(y);
src/rope/a.cpp|double x = 2*std::cos (y);
plots/a.cpp|double x = cosf(y);
plots/a.cpp|double x = ::sin(y);
plots/a.cpp|    return sin(y);
plots/a.cpp|f(1 - cos(y));
src/rope/a.cpp|std::transform(a, b, c, std::cosf);
src/io/a.cpp|double x = strtod(text, nullptr);
src/io/a.cpp|double x = std::stod(text);
src/io/a.cpp|double x = atof(text);
src/io/a.cpp|setlocale(LC_ALL, "");
src/rope/a.cpp|printf("%g", x);
src/rope/a.cpp|std::snprintf(buffer, size, "%g", x);
src/rope/a.cpp|fprintf(stderr, "%g", x);
src/io/a.cpp|posix_spawnp(&pid, name, nullptr, nullptr, words, environ);
cli/a.cpp|std::system("true");
cli/audit.cpp|execvp(name, words);
plots/a.cpp|std::FILE* pipe = popen("true", "r");
src/io/a.cpp|const int s = ::socket(AF_INET, SOCK_STREAM, 0);
CMakeLists.txt|add_compile_options(-ffast-math)
src/rope/CMakeLists.txt|target_compile_options(x PRIVATE -Ofast)
CMakePresets.json|"CMAKE_CXX_FLAGS": "-funsafe-math-optimizations"
END
# written in two pieces, for floors.sh reads this file too
try 1 tests/golden/make.md "taken from ../""shared/golden"

while IFS='|' read -r file text; do
    [ -n "$file" ] && try 0 "$file" "$text"
done <<'END'
src/rope/a.cpp|#include <mpfr.h>
src/rope/a.cpp|#include "rope/spec.hpp"
src/rope/a.cpp|#include <unordered_map>
src/io/a.cpp|#include <nlohmann/json.hpp>
src/io/a.cpp|#include <sys/stat.h>
src/io/a.cpp|#include <zlib.h>
plots/a.cpp|#include <fmt/format.h>
cli/options.cpp|#include <CLI/CLI.hpp>
src/io/child.cpp|posix_spawnp(&pid, name, nullptr, nullptr, words, environ);
cli/rasterize.cpp|posix_spawnp(&pid, name, nullptr, nullptr, words, environ);
src/io/a.cpp|std::system_category().message(system_error);
cli/a.cpp|#include "io/config.hpp"
cli/a.cpp|#include <iostream>
src/rope/a.cpp|// std::cos(m) = printf("%g")
src/rope/a.cpp|finding.statement = "B(s) = sum of cos(s)";
src/rope/a.cpp|mpfr_cos(x, y, MPFR_RNDN); row.cos(3); exact_cos(p); source->sin(4);
src/rope/a.cpp|double sin = row.sin[i];
src/rope/a.cpp|std::vector<double> cos(n), sin(n);
README.md|never build with -ffast-math
END

[ "$failures" -eq 0 ] && echo 'every violation is named, every lawful line passes'
exit "$failures"
