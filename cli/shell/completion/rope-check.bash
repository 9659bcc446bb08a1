# bash completion for rope-check: eval "$(rope-check completion bash)"
_rope_check() {
    local rows
    mapfile -t rows < <("${COMP_WORDS[0]/#\~/$HOME}" completion of "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    rows=("${rows[@]%%$'\t'*}")
    mapfile -t COMPREPLY < <(compgen -W "${rows[*]/#:files/}" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _rope_check rope-check
