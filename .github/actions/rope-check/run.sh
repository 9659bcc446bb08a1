# Runs rope-check with the words of $ARGS. Failures become annotations and a summary of the step.
set -uo pipefail
PATH=$PREFIX/bin:$PATH
mapfile -t words < <(xargs -r -n 1 printf '%s\n' <<<"$ARGS")
if ((${#words[@]} == 0)); then
    echo "::error title=rope-check::args is empty; give it a command, such as: verify config.json"
    exit 2
fi
own=$(mktemp -d "$RUNNER_TEMP/rope-check-run.XXXXXX")
trap 'rm -rf "$own"' EXIT

# The command's text for the log and for the summary.
outputs=()
case "${words[*]:0:2}" in
    'audit new'* | 'audit init'* | 'baseline record'*) ;;
    verify* | compare* | audit* | baseline*) outputs=(-o github:- -o "$own/summary.md") ;;
    claims* | explain*) outputs=(-o text:- -o "$own/summary.md") ;;
    diff* | list* | base-bound*) outputs=(--format text) ;;
esac

# Options end at --: the following words belong to an audited program.
at=0
while ((at < ${#words[@]})) && [[ ${words[at]} != -- ]]; do at=$((at + 1)); done
words=("${words[@]:0:at}" "${outputs[@]}" "${words[@]:at}")

code=0
rope-check "${words[@]}" 2>"$own/errors" | while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line =~ ^(::[a-z]*' file=')([^,]*)(.*) ]]; then # GitHub wants the path in the repository
        line=${BASH_REMATCH[1]}$(realpath -ms --relative-to="${GITHUB_WORKSPACE:-.}" "${BASH_REMATCH[2]}")${BASH_REMATCH[3]}
    fi
    printf '%s\n' "$line"
done || code=$?
cat "$own/errors" >&2
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
if [[ -f $own/summary.md ]]; then cat "$own/summary.md" >>"$summary"; fi
if ((code > 1)); then # nothing was checked: the last line has the reason
    why=$(tail -n 1 "$own/errors")
    why=${why#error: }
    why=${why//'%'/%25}
    echo "::error title=rope-check::${why//$'\r'/%0D}"
    printf '**rope-check could not judge this** (exit code %s)\n\n```\n%s\n```\n' "$code" \
        "$(tail -n 1 "$own/errors")" >>"$summary"
fi
exit "$code"
