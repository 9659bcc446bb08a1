#!/usr/bin/env bash
# Untried, as meta.yaml is.
set -euo pipefail
cmake -S . -B build -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release
cmake --build build
cmake --install build --prefix "$PREFIX"
