#!/usr/bin/env bash
# Installs the packages of ./dev package in bare Debian 12, Debian 13 and Ubuntu 22.04, diagnoses the dump of
# docs/first-bug.md there, and prints the milliseconds of each command. The roots stay in FOLDER.
# As root: tools/roots.sh FOLDER
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "$0")")/build.sh"

[[ $# -eq 1 && $EUID -eq 0 ]] || die "as root: tools/roots.sh FOLDER"
install_packages debootstrap python3-numpy
mkdir -p "$1/files"
cd "$1/files"
cp "$root"/build/package/*.{whl,deb,tar.gz} .
sed -n '/^```python run/,/^```$/{//!p;/^```$/q}' "$root/docs/first-bug.md" | /usr/bin/python3 -
cat >check.sh <<'END'
run() {  # EXIT_CODE WORD…
    local start=${EPOCHREALTIME/./} code=0
    "${@:2}" >/root/out 2>&1 || code=$?
    printf '%7d ms  %s\n' $(((${EPOCHREALTIME/./} - start) / 1000)) "${*:2}"
    ((code == $1)) || { cat /root/out; echo "exit code $code, not $1"; exit 1; }
}
cd "$(mktemp -d)"
run 0 python3 -m venv venv
run 0 venv/bin/pip install --no-index /files/*.whl
run 1 venv/bin/rope-check compare /files/dump.npz llama-3-8b -q
run 0 dpkg -i /files/*.deb
run 0 man rope-check
run 0 tar -xf /files/*.tar.gz
for tool in venv/bin/rope-check /usr/bin/rope-check ./rope-check*/bin/rope-check; do
    run 0 "$tool" verify --dim 128
    run 0 "$tool" plot-decay
done
END
for system in bookworm=deb.debian.org/debian trixie=deb.debian.org/debian jammy=archive.ubuntu.com/ubuntu; do
    folder=../${system%=*}
    [[ -f $folder/bin/man ]] || debootstrap --no-check-gpg --variant=minbase --components=main,universe \
        --include=python3-venv,man-db "${system%=*}" "$folder" "http://${system#*=}" >&2
    cp -rT . "$folder/files" && grep PRETTY "$folder/etc/os-release" && chroot "$folder" bash /files/check.sh
done
