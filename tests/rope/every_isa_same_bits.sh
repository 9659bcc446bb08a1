#!/usr/bin/env bash
# usage: every_isa_same_bits.sh [EMULATOR] ISA_BITS    Runs it once per instruction set; all must
# print the same.
set -u
bits=("$@")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

bits_of() { ROPE_CHECK_ISA=$1 "${bits[@]}" >"$folder/$1" 2>"$folder/errors"; }

bits_of baseline || { cat "$folder/errors"; exit 1; }
for isa in avx2 avx512; do
    bits_of "$isa"
    case $? in
    0) ;;
    77) echo "$isa: not on this processor"; continue ;;
    *) cat "$folder/errors"; exit 1 ;;
    esac
    [ "$(head -n 1 "$folder/$isa")" = "$isa" ] || { echo "$isa: another set ran"; exit 1; }
    sed 1d "$folder/baseline" >"$folder/want"
    sed 1d "$folder/$isa" | diff "$folder/want" - || { echo "$isa: not the bits of baseline"; exit 1; }
    echo "$isa: $(wc -l <"$folder/want") lines, the bits of baseline"
done

bits_of mmx
[ $? = 77 ] && grep -q "ROPE_CHECK_ISA is 'mmx'" "$folder/errors" && exit 0
echo "mmx: not refused"
exit 1
