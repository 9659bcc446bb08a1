# Prints `prefix`, the program's folder, and `key`, the build's name in the cache, which depends on
# its sources and the processor.
set -euo pipefail
cd "$GITHUB_ACTION_PATH/../../.."
sources=$(find CMakeLists.txt CMakePresets.json data cli tools/build.sh plots src .github/actions -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16)
echo "prefix=$RUNNER_TEMP/rope-check"
echo "key=rope-check-$(uname -m)-$sources"
