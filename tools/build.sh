# Functions of ./dev and of the scripts in this folder, which source it: they install what is missing,
# configure a preset and build it.
# shellcheck shell=bash

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
tool=$root/build/release/cli/rope-check  # build_tool makes it
build_packages=(g++ cmake ninja-build libmpfr-dev libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev)
test_packages=("${build_packages[@]}" libgtest-dev libgmock-dev libxml2-utils python3-numpy
    python3-jsonschema python3-pytest python3-pip zsh fish groff-base dpkg-dev file librsvg2-bin)
page_packages=(nodejs chromium)  # tests/page needs these; its tests are skipped without them
declare -A targets=()  # the targets of a preset; all targets of others
cores=$(getconf _NPROCESSORS_ONLN)

# Diagnostics go to stderr; stdout belongs to the tool.
say() { echo "$(basename "$0" .sh): $*" >&2; }
die() { say "$*"; exit 3; }

missing() {
    local package
    for package; do
        [[ $(dpkg-query -Wf '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            echo "$package"
    done
}

as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# The tools of this distribution that are too old to build rope-check: "cmake 3.22.1 (3.25 is needed)".
too_old() {
    local package least has
    for package in cmake=3.25 libfmt-dev=9.1 nlohmann-json3-dev=3.11.2 libcli11-dev=2.1.2; do
        least=${package#*=} package=${package%=*}
        has=$(apt-cache show --no-all-versions "$package" 2>/dev/null | sed -n 's/^Version: //p')
        [[ -z $has ]] || dpkg --compare-versions "${has#*:}" ge "$least" ||
            echo "$package $has ($least is needed)"
    done
}

install_packages() {
    command -v apt-get >/dev/null || { say "this needs (by Debian's names): $*"; return; }
    local wanted
    mapfile -t wanted < <(missing "$@")
    ((${#wanted[@]})) || return 0
    ((EUID == 0)) || command -v sudo >/dev/null ||
        die "as root, please: apt-get install ${wanted[*]}"
    say "installing ${wanted[*]}"
    {
        { [[ ${wanted[*]} != *:arm64* ]] || as_root dpkg --add-architecture arm64; } &&
            as_root apt-get -qq update
    } >&2 || die "apt-get could not update its lists"
    local old
    old=$(too_old)
    [[ -z $old ]] || die "this distribution is too old to build rope-check: ${old//$'\n'/, }; a wheel or" \
        ".deb of Debian 12 or Ubuntu 24.04 runs here, too (README.md)"
    {
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
                --no-install-recommends "${wanted[@]}"
    } >&2 || die "apt-get could not install ${wanted[*]}"
}

configure() { (cd "$root" && cmake --preset "$1") >&2; }
# shellcheck disable=SC2086
compile() { ninja -C "$root/build/$1" "${@:2}" ${targets[$1]-}; }

# build PRESET PACKAGE…: packages are looked up only for a new folder and after a failure,
# so that a build with nothing to do costs two starts of ninja.
build() {
    local preset=$1 folder=$root/build/$1
    shift
    mkdir -p "$folder"
    exec 9>"$folder/.dev-lock"
    if command -v flock >/dev/null; then flock 9; fi
    if [[ ! -f $folder/build.ninja ]]; then
        install_packages "$@"
        configure "$preset" || die "cmake failed; its message is above"
    fi
    # grep reads to the end, because a closed pipe would end ninja
    if ! compile "$preset" -n 2>&1 | grep 'no work to do' >/dev/null; then
        compile "$preset" >&2 || rebuild "$preset" "$@"
    fi
    exec 9>&-
}

rebuild() {
    local preset=$1
    shift
    [[ -n $(missing "$@") ]] || die "the build failed; its message is above"
    install_packages "$@"
    configure "$preset" && compile "$preset" >&2 || die "the build failed"
}

# package PRESET FOLDER TEST…: the wheel, whose program must run on any Linux and pass these tests; and
# .deb and .tar.gz with the tool, its manual, completion, schemas and the library.
package() {
    install_packages python3-pip python3-numpy dpkg-dev file
    cd "$root"
    local program=$root/build/$1/cli/rope-check
    rm -rf "$2"
    /usr/bin/python3 -m pip wheel -q --no-index --config-settings "program=$program" -w "$2" . >&2 ||
        die "pip could not build the wheel"
    PROGRAM_IS_STATIC=1 ROPE_CHECK_TOOL=$program PYTHONPATH=src/python \
        /usr/bin/python3 -B tests/python/wheel_test.py "${@:3}"
    cpack --config "build/$1/CPackConfig.cmake" -B "$2" >&2 || die "cpack failed"
    ls "$2"/*.{whl,deb,tar.gz}
    [[ -z $(find "$2" -maxdepth 1 -size +6000000c) ]] || die "a package is larger than 6 MB"
}

build_tool() {
    [[ -x $tool ]] || say "the first build takes about 2 minutes on 2 cores"
    build release "${build_packages[@]}" </dev/null
}
