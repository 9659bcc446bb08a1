#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/plot/plotting.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "io/export/export.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/number.hpp"
#include "plots/figures/figures.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/emulate.hpp"

namespace rope::cli {
namespace {

constexpr std::uint64_t most_scores = 1 << 21;  // of all pipelines: 32 MiB

std::vector<Option> plot_scores_options() {
    return with_output_options({
        {.name = "--pipeline",
         .value = "NAME",
         .help = "implementation to emulate (default: hf-fp32, bf16-table and bf16-angles)",
         .repeats = true},
        {.name = "--context",
         .value = "N",
         .help = "put the query at position N - 1 (default: max_position_embeddings, at most "
                 "131072)"},
        {.name = "--q",
         .value = "TENSOR",
         .help = "the query before rotation: FILE or FILE:NAME of shape [head_dim] or "
                 "[..., head_dim] (default: random)",
         .reads = Reads::tensor},
        {.name = "--k", .value = "TENSOR", .help = "the key, likewise", .reads = Reads::tensor},
        {.name = "--q-row", .value = "N", .help = "row of --q (default: 0)"},
        {.name = "--k-row", .value = "N", .help = "row of --k (default: 0)"},
        {.name = "--seed", .value = "N", .help = "seed of random q and k (default: 1)"},
    });
}

std::vector<std::string> pipelines_asked(const Arguments& arguments) {
    std::vector<std::string> asked = arguments.values("--pipeline");
    if (asked.empty()) asked = {"hf-fp32", "bf16-table", "bf16-angles"};
    return asked;
}

// q and k, and what they are in words.
struct Vectors {
    std::variant<std::uint64_t, QueryAndKey> from;  // a seed, or themselves
    std::string words;
};

constexpr std::uint64_t most_number = std::numeric_limits<std::uint64_t>::max();

std::vector<double> given(const Arguments& arguments, const char* option, const char* row_option,
                          const Spec& spec, std::string& words) {
    const auto row = arguments.value(row_option);
    const std::uint64_t number = row ? io::parse_whole(row_option, *row, 0, most_number) : 0;
    const io::NamedArray array = io::load_array(*arguments.value(option));
    words += (words.empty() ? "q is " : ", k is ") + array.name;
    if (array.array.shape.size() > 1) words += fmt::format(" row {}", number);
    return io::given_vector(option, array, spec.head_dim, number);
}

Vectors vectors_asked(const Arguments& arguments, const Spec& spec) {
    const auto seed = arguments.value("--seed");
    if (arguments.has("--q") != arguments.has("--k"))
        throw InputError("--q", "and --k belong together; give both");
    if (!arguments.has("--q")) {
        for (const char* idle : {"--q-row", "--k-row"})
            if (arguments.has(idle)) throw InputError(idle, "does nothing without --q and --k");
        const std::uint64_t number = seed ? io::parse_whole("--seed", *seed, 0, most_number) : 1;
        return {number, fmt::format("q and k are standard normal (seed {})", number)};
    }
    if (seed) throw InputError("--seed", "does nothing with --q and --k; leave it out");
    Vectors vectors;
    QueryAndKey both;
    both.q = given(arguments, "--q", "--q-row", spec, vectors.words);
    both.k = given(arguments, "--k", "--k-row", spec, vectors.words);
    vectors.from = std::move(both);
    return vectors;
}

std::uint64_t rows_asked(const Arguments& arguments, const Spec& spec, std::size_t pipelines) {
    constexpr std::uint64_t usual = 131072;
    const auto context = arguments.value("--context");
    return context ? io::parse_whole("--context", *context, 2, most_scores / pipelines)
                   : std::clamp<std::uint64_t>(spec.max_position_embeddings, 2, usual);
}

int run_plot_scores(const Arguments& arguments) {
    io::ResolvedSpec resolved = spec_of(arguments);
    const std::vector<std::string> pipelines = pipelines_asked(arguments);
    const std::uint64_t rows = rows_asked(arguments, resolved.spec, pipelines.size());
    const Vectors vectors = vectors_asked(arguments, resolved.spec);
    io::choose_table(resolved, rows, "--context");
    const Spec& spec = resolved.spec;
    if (frequency_restarts(spec.axes) != 1)
        throw InputError("several axes make a distance several; scores are drawn over one");
    std::vector<plots::PipelineScores> all;
    for (const std::string& name : pipelines) {
        const auto subject = emulate(spec, pipeline_named(name), rows);
        TaskCount* rows_scored = begin_part(arguments, all.size(), pipelines.size());
        all.push_back({name, std::visit(
                                 [&](const auto& from) {
                                     return score_curve(spec, *subject, from, rows_scored);
                                 },
                                 vectors.from)});
    }
    const std::string name = subject_name(arguments);
    return deliver_figure(
        plots::scores_figure({name.empty() ? "base θ" : name, spec}, std::move(all), vectors.words),
        figure_targets(arguments), arguments, Listing::plotted_points);
}

}  // namespace

constinit const Command plot_scores_command{
    .name = "plot-scores",
    .summary = "draw attention scores over distance, by several pipelines",
    .doing = "scoring",
    .examples =
        "  rope-check plot-scores --context 131072\n"
        "  rope-check plot-scores --model llama-3.1-8b --pipeline hf-fp32 --pipeline "
        "chatglm-fp16\n"
        "  rope-check plot-scores --q dump.npz:q --k dump.npz:k --q-row 511 --model llama-3.1-8b\n",
    .options = plot_scores_options,
    .repeats_spec = false,
    .run = run_plot_scores,
    .targets = figure_targets,
};

}  // namespace rope::cli
