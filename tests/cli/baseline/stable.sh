#!/usr/bin/env bash
# The baseline that another compiler recorded on another day (baseline/recorded.json) has not
# drifted, on any instruction set, on one processor or all.
# usage: stable.sh ROPE_CHECK
set -uo pipefail
[[ -x $1 ]] || { echo "usage: $0 ROPE_CHECK"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$here/.." || exit 2
unset CI LC_ALL LANG

checked=0
# holds NAME WORD…: the words before rope-check change nothing
holds() {
    local name=$1 said
    shift
    said=$("$@" rope-check baseline check baseline/recorded.json --format text 2>&1) ||
        { printf 'FAIL %s\n%s\n' "$name" "$said"; exit 1; }
    checked=$((checked + 1))
}

holds "as it is" env
if command -v taskset >/dev/null; then holds "on one processor" taskset -c 0; fi
for isa in baseline avx2 avx512; do
    if ROPE_CHECK_ISA=$isa rope-check verify --dim 2 --context 1 >/dev/null 2>&1; then
        holds "$isa" env ROPE_CHECK_ISA=$isa
    fi
done
echo "no drift in $checked surroundings"
