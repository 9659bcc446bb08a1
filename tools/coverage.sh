#!/usr/bin/env bash
# Prints how many lines and branches of each source the tests execute. Arguments go to ctest.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build coverage "${test_packages[@]}" "${page_packages[@]}" clang-19 llvm-19 libclang-rt-19-dev
cd "$root/build/coverage"
rm -rf profiles  # the preset compiles its name into the programs
mkdir profiles
ctest -j "$cores" "$@" || say "what a test that fails executes counts, too"
find profiles -name '*.profraw' >profiles.txt
llvm-profdata-19 merge --failure-mode=all -f profiles.txt -o coverage.profdata
mapfile -t programs < <(find tests -type f -executable ! -name '*.so')
exec llvm-cov-19 report --instr-profile=coverage.profdata --show-region-summary=false cli/rope-check \
    "${programs[@]/#/--object=}" --sources "$root/src"
