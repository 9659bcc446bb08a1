#!/usr/bin/env bash
# Runs the working tree and the commit in tests/frozen/commit on the same inputs and prints every
# difference that tests/frozen/accepted.md does not list. The first time builds that commit.
# tools/frozen.sh [--against TOOL] [--seed N] [--thin N] [--only NAMES] [--list]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

# The tool of the commit in tests/frozen/commit, built once.
build_frozen() {
    local commit folder=$root/build/frozen
    commit=$(<"$root/tests/frozen/commit")
    [[ ! -f $folder/commit || $(<"$folder/commit") != "$commit" ]] || return 0
    install_packages "${build_packages[@]}"
    say "building $commit in $folder"
    rm -rf "$folder/source" "$folder/commit"
    mkdir -p "$folder/source"
    git -C "$root" archive "$commit" | tar -x -C "$folder/source" || die "git has no commit $commit"
    (cd "$folder/source" && cmake --preset release && ninja -C build/release rope-check) >&2 ||
        die "the frozen commit could not be built"
    echo "$commit" >"$folder/commit"
}

tools=()
if [[ " $* " != *" --list "* ]]; then
    build_tool
    install_packages "${test_packages[@]}"
    [[ " $*" == *" --against"* ]] || build_frozen
    tools=(--present "$tool"
        --against "$root/build/frozen/source/build/release/cli/rope-check")
fi
exec /usr/bin/env PATH="/usr/bin:$PATH" python3 -B "$root/tests/frozen/frozen.py" "${tools[@]}" "$@"
