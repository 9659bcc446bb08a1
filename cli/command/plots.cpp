// The commands plot-angles, plot-decay and plot-scores.
#include <fmt/format.h>

#include "cli/command/plotting.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/export/export.hpp"
#include "io/model/resolved_model.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/number.hpp"
#include "plots/figures/figures.hpp"
#include "plots/figures/subject.hpp"

namespace rope::cli {
namespace {

// The targets of --output, else the terminal, else NAME.svg in the current folder for the command
// plot-NAME.
std::vector<Target> figure_targets(const Arguments& arguments) {
    if (!arguments.has("--output") && stdout_is_terminal()) return {{"text", "-"}};
    const std::string name = arguments.command.substr(std::string_view("plot-").size());
    return targets_among(option_in(arguments.command, "--output").formats, {"svg", name + ".svg"},
                         arguments);
}

int deliver_figures(const plots::Figure& figure, const Arguments& arguments,
                    Listing listing = Listing::every_point) {
    deliver_each(
        arguments, [] { return std::string(); },
        [&](const Target& target) { deliver_figure(figure, target, arguments, listing); });
    return 0;
}

// The Specs of a figure of angles up to distance `reach`, if given, each followed by its He & Xu
// scaled form, and the pair.
std::pair<std::vector<plots::NamedSpec>, std::uint32_t> angles_to_draw(
    const Arguments& arguments, std::optional<std::uint64_t> reach = {}) {
    std::vector<plots::NamedSpec> specs = specs_of(arguments);
    const std::uint64_t last_pair = plots::common_pairs(specs) - 1;
    const auto asked = arguments.whole("--pair", 0, last_pair);
    const std::uint64_t pair = asked ? *asked : plots::slowest_differing_pair(specs, reach);
    if (!arguments.has("--no-scaled")) specs = plots::with_scaled(specs);
    return {std::move(specs), static_cast<std::uint32_t>(pair)};
}

constexpr std::uint64_t longest_angles = 1 << 16;  // one dot per distance

int run_plot_angles(const Arguments& arguments) {
    const auto reach = arguments.whole("--distance", 2, longest_angles);
    const auto [specs, pair] = angles_to_draw(arguments, reach);
    return deliver_figures(plots::angles_figure(specs, pair, reach), arguments);
}

constexpr std::uint64_t longest_decay = 1 << 24;

void refuse_idle(const Arguments& arguments) {
    if (arguments.has("--overlay"))
        arguments.refuse({"--pair"},
                         "does nothing with --overlay, which draws no angle; leave one out");
    if (arguments.has("--every-distance") &&
        std::ranges::count(arguments.targets, "csv", &Target::format) == 0)
        throw InputError("--every-distance", ": no CSV is written; add -o FILE.csv");
}

int run_plot_decay(const Arguments& arguments) {
    refuse_idle(arguments);
    const auto [specs, pair] = angles_to_draw(arguments);
    const std::uint64_t last =
        arguments.whole("--distance", 2, longest_decay).value_or(plots::default_decay_distance);
    TaskCount* distances = begin_stage(arguments, "searching");
    plots::Figure figure = arguments.has("--overlay")
                               ? plots::decay_figure(specs, last, distances)
                               : plots::comparison_figure(specs, pair, last, distances);
    return deliver_figures(
        figure, arguments,
        arguments.has("--every-distance") ? Listing::every_point : Listing::plotted_points);
}

constexpr std::uint64_t most_scores = 1 << 21;  // of all pipelines together: 32 MiB

std::vector<std::string> pipelines_asked(const Arguments& arguments) {
    std::vector<std::string> asked = arguments.values("--pipeline");
    if (asked.empty()) asked = {"hf-fp32", "bf16-table", "bf16-angles"};
    return asked;
}

// q and k with a description.
struct Vectors {
    QueryAndKey both;
    std::string words;
};

std::vector<double> given(const Arguments& arguments, const std::string& role, std::uint64_t number,
                          const Spec& spec, std::string& words) {
    const io::NamedArray array = io::load_array(*arguments.value(role + "="));
    words += (words.empty() ? "q is " : ", k is ") + array.name;
    if (array.array.shape.size() > 1) words += fmt::format(" row {}", number);
    return io::given_vector(role, array, spec.head_dim, number);
}

std::pair<std::uint64_t, std::uint64_t> vector_rows(const Arguments& arguments) {
    const auto rows = arguments.value("--rows");
    if (!rows) return {0, 0};
    const std::vector<std::string> parts = io::split_list(*rows);
    if (parts.size() != 2)
        throw InputError("--rows", ": '" + printable(*rows) + "' is not Q,K, such as 511,511");
    return {io::parse_whole("--rows", parts[0], 0, UINT64_MAX),
            io::parse_whole("--rows", parts[1], 0, UINT64_MAX)};
}

Vectors vectors_asked(const Arguments& arguments, const Spec& spec) {
    if (arguments.has("q=") != arguments.has("k="))
        throw InputError("q=TENSOR", "and k=TENSOR belong together; give both");
    if (!arguments.has("q=")) {
        arguments.refuse({"--rows"}, "does nothing without q=TENSOR and k=TENSOR; leave it out");
        const std::uint64_t number = arguments.whole("--seed").value_or(1);
        return {random_vectors(spec, number),
                fmt::format("q and k are standard normal (seed {})", number)};
    }
    arguments.refuse({"--seed"}, "does nothing with q=TENSOR and k=TENSOR; leave it out");
    Vectors vectors;
    const auto [q_row, k_row] = vector_rows(arguments);
    vectors.both.q = given(arguments, "q", q_row, spec, vectors.words);
    vectors.both.k = given(arguments, "k", k_row, spec, vectors.words);
    return vectors;
}

std::uint64_t rows_asked(const Arguments& arguments, const Spec& spec, std::size_t pipelines) {
    constexpr std::uint64_t usual = 131072;
    return arguments.whole("--context", 2, most_scores / pipelines)
        .value_or(std::clamp<std::uint64_t>(spec.max_position_embeddings, 2, usual));
}

int run_plot_scores(const Arguments& arguments) {
    io::ResolvedSpec resolved = spec_of(arguments);
    const std::vector<std::string> pipelines = pipelines_asked(arguments);
    const std::uint64_t rows = rows_asked(arguments, resolved.spec, pipelines.size());
    Vectors vectors = vectors_asked(arguments, resolved.spec);
    const Spec any_length = resolved.spec;
    const auto first_table = short_length(any_length);
    const bool grows = first_table && rows > *first_table;
    io::choose_table(resolved, rows, "--context");
    const Spec& spec = resolved.spec;
    if (frequency_restarts(spec.axes) != 1)
        throw InputError("several axes make a distance several; scores are drawn over one");
    std::vector<plots::PipelineScores> all;
    const auto score = [&](const std::string& name, const RowSource& subject) {
        TaskCount* scored = begin_part(arguments, all.size(), pipelines.size() + (grows ? 1 : 0));
        all.push_back({name, score_curve(spec, subject, vectors.both, scored)});
    };
    for (const std::string& name : pipelines)
        score(name, *emulate(spec, pipeline_named(name), rows));
    if (grows) {
        score("cached keys", *emulate_cached_keys(any_length, rows));
        vectors.words += "; cached keys have the frequencies of the length at their own step";
    }
    std::string name = subject_name(arguments);
    if (name.empty())
        name = spec.scaling.rope_type == "default" ? "base θ" : spec.scaling.rope_type;
    return deliver_figures(plots::scores_figure({name, spec}, all, vectors.words), arguments,
                           Listing::plotted_points);
}

}  // namespace

constinit const Command plot_angles_command{
    .name = "plot-angles", .run = run_plot_angles, .targets = figure_targets};

constinit const Command plot_decay_command{
    .name = "plot-decay", .run = run_plot_decay, .targets = figure_targets};

constinit const Command plot_scores_command{
    .name = "plot-scores", .run = run_plot_scores, .targets = figure_targets};

}  // namespace rope::cli
