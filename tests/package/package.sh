#!/usr/bin/env bash
# After `cmake --install`, a program outside the tree builds with the library, and a repository's CI
# passes on a right config and fails on each wrong one, with a reason in one line.
# usage: package.sh BUILD_FOLDER
set -euo pipefail
[[ $# -eq 1 && -d $1 ]] || { echo "usage: $0 BUILD_FOLDER"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
unset CI

fail() { echo "FAIL $*"; exit 1; }

# ctest_of FOLDER: configures, builds and tests it with the installed package
ctest_of() {
    cmake -G Ninja -S "$1" -B "$1/build" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
        cmake --build "$1/build" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; return 8; }
    ctest --test-dir "$1/build" --output-on-failure >>"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; return 1; }
}

cmake --install "$1" --prefix "$prefix" >"$scratch/log"
[[ -x $prefix/bin/rope-check ]] || fail "no tool is installed"
[[ -f $prefix/share/rope-check/schema/report.json ]] || fail "no schemas are installed"

zcat -f "$prefix"/share/man/man1/rope-check-verify.1* | grep -qF '\-\-pipeline' || fail "no manual pages are installed"
"$prefix/bin/rope-check" completion bash |
    cmp - "$prefix/share/bash-completion/completions/rope-check" || fail "no completion is installed"

# The packages: the .deb names its libraries, and its tool runs.
cpack --config "$1/CPackConfig.cmake" -B "$scratch/packages" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "cpack"; }
mkdir "$scratch/deb" "$scratch/tar"
dpkg-deb -x "$scratch"/packages/*.deb "$scratch/deb"
tar -xzf "$scratch"/packages/*.tar.gz -C "$scratch/tar" --strip-components=1
[[ $(dpkg-deb -f "$scratch"/packages/*.deb Depends) == *libmpfr6* ]] || fail "the .deb lacks libmpfr6"
for folder in "$scratch/deb/usr" "$scratch/tar"; do
    "$folder/bin/rope-check" verify --dim 8 --context 8 >/dev/null || fail "$folder: does not run"
    for file in man1/rope-check.1 completions/rope-check schema/report.json rope_check-config.cmake; do
        [[ -n $(find "$folder" -path "*/$file") ]] || fail "$folder lacks $file"
    done
done

cp -r "$here/consumer" "$scratch/consumer"
ctest_of "$scratch/consumer" || fail "the library's consumer"

fresh_sample() {
    rm -rf "$scratch/sample"
    cp -r "$here/sample" "$scratch/sample"
    cp "$here/../golden/hf_half/llama_d64_b5e5_llama3f32.npz" "$scratch/sample/kernel.npz"
}
fresh_sample
ctest_of "$scratch/sample" || fail "the right config is not green"

# is_red NAME REASON WORD…: the command exits 1, and its first line on GitHub holds the reason
is_red() {
    local name=$1 reason=$2 line code=0
    shift 2
    (cd "$scratch/sample" && "$prefix/bin/rope-check" "$@" --format github >"$scratch/out") ||
        code=$?
    line=$(head -n 1 "$scratch/out")
    [[ $code -eq 1 && $line == "::error "*$reason* ]] ||
        fail "$name: exit $code, want 1 and '$reason' in: $line"
    ctest_of "$scratch/sample" >/dev/null && fail "$name: ctest is green"
    echo "ok $name: $line"
}
verify=(verify --config config.json --context 4096 --baseline rope-baseline.json)

sed -i 's/500000.0/10000.0/' "$scratch/sample/config.json"
is_red "base changed" "spec/rope_theta was 500000, now 10000" "${verify[@]}"
is_red "base changed, seen by the kernel" "rope-check table%3A table-accuracy" \
    compare kernel.npz --config config.json

fresh_sample
sed -i '/rope_scaling/,/^  }/d; s/500000.0,/500000.0/' "$scratch/sample/config.json"
is_red "scaling dropped" "spec/rope_type was llama3, now default" "${verify[@]}"

fresh_sample
python3 "$here/quantise.py" "$here/../golden/hf_half/llama_d64_b5e5_llama3f32.npz" \
    "$scratch/sample/kernel.npz"
is_red "table quantised" "rope-check table%3A table-accuracy" compare kernel.npz --config config.json
echo "all hold"
