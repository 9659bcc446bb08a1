#!/usr/bin/env bash
# Times base-bound on two ranks and on two threads, N rounds (5): tools/bench_mpi.sh [N]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

mpi_packages=("${build_packages[@]}" libopenmpi-dev openmpi-bin procps)
build mpi "${mpi_packages[@]}"
exec python3 "$root/tests/bench/ranks.py" "$root/build/mpi" "$@"
