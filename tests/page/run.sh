#!/usr/bin/env bash
# Runs a test of the page with Node.js, or prints why it is skipped.
# usage: run.sh TEST.mjs ROPE_CHECK SOURCE_FOLDER
set -eu
unset CI
if ! node --version >/dev/null 2>&1; then
    echo "skipped: there is no node; on Debian, apt-get install nodejs"
    exit 77
fi
exec node "$(dirname "$0")/$1" "$(realpath "$2")" "$(realpath "$3")"
