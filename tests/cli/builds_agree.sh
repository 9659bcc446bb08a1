#!/usr/bin/env bash
# Two builds of the same commit, by different compilers or for different processors, print the same
# bytes and exit alike.
# usage: builds_agree.sh OTHER_ROPE_CHECK [EMULATOR] ROPE_CHECK    exit 77 where there is no such other
set -uo pipefail
[[ $# -ge 2 && -x ${*: -1} ]] || { echo "usage: $0 OTHER_ROPE_CHECK [EMULATOR] ROPE_CHECK"; exit 2; }
other=("$(realpath -m "$1")") one=("${@:2:$#-2}" "$(realpath "${*: -1}")")
golden=$(cd "$(dirname "$0")/../golden" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

skip() { echo "$*"; exit 77; }
commit() { "$@" --version | sed -n 's/^commit //p'; }
origin() { "$@" --version | sed -n 's/^built with \(.*\) and MPFR.*/\1/p; s/^runs on/for/p' | paste -sd ' '; }
[[ -x ${other[0]} ]] || skip "not built: ${other[0]}"
[[ $(commit "${one[@]}") == "$(commit "${other[@]}")" ]] || skip "of another commit: ${other[0]}"
[[ $(origin "${one[@]}") != "$(origin "${other[@]}")" ]] || skip "both are by $(origin "${one[@]}")"

compared=0
# agree WORD…: both builds in folders of their own, so that files they write are compared too
agree() {
    local build code
    for build in one other; do
        local -n tool=$build
        rm -rf "${scratch:?}/$build" && mkdir "$scratch/$build"
        code=0
        (cd "$scratch/$build" && "${tool[@]}" "$@" >stdout 2>stderr) || code=$?
        ((code <= 1)) || { echo "FAIL $*: exit $code: $(<"$scratch/$build/stderr")"; exit 1; }
        echo "$code" >"$scratch/$build/code"
    done
    diff -r "$scratch/one" "$scratch/other" >"$scratch/diff" ||
        { echo "FAIL $*: not the same bytes"; head -c 2000 "$scratch/diff"; exit 1; }
    compared=$((compared + 1))
}

for pipeline in hf-fp32 ggml exact bf16-table fp16-table vllm-bf16-cache bf16-angles \
    bf16-positions chatglm-fp16 tf32; do
    agree verify --dim 64 --context 9000 --pipeline "$pipeline"
done
for model in llama-3.1-8b yarn-llama-2-70b-32k phi-3.5-mini qwen2-vl-7b gemma-3-4b; do
    agree verify --model "$model" --context 1024
    agree explain --model "$model" --verbose
done
for dump in hf_half/llama_d64_b5e5_llama3f32 ggml/neox_d128_b1e4 lucidrains/lucid_d64_ntk8; do
    agree compare "$golden/$dump.npz"
done
agree compare "$golden/hf_half/llama_d64_b5e5_llama3f32.npz" --dim 64 --base 1234
agree compare "$golden/ggml/neox_d128_b1e4.npz" --dim 128 --layout interleaved
agree diff "$golden/configs/llama-3.1-8b.json" "$golden/configs/gemma-3-4b.json"
for dtype in float64 float32 bfloat16 float16; do
    agree export --dim 64 --positions 0:3000 --dtype "$dtype" -o x.safetensors
done
agree export --suite x
agree base-bound --dim 32 --context 256
agree plot-decay -o x.svg -o x.csv
agree plot-spectrum --model llama-3.1-8b -o x.svg
agree plot-precision --dim 64 --context 5000 -o x.svg -o x.json -o x.csv
agree plot-compare "$golden/hf_half/llama_d64_b5e5_llama3f32.npz" --dim 64 --base 1234 -o x.svg -o x.json -o x.csv
agree plot-scores --context 5000 -o x.svg -o x.csv
echo "$compared commands print the same bytes by $(origin "${one[@]}") and by $(origin "${other[@]}")"
