#!/usr/bin/env bash
# usage: cppcheck.sh ROOT    Runs Cppcheck on every source, with the suppressions in cppcheck.txt.
# Exit 1 on any finding, or if it does not find a planted fault.
set -euo pipefail
cd "$1"
check() {
    cppcheck -q --enable=warning,style,performance,portability --std=c++20 --language=c++ \
        --library=googletest --suppressions-list=tests/lint/cppcheck.txt --inline-suppr \
        --error-exitcode=1 -I src -I tests \
        --template='{file}:{line}: {severity}: {message} [{id}]' "$@"
}

planted=$(mktemp --suffix=.cpp)
trap 'rm -f "$planted"' EXIT
echo 'int last(const int (&all)[4]) { return all[4]; }' >"$planted"
if check "$planted" 2>/dev/null; then
    echo "cppcheck did not find the planted fault" >&2
    exit 1
fi
mapfile -d "" files < <(git ls-files -z --cached --others --exclude-standard -- 'cli/*.cpp' 'src/*.cpp' 'tests/*.cpp')
check -j "$(getconf _NPROCESSORS_ONLN)" "${files[@]}"
