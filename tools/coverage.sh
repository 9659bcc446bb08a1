#!/usr/bin/env bash
# Prints which lines and branches of src the tests execute, by module. Arguments go to ctest.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build coverage "${test_packages[@]}" "${page_packages[@]}" clang-19 llvm-19 libclang-rt-19-dev
exec python3 -B "$root/tests/coverage/coverage.py" "$root" "$root/build/coverage" "$@"
