#!/usr/bin/env bash
# Builds for aarch64 and runs the tests of src/rope with qemu; the output must equal the recorded
# bytes. Arguments go to ctest. With `package`: builds the static program, whose output must equal
# the recorded bytes, and the wheel, .deb and .tar.gz with it in build/package-arm.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

arm_packages=("${build_packages[@]}" g++-aarch64-linux-gnu qemu-user {libmpfr,libfmt,zlib1g,libgtest,libgmock}-dev:arm64)
targets[arm]="rope-check rope_tests"
[[ $(uname -m) != aarch64 ]] || die "this processor is aarch64: run ./dev test or ./dev package"
cd "$root"
if [[ ${1-} == package ]]; then
    build release-arm "${arm_packages[@]}"
    package release-arm build/package-arm Wheel.test_program_needs_no_library_and_pip_takes_it_on_any_linux
    exec /usr/bin/python3 -B tests/cli/bytes/bytes_test.py /usr/bin/qemu-aarch64 build/release-arm/cli/rope-check --plain
fi
build arm "${arm_packages[@]}"
exec ctest --preset arm -j "$cores" "$@"
