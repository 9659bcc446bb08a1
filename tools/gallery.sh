#!/usr/bin/env bash
# Draws plots/gallery/*.svg again.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build_tool
# the figures contain their command, which must not name a folder of this machine
cd "$root/plots/gallery"
for figure in decay angles; do
    ../../build/release/cli/rope-check "plot-$figure" -o "$figure.svg"
done
../../build/release/cli/rope-check explain llama-3.1-8b -o spectrum.svg
../../build/release/cli/rope-check base-bound --context 4096 -o base-bound.svg
../../build/release/cli/rope-check verify --dim 128 --context 131072 --pipeline bf16-angles -o precision.svg
cd "$root/tests/golden/hf_half"
../../../build/release/cli/rope-check compare cos=llama_d128_b1e4_linear4.npz:cos \
    sin=llama_d128_b1e4_linear4.npz:sin --positions llama_d128_b1e4_linear4.npz:position_ids \
    --dim 128 --base 500000 -o ../../../plots/gallery/compare.svg || (($? == 1))  # it differs
