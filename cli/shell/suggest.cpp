#include "base/suggest.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/shell/arguments.hpp"

namespace rope::cli {
namespace {

// The names of each option in other tools.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"--base", " --theta --freq-base --rope-base "},
    {"--dim", " --d -d --head-size --hidden-size "},
    {"--context",
     " --seq-len --seqlen --n-ctx -c --max-length --max-len --length --positions --ctx "
     "--max-seq-len "},
    {"--pipeline", " --dtype --precision --backend -p "},
    {"--max-position", " --max-position-embeddings "},
    {"--rope", " --rope-scaling --rope-parameters --scaling "},
    {"--output", " --html --plot --csv --svg --out --data --png --pdf "},
    {"--max-error", " --tol --tolerance --atol "},
    {"--reading", " --library "},
    {"--python", " --function "},
    {"--layout", " --style --interleaved --neox "},
    {"--format", " --markdown -f "},
    {"--color", " --no-color --no-colour --colour "},
    {"--model", " --hf --repo --arch -m "},
    {"--config", " --path --file --input -i "},
    {"--threads", " -j --num-threads "},
};

}  // namespace

std::string_view meant_option(std::string_view word, std::span<const std::string_view> known) {
    std::string dashed(word);
    std::ranges::replace(dashed, '_', '-');
    for (const auto& [ours, others] : other_names)
        if (others.find(" " + dashed + " ") != others.npos && std::ranges::count(known, ours) > 0)
            return ours;
    return nearest(word, known);
}

}  // namespace rope::cli
