#!/usr/bin/env bash
# Runs every command, or the one given, at its largest inputs and prints time and memory; more than
# 64 MiB without the input is a failure. Ten minutes: tools/bench_limits.sh [COMMAND]
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build_tool
exec python3 "$root/tests/bench/limits.py" "$tool" "$@"
