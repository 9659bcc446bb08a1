#!/bin/sh
# Holds the floors of the house: what each room may include, and words no room may say.
# usage: floors.sh ROOT    prints FILE:LINE:TEXT [reason] for each violation; exit 1 if any
set -u
cd "$1" || exit 2

standard='<[a-z_0-9]+>'
posix='<(unistd|fcntl|poll|spawn|signal|sys/[a-z]+)\.h>'

sources() { find "$@" -type f \( -name '*.cpp' -o -name '*.hpp' \) 2>/dev/null; }

# Code without // comments and string literals.
code() { sed -E 's:"([^"\\]|\\.)*"::g; s://.*::' "$1" | grep -nE "$2" | sed "s|^|$1:|"; }

report() { sed "s|\$|  [$1]|"; }

# may_include ROOM ALLOWED…
may_include() {
    room=$1
    shift
    allowed=$(printf '|%s' "$@")
    for file in $(sources "$room"); do
        grep -HnE '^[[:space:]]*#[[:space:]]*include' "$file" |
            grep -vE "include[[:space:]]*(${allowed#|})"
    done | report "$room may not include this"
}

# may_not_say REASON PATTERN ROOM…
may_not_say() {
    reason=$1 pattern=$2
    shift 2
    for file in $(sources "$@"); do code "$file" "$pattern"; done | report "$reason"
}

# The truth is the tool's own: libm's sin and cos differ with the processor's features.
libm='std::(sin|cos|tan)[fl]?[^a-z_]|(^|[^[:alnum:]_.>:])(::)?(sinf|cosf|sinl|cosl|sincosf?)\('
libm="$libm"'|(return|[-=+*/(?])[[:space:]]*(::)?(sin|cos)\('
# SECURITY.md says what is started, and by whom.
start='(^|[^[:alnum:]_])(posix_spawnp?|exec[lv][pe]*|v?fork|popen|system)[[:space:]]*\('
network='(^|[^[:alnum:]_.>])(::)?(socket|connect|getaddrinfo)[[:space:]]*\('
# What they read and write changes with the locale.
locale='(^|[^[:alnum:]_])(strto(d|f|ld)|sto(d|f|ld)|ato(f|i|l)|setlocale|v?[fs]?n?printf)[[:space:]]*\('
unsafe_math='-(ffast-math|Ofast|funsafe-math-optimizations|fassociative-math)'

violations() {
    may_include src/rope "$standard" '<mpfr\.h>' '<[ei]mmintrin\.h>' '<sys/mman\.h>' '"rope/'
    may_include src/io "$standard" "$posix" '<zlib\.h>' '<nlohmann/' '<fmt/' '"rope/' '"io/'
    may_include plots "$standard" '<fmt/' '"rope/' '"plots/'
    may_include cli "$standard" "$posix" '<fmt/' '<CLI/' '"rope/' '"io/' '"plots/' '"cli/'

    may_not_say 'name what you use' 'using namespace std' src plots cli tests
    may_not_say 'libm is not the truth' "$libm" src plots
    may_not_say 'depends on the locale' "$locale" src plots
    may_not_say 'opens a network connection' "$network" src plots cli
    for file in $(sources src plots cli); do
        case $file in src/io/child.cpp | cli/rasterize.cpp) continue ;; esac
        code "$file" "$start"
    done | report 'starts a program'
    for file in $(sources src plots); do
        grep -HnE '#[[:space:]]*include[[:space:]]*<iostream>' "$file"
    done | report 'terminals belong to cli'
    for file in $(sources cli); do
        case $file in cli/options.cpp) continue ;; esac
        grep -HnE '#[[:space:]]*include[[:space:]]*<CLI/' "$file"
    done | report 'CLI11 is compiled once, in cli/options.cpp'
    find . \( -name CMakeLists.txt -o -name '*.cmake' -o -name CMakePresets.json -o -name dev \) \
        -not -path './build*' -type f -exec grep -HnE -e "$unsafe_math" {} + |
        report 'arithmetic must stay IEEE 754'
    grep -rnI --exclude-dir=build --exclude-dir=.git '\.\./share[d]' . |
        report 'the project stands alone'
}

found=$(violations)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
