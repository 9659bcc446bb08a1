#!/usr/bin/env bash
# Runs the table of cases in FILE against the binary. A case is a line
#     exit | stdout | stderr | command
# stdout and stderr are glob patterns that the text must hold somewhere; `-` means empty. What is
# said on stderr is one line. The command runs in a folder of its own that holds a copy of files/;
# $GOLDEN is tests/golden; $ROPE_PY and $ROPE_C answer audits (audit/rope.py, audit/rope.c).
# usage: run_cases.sh ROPE_CHECK FILE
set -u
[[ -x $1 && -f $2 ]] || { echo "usage: $0 ROPE_CHECK FILE"; exit 2; }
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GOLDEN=$here/../golden
export B="rope-check baseline record base.json --dim 64 --context 64 --reason first"
unset LC_ALL LANG CI "${!ROPE_CHECK_@}"

# A sanitizer's memory cannot be limited, and that of threads ends a process by a SIGXFSZ that it ignores.
untried=
! grep -q __asan_init "$1" || untried='ulimit -v'
! grep -q __tsan_init "$1" || untried='ulimit -[vf]'

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

# holds PATTERN TEXT
holds() {
    if [[ $1 == - ]]; then [[ -z $2 ]]; else [[ $2 == *$1* ]]; fi
}

cases=0 failures=0
while IFS='|' read -r want_code want_out want_err command; do
    [[ -z $want_code || $want_code == \#* ]] && continue
    [[ -n $untried && $command =~ $untried ]] && continue
    rm -rf "$scratch/case" && cp -r "$here/files" "$scratch/case"
    (cd "$scratch/case" && exec bash -o pipefail -c "$command") \
        >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    out=$(tr -d '\0' <"$scratch/out") err=$(<"$scratch/err")
    cases=$((cases + 1))
    if [[ $code -eq $(trim "$want_code") && $(wc -l <"$scratch/err") -le 1 ]] &&
        holds "$(trim "$want_out")" "$out" && holds "$(trim "$want_err")" "$err"; then
        continue
    fi
    failures=$((failures + 1))
    printf 'FAIL %s\n  want exit%s, stdout%s, stderr%s\n  got exit %s\n  stdout: %s\n  stderr: %s\n' \
        "$(trim "$command")" "$want_code" "$want_out" "$want_err" "$code" "${out:0:300}" "$err"
done <"$2"

echo "$((cases - failures)) of $cases cases hold"
((failures == 0 && cases > 0))
