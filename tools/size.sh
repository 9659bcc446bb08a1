#!/usr/bin/env bash
# Counts files and lines of C++ by module, and of tests, in the working tree.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

cd "$root"
git ls-files -co --exclude-standard src cli plots tests |
    grep -E '^tests/.*\.(cpp|hpp|py|sh)$|^[^t].*\.(cpp|hpp)$' | xargs wc -l 2>/dev/null | awk '
    $2 == "total" { next }
    {
        count = split($2, part, "/")
        module = $2
        sub("/[^/]*$", "", module)
        all = "all of " part[1] (part[1] == "src" && part[2] != "base" ? "/" part[2] : "")
        if (part[1] == "tests") module = "tests/" part[2]
        else { files["src, cli and plots"]++; lines["src, cli and plots"] += $1 }
        files[module]++; lines[module] += $1
        files[all]++; lines[all] += $1
    }
    END { for (m in files) printf "%-24s %5d files %7d lines\n", m, files[m], lines[m] }' | sort
