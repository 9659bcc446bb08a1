# Installs the program in $PREFIX. It needs no library beside the C library, so that a later job can
# take it from the cache without a package.
set -euo pipefail
as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }
as_root apt-get -qq update
as_root apt-get -qq install -y --no-install-recommends g++ cmake ninja-build \
    libmpfr-dev libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev
cmake -S "$GITHUB_ACTION_PATH/../../.." -B "$RUNNER_TEMP/rope-check-build" -G Ninja \
    -DCMAKE_BUILD_TYPE=Release -DROPE_CHECK_STATIC=ON -DROPE_CHECK_HARDENED=ON
cmake --build "$RUNNER_TEMP/rope-check-build" --target rope-check
install -D -s "$RUNNER_TEMP/rope-check-build/cli/rope-check" "$PREFIX/bin/rope-check"
