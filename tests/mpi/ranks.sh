#!/bin/sh
# usage: ranks.sh ROPE_CHECK ROPE_CHECK_WITH_MPI    Ranks print the same bytes as one process;
# each error is printed once; a run that loses a rank ends immediately and can be resumed.
set -u
alone=$1 with_mpi=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*"
    for log in "$folder"/*.err; do [ -s "$log" ] && cat "$log"; done
    exit 1
}

# on RANKS ARGUMENTS…: runs mpirun; the results are in out, err and $code
on() {
    ranks=$1
    shift
    timeout 120 mpirun -n "$ranks" "$with_mpi" "$@" >"$folder/out" 2>"$folder/ranks.err"
    code=$?
}

same_bytes() {
    "$alone" "$@" >"$folder/alone" 2>"$folder/alone.err"
    alone_code=$?
    "$with_mpi" "$@" >"$folder/out" 2>/dev/null
    cmp "$folder/alone" "$folder/out" || fail "the MPI build without mpirun: $*"
    for ranks in 1 2 3 4; do
        on "$ranks" "$@"
        [ "$code" -eq "$alone_code" ] || fail "$ranks ranks: exit code $code, not $alone_code: $*"
        cmp "$folder/alone" "$folder/out" || fail "$ranks ranks: $*"
    done
    echo "same bytes on 1, 2, 3 and 4 ranks: $*"
}

same_bytes base-bound --dim 64 --context 16384 --verbose
same_bytes base-bound --dim 40 --context 3000 --digits 4 --format text
same_bytes base-bound --dim 128 --context 131072
same_bytes base-bound --dim 64 --context 2048 --base 100
same_bytes base-bound --dim 32 --context 1000 -o svg:-
same_bytes explain --dim 8
same_bytes verify --dim 128 --context 100001 -o json:- -o text:- -o markdown:- -o junit:- -o github:-
same_bytes verify --model llama-3.1-8b --model phi-3.5-mini --pipeline hf-fp32 --pipeline bf16-angles \
    --pipeline tf32 --context 4096 --context 300000 -q -o json:- -o csv:- -o markdown:- -o text:-
same_bytes verify --base 1e4 --base 1e6 --head-dim 63 --head-dim 64 --format text
same_bytes verify --head-dim 63 --head-dim 65 --format text

# one rank writes a file, completely
"$alone" base-bound --dim 64 --context 4096 -q -o "$folder/alone.json" || fail "no report"
on 3 base-bound --dim 64 --context 4096 -q -o "$folder/ranks.json"
cmp "$folder/alone.json" "$folder/ranks.json" || fail "the file of 3 ranks"

on 3 base-bound --dim x
[ "$code" -eq 2 ] || fail "bad input: exit code $code"
[ "$(grep -c '^error: ' "$folder/ranks.err")" -eq 1 ] || fail "the error is not said once"

on 3 base-bound --context 100 --resume "$folder/alone.json"
[ "$code" -eq 2 ] || fail "a wrong --resume: exit code $code"
[ "$(grep -c '^error: --resume' "$folder/ranks.err")" -eq 1 ] || fail "not said once"

on 3 base-bound --context 100 -o "$folder/none/report.json"
[ "$code" -eq 3 ] || fail "a report that cannot be written: exit code $code"
[ "$(grep -c '^error: ' "$folder/ranks.err")" -eq 1 ] || fail "not said once"

on 3 verify --dim 64 --context 64 --context 65 -o "$folder/none/table.json"
[ "$code" -eq 3 ] || fail "a table that cannot be saved: exit code $code"
[ "$(grep -c '^error: ' "$folder/ranks.err")" -eq 1 ] || fail "not said once"

# only one rank gets standard input, and it reads it for all
echo '{"head_dim": 64, "rope_theta": 5e5, "max_position_embeddings": 50000}' >"$folder/config.json"
"$alone" verify --config - <"$folder/config.json" >"$folder/alone" || fail "no report"
on 3 verify --config - <"$folder/config.json"
[ "$code" -eq 0 ] || fail "a config from standard input: exit code $code"
cmp "$folder/alone" "$folder/out" || fail "a config from standard input"

on 3 verify --dim 64 --baseline "$folder/none.json"
[ "$code" -eq 3 ] || fail "no baseline: exit code $code"
[ "$(grep -c '^error: ' "$folder/ranks.err")" -eq 1 ] || fail "not said once"

# lose RANK FILE ENOUGH ARGUMENTS…: kills one of three ranks once enough is in the file
lose() {
    lost=$1 file=$2 enough=$3
    shift 3
    on 3 "$@" &
    running=$!
    waited=0
    until "$enough" "$file"; do
        waited=$((waited + 1))
        [ "$waited" -lt 600 ] || fail "no task was finished in a minute"
        sleep 0.1
    done
    for process in $(pgrep -f "^$with_mpi .*$file"); do
        tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null |
            grep -qx "OMPI_COMM_WORLD_RANK=$lost" && kill -KILL "$process"
    done
    begin=$(date +%s)
    wait "$running"
    [ $(($(date +%s) - begin)) -lt 20 ] || fail "rank $lost was lost, and the run went on"
    [ ! -s "$folder/out" ] || fail "a report without rank $lost"
    grep -q 'exited on signal 9\|another rank died' "$folder/ranks.err" || fail "nothing was said"
}

has_tasks() { [ "$(cat "$1" 2>/dev/null | wc -c)" -gt 5000 ]; }
has_row() { [ "$(cat "$1" 2>/dev/null | wc -c)" -gt 150 ]; }

run_for_a_second() {
    [ "$(pgrep -fc "^$with_mpi .*$1")" -ge 3 ] && sleep 1
}

for rank in 2 0; do
    lose "$rank" "$folder/verify.json" run_for_a_second \
        verify --dim 128 --context 200000000 -o "$folder/verify.json"
    [ ! -e "$folder/verify.json" ] || fail "a file without rank $rank"
    echo "rank $rank of a verify was killed, and the run ended"
done

for rank in 2 0; do
    rm -f "$folder/tasks"
    lose "$rank" "$folder/tasks" has_tasks \
        base-bound --dim 128 --context 2097152 --resume "$folder/tasks"
    kept=$(wc -c <"$folder/tasks")
    on 2 base-bound --dim 128 --context 2097152 --resume "$folder/tasks"
    [ "$code" -eq 0 ] || fail "the run was not resumed: exit code $code"
    [ -f "$folder/expected" ] || "$alone" base-bound --dim 128 --context 2097152 >"$folder/expected"
    cmp "$folder/expected" "$folder/out" || fail "what was resumed is another report"
    [ "$(wc -c <"$folder/tasks")" -gt "$kept" ] || fail "nothing was left to do"
    "$alone" base-bound --dim 128 --context 2097152 --resume "$folder/tasks" >"$folder/again" ||
        fail "resumed without MPI"
    cmp "$folder/expected" "$folder/again" || fail "resumed without MPI"
    echo "rank $rank was killed, the run ended, and was resumed"
done

# two ranks check a row each for seconds while the third rank's rows are kept
set -- verify --dim 128 --pipeline exact --pipeline hf-fp32 --context 4096 --context 30000000 --json
"$alone" "$@" >"$folder/table.json" || fail "no table"
for rank in 2 0; do
    rm -f "$folder/rows"
    lose "$rank" "$folder/rows" has_row "$@" --resume "$folder/rows"
    kept=$(wc -c <"$folder/rows")
    on 2 "$@" --resume "$folder/rows"
    [ "$code" -eq 0 ] || fail "the table was not resumed: exit code $code"
    [ "$(wc -c <"$folder/rows")" -gt "$kept" ] || fail "nothing was left to do"
    cmp "$folder/table.json" "$folder/out" || fail "the table that was resumed"
    echo "rank $rank of a table was killed, the run ended, and was resumed"
done
