#!/usr/bin/env bash
# Runs libFuzzer on one target of tests/fuzz, or on all, each for SECONDS (60). Inputs that fail stay
# in tests/fuzz/found: tools/fuzz.sh [TARGET] [SECONDS]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

fuzz_packages=("${build_packages[@]}" clang-19 libclang-rt-19-dev)

# The targets of tests/fuzz, each of which has seeds.
fuzz_targets() {
    local folder
    for folder in "$root"/tests/fuzz/seeds/*/; do basename "$folder"; done
}

# fuzz_one TARGET SECONDS: failing inputs stay in tests/fuzz/found, the corpus in build/fuzz. An input
# may take 60 s, thirteen times its time without the sanitizers.
fuzz_one() {
    local corpus=$root/build/fuzz/corpus/$1 found=$root/tests/fuzz/found/$1 scratch status=0
    mkdir -p "$corpus" "$found"
    scratch=$(mktemp -d)
    say "fuzzing $1 for $2 seconds"
    (cd "$scratch" && TMPDIR=$scratch ASAN_OPTIONS=quarantine_size_mb=32 \
        "$root/build/fuzz/tests/fuzz/fuzz_$1" -max_total_time="$2" -timeout=60 -rss_limit_mb=1024 \
        -max_len=4096 -print_final_stats=1 -close_fd_mask=1 -artifact_prefix="$found/" \
        "$corpus" "$root/tests/fuzz/seeds/$1" "$found" </dev/null) || status=$?
    rm -rf "$scratch"
    rmdir --ignore-fail-on-non-empty "$found"
    return $status
}

asked=${1:-all} seconds=${2:-60} failed=()
known=$(fuzz_targets)
[[ $asked == all ]] || grep -qx -- "$asked" <<<"$known" ||
    die "no target '$asked'; there are all, ${known//$'\n'/, }"
targets[fuzz]=fuzzers
[[ $asked == all ]] || { known=$asked; targets[fuzz]=fuzz_$asked; }
build fuzz "${fuzz_packages[@]}"
for name in $known; do fuzz_one "$name" "$seconds" || failed+=("$name"); done
((${#failed[@]} == 0)) || die "found something in ${failed[*]}: see tests/fuzz/found"
