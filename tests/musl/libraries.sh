#!/usr/bin/env bash
# What the tool needs beside musl, built from Debian's sources: GMP, MPFR, zlib and GCC's libstdc++ as static
# libraries, and bin/g++, which compiles and links with them.
# usage: libraries.sh FOLDER
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
prefix=$(readlink -f "$1") musl=$(uname -m)-linux-musl version=$(g++ -dumpversion)
MAKEFLAGS=-j$(getconf _NPROCESSORS_ONLN)
export MAKEFLAGS CC=musl-gcc CFLAGS=-O2 CXXFLAGS=-O2
rm -rf "${prefix:?}"/{bin,include,lib,share,source} && mkdir -p "$prefix"/{bin,include,lib/cmake,source} && cd "$prefix/source"

# fetch PACKAGE…: their sources, where this machine's packages come from
fetch() {
    mkdir -p apt/{lists,cache/archives}/partial apt/parts
    sed -s "\$G" /etc/apt/sources.list.d/*.sources | sed 's/^Types:.*/Types: deb-src/' >apt/parts/all.sources || true
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list >apt/parts/all.list || true
    local own=(-o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$PWD/apt/parts"
        -o "Dir::State::Lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt/cache")
    apt-get -qq "${own[@]}" update
    apt-get -qq "${own[@]}" source --download-only "$@"
    local package
    for package; do
        mkdir "$package"
        tar -xf "${package}"_*.orig.tar.* -C "$package" --strip-components=1
    done
}

# The parts of GCC that libstdc++ is made of, with the link that GCC's own Makefile makes.
fetch_gcc() {
    apt-get -qq download "gcc-$version-source"
    dpkg -x gcc-*.deb .
    mkdir gcc
    tar -xf usr/src/gcc-*/gcc-*.tar.xz -C gcc --strip-components=1 --wildcards --no-wildcards-match-slash \
        '*/'{libstdc++-v3,libgcc,libiberty,include,config,gcc/BASE-VER,gcc/DATESTAMP} \
        '*/'{config-ml.in,config.guess,config.sub,install-sh,ltmain.sh,missing,mkinstalldirs,move-if-change}
    ln -s gthr-posix.h gcc/libgcc/gthr-default.h
}

# headers of the kernel, and of libraries that are headers alone
link_headers() {
    ln -s /usr/include/{linux,asm-generic,"$(gcc -print-multiarch)"/asm,fmt,CLI,nlohmann} "$prefix/include"
    ln -s "/usr/lib/$(gcc -print-multiarch)/cmake/fmt" "$prefix/lib/cmake"
}

# make_library FOLDER OPTION…
make_library() {
    (cd "$1" && ./configure --build="$musl" --prefix="$prefix" --disable-shared "${@:2}" && make && make install)
}

make_stdcxx() {
    mkdir stdcxx
    (cd stdcxx && CXX="g++ -specs=/usr/lib/$musl/musl-gcc.specs -nostdinc++" CPPFLAGS="-isystem $prefix/include" \
        ../gcc/libstdc++-v3/configure --build="$(uname -m)-linux-gnu" --host="$musl" --prefix="$prefix" \
        --libdir="$prefix/lib" --with-gxx-include-dir="$prefix/include/c++" --disable-shared --disable-multilib \
        --disable-nls --disable-libstdcxx-pch && make && make install)
}

write_compiler() {
    musl-gcc -O2 -c "$here/find_object.c" -o find_object.o
    ar rcs "$prefix/lib/libfind_object.a" find_object.o
    cat >bin.g++ <<END
#!/bin/sh
for word; do
    shift
    [ "\$word" != /usr/include ] || word=$prefix/include  # glibc's headers are there
    set -- "\$@" "\$word"
done
exec g++ -specs=/usr/lib/$musl/musl-gcc.specs -nostdinc++ -isystem "$prefix/include/c++" \\
    -isystem "$prefix/include/c++/$musl" -isystem "$prefix/include" -L"$prefix/lib" "\$@" \\
    -Wl,--eh-frame-hdr,-u,_dl_find_object -lfind_object
END
    chmod +x bin.g++
    mv bin.g++ "$prefix/bin/g++"
}

fetch gmp mpfr4 zlib
fetch_gcc
link_headers
mkdir -p gmp/doc && printf 'all install:\n' >gmp/doc/Makefile.in  # Debian's has no manual
make_library gmp
make_library mpfr4 --with-gmp="$prefix" --enable-thread-safe
(cd zlib && ./configure --static && make libz.a && cp libz.a "$prefix/lib" && cp z*.h "$prefix/include")
make_stdcxx
write_compiler
cd "$prefix" && rm -rf source
