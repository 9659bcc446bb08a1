#!/usr/bin/env bash
# usage: same_for_any_threads.sh [EMULATOR] ROPE_CHECK    A report is the same bytes for every number of
# threads and every instruction set that this processor runs.
set -u
rope_check=("$@")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# verify NAME ARGUMENTS…: the report, its verdict's exit code in the last line
verify() {
    name=$1
    shift
    "${rope_check[@]}" verify "$@" -o "json:$folder/$name" >/dev/null 2>"$folder/errors"
    code=$?
    if [ "$code" -gt 1 ]; then cat "$folder/errors"; return "$code"; fi
    echo "exit $code" >>"$folder/$name"
}

for subject in "--dim 130 --context 40000" \
    "--dim 64 --context 70000 --base 500000 --pipeline ggml" \
    "--dim 32 --context 50000 --pipeline bf16-positions" \
    "--dim 8 --context 60000 --pipeline tf32" \
    "--dim 128 --context 20000 --pipeline bf16-table"; do
    # shellcheck disable=SC2086
    verify one $subject --threads 1 || exit 1
    for threads in 2 3 8; do
        # shellcheck disable=SC2086
        verify other $subject --threads "$threads" || exit 1
        cmp "$folder/one" "$folder/other" || { echo "$subject: $threads threads"; exit 1; }
    done
    for isa in baseline avx2 avx512; do
        export ROPE_CHECK_ISA=$isa
        # shellcheck disable=SC2086
        if verify other $subject --threads 2; then
            cmp "$folder/one" "$folder/other" || { echo "$subject: $isa"; exit 1; }
        else
            echo "not run: $isa"
        fi
        unset ROPE_CHECK_ISA
    done
done
