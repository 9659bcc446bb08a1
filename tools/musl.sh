#!/usr/bin/env bash
# Builds one static file for any Linux with musl; the output must be the same bytes as that of the
# release build. The first time builds the libraries, too: ten minutes.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

musl_packages=("${build_packages[@]}" musl-tools dpkg-dev make m4 xz-utils)
libraries=$root/build/musl-libraries
build_tool
install_packages "${musl_packages[@]}"
[[ -x $libraries/bin/g++ ]] || "$root/tests/musl/libraries.sh" "$libraries" >&2 ||
    die "the libraries for musl could not be built"
build musl "${musl_packages[@]}"
exec "$root/tests/cli/builds_agree.sh" "$tool" "$root/build/musl/cli/rope-check"
