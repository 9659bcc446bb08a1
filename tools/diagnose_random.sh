#!/usr/bin/env bash
# Injects 1 to 3 mistakes drawn at random with NumPy, and counts the outcomes of the diagnoses:
# tools/diagnose_random.sh [--seed 1] [--cases 300]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build_tool
install_packages "${test_packages[@]}"
cd "$root"
exec /usr/bin/env PATH="/usr/bin:$PATH" python3 tests/diagnosis/random/judge.py --tool build/release/cli/rope-check "$@"
