#!/usr/bin/env bash
# Every JSON document of the tool matches its schema, and JUnit XML matches Jenkins' xunit2.
# usage: schema.sh ROPE_CHECK
set -uo pipefail
[[ -x $1 ]] || { echo "usage: $0 ROPE_CHECK"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
golden=$here/../golden
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
unset CI "${!ROPE_CHECK_@}"

made=0
# prints NAME CODE WORD…: writes the output of the words, which must have this exit code, to NAME
prints() {
    local name=$1 want=$2 code=0
    shift 2
    rope-check "$@" >"$name" 2>err || code=$?
    made=$((made + 1))
    ((code == want)) || { echo "FAIL rope-check $*: exit $code, want $want: $(<err)"; exit 1; }
}
small=(--dim 64 --context 64)
head=$golden/hf_half/llama_d128_b1e4_default.npz

prints verify.json 0 verify "${small[@]}"
prints broken.json 1 verify --pipeline bf16-angles
prints scaled.json 0 verify --model yarn-llama-2-70b-32k --context 64
prints mrope.json 0 verify --model qwen2-vl-7b --context 64
prints longrope.json 0 verify --model phi-3.5-mini --context 64
prints layers.json 0 verify --model gemma-3-4b --context 64
prints compare.json 0 compare "$head"
prints wrong.json 1 compare "$head" --base 500000
prints own-table.json 1 compare "$head" --table --layout interleaved
prints still.json 1 compare "$head" --rotary-dim 0
prints read.json 0 verify --model internlm2.5-20b --reading vllm --context 64
prints claims.json 0 claims
prints derived-claims.json 0 claims 001
rope-check export --suite suite -q && cp suite/manifest.json suite-manifest.json || exit 1
cmp suite/manifest.schema.json "$here/../../src/io/schema/suite.json" || exit 1
answer='import json,sys; v=json.load(open(sys.argv[1]+"/vectors.json"))["arrays"]
json.dump({k:v[k.replace("/dx","/q_rot")]["hex"] for k in v if k.startswith("axial-half/float") and k.split("/")[2] in ("q_rot", "dx")},
          open(sys.argv[1]+"/answers.json","w"))'
prints suite.json 1 audit --suite suite -- python3 -c "$answer"
prints suite-exact.json 1 audit --suite suite --pipeline exact -- python3 -c "$answer"
rope-check baseline record base.json "${small[@]}" --model gemma-3-4b --reason "a <first> record" -q || exit 1
rope-check baseline record base.json "${small[@]}" --pipeline bf16-angles --reason more -q || exit 1
prints check.json 0 baseline check base.json
sed -i 's/"value":64}/"value":65}/; /"c3-R0.samples"/d' base.json
prints drift.json 1 baseline check base.json
rope-check baseline record one.json "${small[@]}" --reason one -q || exit 1
prints guarded.json 1 verify "${small[@]}" --base 500000 --baseline one.json
python3 -W ignore "$here/validate.py" "$here/../../src/io/schema" ./*.json || exit 1

prints good.xml 0 verify "${small[@]}" --format junit
prints broken.xml 1 verify --pipeline bf16-angles --require c3-R0 --format junit
prints layers.xml 0 verify --model gemma-3-4b --context 64 --format junit
prints drift.xml 1 baseline check base.json --format junit
prints guarded.xml 1 verify "${small[@]}" --base 500000 --baseline one.json --format junit
xmllint --noout --schema "$here/xunit2.xsd" ./*.xml 2>err || { cat err; exit 1; }
for xml in ./*.xml; do
    twice=$(grep -o 'classname="[^"]*" name="[^"]*"' "$xml" | sort | uniq -d)
    [[ -z $twice ]] || { echo "FAIL $xml: two tests of one name: $twice"; exit 1; }
done
names() { grep -o 'classname="[^"]*" name="[^"]*"' "$1" | sort; }
prints other.xml 1 verify --dim 64 --pipeline bf16-angles --format junit
cmp <(names good.xml) <(names other.xml) || { echo "FAIL names hold measured values"; exit 1; }
echo "$made outputs hold"
