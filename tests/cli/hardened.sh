#!/usr/bin/env bash
# hardened.sh TOOL: checks that the tool has the properties that src/base/hardened.cmake requests.
set -euo pipefail
tool=$1
failed=0
expect() { # WHAT PATTERN TEXT
    grep -qE -- "$2" <<<"$3" || { echo "no $1 in $tool"; failed=1; }
}
header=$(readelf -hW "$tool")
segments=$(readelf -lW "$tool")
dynamic=$(readelf -dW "$tool")
symbols=$(nm -C "$tool"; nm -CD "$tool")
expect "drawn address (PIE)" 'Type: +DYN' "$header"
expect "read-only relocations" 'GNU_RELRO' "$segments"
expect "binding at the start" 'BIND_NOW|Flags:.* NOW' "$dynamic"
expect "stack that is data alone" 'GNU_STACK.* RW ' "$segments"
expect "guard of the stack" '__stack_chk_fail' "$symbols"
expect "checked call of the C library" '__(memcpy|memmove|read|snprintf|vsnprintf)_chk' "$symbols"
expect "checked container" '__glibcxx_assert_fail' "$symbols"
exit $failed
