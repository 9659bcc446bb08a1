#!/usr/bin/env bash
# Sends the conformance suite to PyTorch, onnxruntime, llama.cpp's ggml and nanogpt, and compares the
# result with docs/audits.md; --record writes it. Installs them from apt and npm; five minutes.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

build_tool
install_packages python3-numpy python3-torch
command -v npm >/dev/null || install_packages nodejs npm
folder=$root/build/audits
mkdir -p "$folder"
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent onnxruntime-node@1.30.0 \
    node-llama-cpp@npm:@node-llama-cpp/linux-x64@3.22.1 node-llama-cpp-3.1@npm:@node-llama-cpp/linux-x64@3.1.1 \
    @fugood/node-llama-linux-x64@1.7.15 >&2 || die "npm could not install what is audited"
# installed separately: it brings what it needs, and its dependencies are 400 MB
package=$folder/node_modules/@genai-fi/nanogpt
mkdir -p "$package"
npm pack --silent --pack-destination "$folder" @genai-fi/nanogpt@1.3.0 >/dev/null ||
    die "npm could not fetch @genai-fi/nanogpt"
tar -xzf "$folder/genai-fi-nanogpt-1.3.0.tgz" -C "$package" --strip-components 1
exec /usr/bin/env PATH="/usr/bin:$PATH" python3 -B "$root/tests/audits/audits.py" \
    "$tool" \
    "$folder/node_modules" "$@"
