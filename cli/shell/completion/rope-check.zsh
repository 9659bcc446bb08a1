#compdef rope-check
# zsh completion for rope-check: rope-check completion zsh >~/.zfunc/_rope-check
_rope-check() {
    local -a rows
    rows=("${(@f)$(${~words[1]} completion of "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if (($rows[(I):files])); then _files; fi
    rows=(${${rows:#:files}/$'\t'/:})
    _describe word rows
}
if [[ $funcstack[1] == _rope-check ]]; then
    _rope-check "$@"
else
    compdef _rope-check rope-check
fi
