#!/usr/bin/env bash
# Injects every known mistake with NumPy and prints the diagnosis of each.
# With --random [--seed 1] [--cases 300] it draws 1 to 3 of them at random and counts the outcomes.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build_tool
install_packages "${test_packages[@]}"
cd "$root"
script=tests/diagnosis/matrix.py words=(build/release/cli/rope-check)
if [[ ${1:-} == --random ]]; then
    shift
    script=tests/diagnosis/random/judge.py
    words=(--tool build/release/cli/rope-check)
fi
exec /usr/bin/env PATH="/usr/bin:$PATH" python3 "$script" "${words[@]}" "$@"
