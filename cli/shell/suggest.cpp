#include "cli/shell/suggest.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/suggest.hpp"

namespace rope::cli {
namespace {

// Names of these options in other tools.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"--theta", "--base"},
    {"--freq-base", "--base"},
    {"--rope-base", "--base"},
    {"--d", "--dim"},
    {"-d", "--dim"},
    {"--head-size", "--dim"},
    {"--hidden-size", "--dim"},
    {"--seq-len", "--context"},
    {"--seqlen", "--context"},
    {"--n-ctx", "--context"},
    {"-c", "--context"},
    {"--max-length", "--context"},
    {"--max-len", "--context"},
    {"--length", "--context"},
    {"--positions", "--context"},
    {"--dtype", "--pipeline"},
    {"--precision", "--pipeline"},
    {"--backend", "--pipeline"},
    {"--ctx", "--context"},
    {"--max-seq-len", "--context"},
    {"--max-position-embeddings", "--max-position"},
    {"--rope-scaling", "--rope"},
    {"--rope-parameters", "--rope"},
    {"--scaling", "--rope"},
    {"--html", "--output"},
    {"--plot", "--output"},
    {"-p", "--pipeline"},
    {"--tol", "--max-error"},
    {"--library", "--reading"},
    {"--function", "--python"},
    {"--tolerance", "--max-error"},
    {"--atol", "--max-error"},
    {"--style", "--layout"},
    {"--interleaved", "--layout"},
    {"--neox", "--layout"},
    {"--markdown", "--format"},
    {"--csv", "--output"},
    {"--svg", "--output"},
    {"--out", "--output"},
    {"-f", "--format"},
    {"--data", "--output"},
    {"--png", "--output"},
    {"--pdf", "--output"},
    {"--no-color", "--color"},
    {"--no-colour", "--color"},
    {"--colour", "--color"},
    {"--hf", "--model"},
    {"--repo", "--model"},
    {"--path", "--config"},
    {"--file", "--config"},
    {"--input", "--config"},
    {"-i", "--config"},
    {"--arch", "--model"},
    {"-j", "--threads"},
    {"--num-threads", "--threads"},
    {"-m", "--model"}};

}  // namespace

std::string_view meant_option(std::string_view word, std::span<const std::string_view> known) {
    std::string dashed(word);
    std::ranges::replace(dashed, '_', '-');
    for (const auto& [other, ours] : other_names)
        if (other == dashed && std::ranges::count(known, ours) > 0) return ours;
    return nearest(word, known);
}

}  // namespace rope::cli
