#!/usr/bin/env bash
# Changes N places (300) of FILES or folders (all modules), one at a time, and prints the changes that
# no test notices; with --each 3, three in each module. tests/mutants.md lists acceptable changes.
# The first run measures the time of each test.
# tools/mutate.sh --seed 1 [--each 3] [FILES…] [N]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

mutation_packages=("${test_packages[@]}" bubblewrap binutils)
build mutate "${mutation_packages[@]}"
cd "$root"
exec python3 -B tests/mutation/mutate.py . build/mutate "$@"
