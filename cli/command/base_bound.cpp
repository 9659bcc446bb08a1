// base-bound: the bases whose B(s) stays ≥ 0.
#include "rope/base_bound/base_bound.hpp"

#include <fmt/format.h>

#include "cli/command/plotting.hpp"
#include "cli/shell/specs.hpp"
#include "io/explain/explanation.hpp"
#include "io/model/resolved_model.hpp"
#include "io/text/number.hpp"
#include "plots/figures/figures.hpp"

namespace rope::cli {
namespace {

// --context, else the Spec's max_position_embeddings.
std::uint64_t context_to_bound(const Arguments& arguments, const Spec& spec) {
    return arguments.whole("--context", 1, max_context).value_or(spec.max_position_embeddings);
}

// The Spec whose B(s) is scanned. Throws InputError if it has several ladders of frequencies.
Spec spec_to_judge(const Arguments& arguments) {
    io::ResolvedSpec resolved = spec_of(arguments);
    io::choose_table(resolved, context_to_bound(arguments, resolved.spec), "--context");
    const Spec& spec = resolved.spec;
    if (frequency_restarts(spec.axes) != 1)
        throw InputError(fmt::format("the axes are '{}'; the base bound is defined for one axis",
                                     to_string(spec.axes.scheme)));
    return spec;
}

BaseQuestion question_of(const Arguments& arguments, const Spec& spec) {
    if (spec.pairs() > most_bounded_pairs)
        throw InputError("rotary_dim", fmt::format("{}", spec.rotary_dim),
                         fmt::format("at most {} for base bounds", 2 * most_bounded_pairs));
    BaseQuestion question{.pairs = {spec.pairs(), (spec.head_dim - spec.rotary_dim) / 2},
                          .context = context_to_bound(arguments, spec),
                          .threads = threads_asked(arguments)};
    if (const auto digits = arguments.whole("--digits", 1, 6))
        question.digits = static_cast<int>(*digits);
    const auto search_to = arguments.value("--search-to");
    if (!search_to) return question;
    question.search_to = io::parse_real("--search-to", *search_to);
    if (!(*question.search_to >= 1 && *question.search_to <= largest_base))
        throw InputError("--search-to", fmt::format(": '{}' is not from 1 to 1e30", *search_to));
    return question;
}

// Whether a base or a scaling was typed.
bool asks_about_spec(const Arguments& arguments, const Spec& spec) {
    return arguments.names_model() || arguments.names("--base") ||
           spec.scaling.rope_type != "default";
}

BaseScan scan_of(const Spec& spec, const BaseQuestion& asked, std::uint64_t farthest) {
    return scan_sum(CosineSum(plan_frequencies(spec, exact_precision), asked.pairs.passing),
                    asked.context, farthest);
}

std::string assumed_words(const Arguments& arguments, const Spec& spec) {
    if (arguments.names_model()) return "";
    const bool has_dim = arguments.names("--dim");
    std::string text = has_dim ? "" : fmt::format("head_dim {}", spec.head_dim);
    if (!arguments.has("--context") && !arguments.names("--max-position"))
        text += fmt::format("{}context {}", has_dim ? "" : ", ",
                            io::grouped(spec.max_position_embeddings));
    return text;
}

io::BaseBoundReport report_on(const Arguments& arguments, const Spec& spec) {
    io::BaseBoundReport report{
        spec, question_of(arguments, spec), {}, {}, assumed_words(arguments, spec)};
    const PairCounts pairs = report.asked.pairs;
    const auto log = task_log(
        arguments, fmt::format("{} {} {}+{} pairs to {}", ROPE_CHECK_VERSION, arguments.command,
                               pairs.rotating, pairs.passing, report.asked.context));
    BaseQuestion question = report.asked;
    question.log = log.get();
    if (spec.scaling.rope_type == "default")
        report.found = bound_base(question);
    else
        arguments.refuse(
            {"--digits", "--search-to", "--resume"},
            fmt::format("is about the search for bases, which is for unscaled frequencies; "
                        "rope_type is '{}': leave it out",
                        spec.scaling.rope_type));
    if (asks_about_spec(arguments, spec))
        report.judged = scan_of(spec, report.asked, farthest_search(report.asked.pairs.rotating));
    return report;
}

// d/2·N for a figure that takes a minute.
constexpr std::uint64_t largest_figure = std::uint64_t{1} << 26;

// Throws InputError if scaling changes the meaning of a base.
plots::Figure figure_of(const Arguments& arguments, const Spec& spec) {
    if (spec.scaling.rope_type != "default")
        throw InputError(
            fmt::format("rope_type is '{}'; the bases that hold are searched for unscaled "
                        "frequencies: use --dim and --rotary-dim only, or rope-check plot-decay",
                        spec.scaling.rope_type));
    BaseQuestion question = question_of(arguments, spec);
    question.island_work = largest_figure;
    const std::uint64_t pairs = question.pairs.rotating;
    if (pairs * question.context > largest_figure)
        throw InputError("--context",
                         fmt::format("is {} with {} pairs; for a figure it must be at most {}",
                                     question.context, pairs, largest_figure / pairs));
    if (!asks_about_spec(arguments, spec)) return plots::base_bound_figure(question);
    const BaseScan scan = scan_of(spec, question, plots::drawn_contexts * question.context);
    return plots::base_bound_figure(question, plots::AskedBase{spec.rope_theta, scan});
}

int run_base_bound(const Arguments& arguments) {
    const Spec spec = spec_to_judge(arguments);
    std::optional<plots::Figure> figure;
    if (has_figure(arguments)) figure = figure_of(arguments, spec);
    std::optional<io::BaseBoundReport> report;
    if (!std::ranges::all_of(arguments.targets, is_figure, &Target::format) ||
        asks_about_spec(arguments, spec))
        report = report_on(arguments, spec);
    const auto document =
        report ? io::base_bound_document(*report, arguments.has("--verbose")) : io::Document();
    deliver_each(
        arguments, [&] { return document.verdict; },
        [&](const Target& target) {
            if (is_figure(target.format))
                deliver_figure(*figure, target, arguments);
            else
                deliver(target.path, document.in(target.format), arguments);
        });
    return report && report->judged && !report->judged->holds() ? 1 : 0;
}

}  // namespace

constinit const Command base_bound_command{
    .name = "base-bound",
    .run = run_base_bound,
    .over_ranks = [](const Arguments&) { return true; },
};

}  // namespace rope::cli
