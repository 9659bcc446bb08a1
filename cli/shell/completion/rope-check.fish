# fish completion for rope-check: rope-check completion fish | source
complete -c rope-check -e
function __rope_check
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l rows ($words[1] completion of $words[2..-1] "$word" 2>/dev/null)
    string match -v -- :files $rows
    contains -- :files $rows; and __fish_complete_path "$word"
end
complete -c rope-check -f -a '(__rope_check)'
