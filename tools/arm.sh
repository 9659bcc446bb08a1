#!/usr/bin/env bash
# Builds for aarch64 and runs the tests of src/rope with qemu; the output must be the recorded
# bytes. Arguments go to ctest.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

arm_packages=("${build_packages[@]}" g++-aarch64-linux-gnu qemu-user {libmpfr,libfmt,zlib1g,libgtest,libgmock}-dev:arm64)
targets[arm]="rope-check rope_tests"
[[ $(uname -m) != aarch64 ]] || die "this processor is aarch64: run ./dev test"
build arm "${arm_packages[@]}"
cd "$root"
exec ctest --preset arm -j "$cores" "$@"
