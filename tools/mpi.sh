#!/usr/bin/env bash
# Builds with MPI. Ranks must report the same bytes as one process, and end when one of them ends.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

mpi_packages=("${build_packages[@]}" libopenmpi-dev openmpi-bin procps)
build_tool
build mpi "${mpi_packages[@]}"
exec "$root/tests/mpi/ranks.sh" "$tool" \
    "$root/build/mpi/cli/rope-check"
