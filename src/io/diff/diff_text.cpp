#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/diff/diff.hpp"
#include "io/lint/lint_output.hpp"
#include "io/text/cells.hpp"
#include "io/text/number_text.hpp"

namespace rope::io {
namespace {

std::vector<std::string> row(std::string name, const Contrast& both) {
    return {std::move(name), significant(both.a, 12), significant(both.b, 12),
            brief(both.relative)};
}

std::vector<std::string> row(std::string name, std::uint64_t a, std::uint64_t b) {
    return {std::move(name), decimal(a), decimal(b), ""};
}

Cells field_cells(const Difference& difference) {
    const Spec &a = difference.a, &b = difference.b;
    Cells cells{{"", "A", "B", "relative"}, "lrrr"};
    cells.rows = {
        {"rope_type", a.scaling.rope_type, b.scaling.rope_type, ""},
        {"rope_theta", plain(a.rope_theta), plain(b.rope_theta), ""},
        row("head_dim", a.head_dim, b.head_dim),
        row("rotary_dim", a.rotary_dim, b.rotary_dim),
        {"layout", std::string(to_string(a.layout)), std::string(to_string(b.layout)), ""},
        row("attention_factor", difference.attention_factor),
        row("softmax_scale_factor", difference.softmax_scale_factor),
        row(fmt::format("inv_freq of pair {}", difference.worst_pair), difference.worst())};
    return cells;
}

Cells angle_cells(const Difference& difference) {
    Cells cells{{"at position", "largest angle apart", "in pair", "pairs a quarter turn apart"},
                "rrrr"};
    for (const AngleDifference& angle : difference.angles)
        cells.rows.push_back(
            {grouped(angle.position), significant(angle.worst, 4) + " rad", decimal(angle.pair),
             fmt::format("{} of {}", angle.pairs_lost, difference.inv_freq.size())});
    return cells;
}

Cells pair_cells(const Difference& difference) {
    Cells cells{{"pair", "A", "B", "relative"}, "rrrr"};
    for (std::size_t i = 0; i < difference.inv_freq.size(); ++i)
        cells.rows.push_back(row(decimal(i), difference.inv_freq[i]));
    return cells;
}

std::string plan_text(const DiffedPlan& plan, bool verbose) {
    const std::string layers = printable(plan.layers);
    std::string text = layers + ": the same rotation";
    if (!plan.differing.empty())
        text = fmt::format("{}: not the same {}", layers, fmt::join(plan.differing, ", "));
    if (plan.permuted) text += "; the converter permuted q_proj and k_proj for the other layout";
    if (plan.difference.softmax_scale_factor.relative > same_in_float32)
        text += "; another softmax scale";
    text += "\n";
    text += "\n" + aligned(field_cells(plan.difference), 2);
    if (!plan.differing.empty()) text += "\n" + aligned(angle_cells(plan.difference), 2);
    if (verbose) text += "\n" + aligned(pair_cells(plan.difference), 2);
    return text;
}

}  // namespace

std::string diff_text(const Diff& diff, bool verbose) {
    std::string text = fmt::format("A: {}\nB: {}\n", printable(diff.a), printable(diff.b));
    for (const DiffedPlan& plan : diff.plans) text += "\n" + plan_text(plan, verbose);
    for (const std::string& layers : diff.only_a)
        text += fmt::format("\nonly in A: {}\n", printable(layers));
    for (const std::string& layers : diff.only_b)
        text += fmt::format("\nonly in B: {}\n", printable(layers));
    return text + (diff.lint.empty() ? "" : "\n") + lint_text(diff.lint);
}

}  // namespace rope::io
