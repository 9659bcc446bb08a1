#include <fmt/format.h>

#include <algorithm>

#include "cli/command/plotting.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/specs.hpp"
#include "io/explain/explanation.hpp"
#include "io/model/resolved_model.hpp"
#include "plots/figures/figures.hpp"

namespace rope::cli {
namespace {

void refuse_several(const Arguments& arguments) {
    const std::size_t count = one_by_one(arguments).size();
    if (count > 1)
        throw InputError(
            fmt::format("explain takes one config and {} are given; -o x.svg draws "
                        "several, and rope-check diff A B compares two",
                        count));
}

// Whether --reading all is given, which compares every library's reading; removes it.
bool takes_all_readings(Arguments& arguments) {
    const bool has_all = std::erase_if(arguments.spec_flags, [](const io::Flag& flag) {
                             return flag.name == "--reading" && flag.value == "all";
                         }) > 0;
    if (has_all && std::ranges::count(arguments.spec_flags, "--reading", &io::Flag::name) > 0)
        throw InputError("--reading", "all compares every library; leave out the other --reading");
    return has_all;
}

// Writes a page whose sliders start with the first layers that rotate.
void write_page(const io::ResolvedModel& model, const Target& target, const Arguments& arguments,
                std::uint64_t context) {
    std::vector<io::NamedModel> layers;
    for (const io::LayerGroup& group : model.groups)
        if (group.rotates) layers.push_back({group.layers, group.resolved.spec});
    deliver_page({.title = "rope-check: rotary position embeddings to explore",
                  .summary = "Frequencies, decay of the score and bound of the base, for any "
                             "base, dimension, scaling and context.",
                  .json = io::page_json(explorer_of(layers, arguments, context))},
                 target, arguments);
}

int run_explain(const Arguments& typed) {
    Arguments arguments = typed;
    const bool has_readings = takes_all_readings(arguments);
    const auto context = arguments.whole("--context", 1, max_context);
    std::optional<plots::Figure> figure;
    if (has_figure(arguments))
        figure = plots::spectrum_figure(specs_of(arguments, context), context);
    std::optional<io::ExplainedModel> explained;
    if (!std::ranges::all_of(arguments.targets, is_figure, &Target::format) ||
        arguments.has("--strict")) {
        refuse_several(arguments);
        explained = io::explain(io::with_both_tables(model_of(arguments)), context, has_readings);
    }
    const auto document =
        explained ? io::explain_document(*explained, arguments.has("--verbose")) : io::Document();
    const auto verdict = [&] { return figure ? "" : document.verdict; };
    deliver_each(arguments, verdict, [&](const Target& target) {
        if (is_figure(target.format))
            deliver_figure(*figure, target, arguments);
        else if (target.format == "html")
            write_page(model_of(arguments), target, arguments, context.value_or(0));
        else
            deliver(target.path, document.in(target.format), arguments);
    });
    return arguments.has("--strict") && io::gates(explained->model.lint) ? 1 : 0;
}

}  // namespace

constinit const Command explain_command{
    .name = "explain",
    .run = run_explain,
};

}  // namespace rope::cli
