# Installs the program in $PREFIX. It is static, so that a later job can take it from the cache and run it
# in any container.
set -euo pipefail
source "$GITHUB_ACTION_PATH/../../../tools/build.sh"
build_tool
install -D "$tool" "$PREFIX/bin/rope-check"
