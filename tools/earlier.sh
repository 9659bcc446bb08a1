#!/usr/bin/env bash
# Runs the working tree and an earlier commit on the same inputs and prints every difference. Builds that commit once.
# tools/earlier.sh COMMIT [NAMES OF SCRIPTS]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

[[ $# -gt 0 ]] || die "which commit?"
commit=$(git -C "$root" rev-parse --verify "$1^{commit}") || die "git has no commit $1"
shift
folder=$root/build/earlier/$commit
build_tool
install_packages "${test_packages[@]}"
if [[ ! -x $folder/build/release/cli/rope-check ]]; then
    say "building $commit in $folder"
    mkdir -p "$folder"
    git -C "$root" archive "$commit" | tar -x -C "$folder"
    (cd "$folder" && cmake --preset release && ninja -C build/release rope-check) >&2 || die "$commit could not be built"
fi
exec /usr/bin/env PATH="/usr/bin:$PATH" python3 -B "$root/tests/earlier/earlier.py" \
    "$folder/build/release/cli/rope-check" "$tool" "$@"
