#include "cli/sweep/asked_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"
#include "cli/shell/provenance.hpp"
#include "cli/shell/specs.hpp"
#include "io/model/models.hpp"
#include "io/sweep/sweep_models.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

constexpr std::size_t most_rows = 10'000;  // that a file of them can be read again

template <class List>
void refuse_repeated(std::string_view option, const List& values) {
    for (auto one = values.begin(); one != values.end(); ++one)
        if (std::find(values.begin(), one, *one) != one)
            throw InputError(std::string(option),
                             fmt::format(": '{}' is given twice", printable(*one)));
}

// The flags that are for every model, one set for each value that is given several times. A value
// that no model could take is refused here.
std::vector<OneOfSeveral> variations_of(const Arguments& arguments) {
    Arguments common{.given = {}, .spec_flags = {}};
    Spec scratch;
    for (const io::Flag& flag : arguments.spec_flags) {
        const io::SpecFlag& known = io::find_spec_flag(flag.name);
        if (known.set) known.set(scratch, flag);
        if (known.name != "--model") common.spec_flags.push_back(flag);
    }
    return one_by_one(common);
}

std::vector<std::string> models_of(const Arguments& arguments) {
    refuse_unknown_names(arguments);
    std::vector<std::string> names;
    for (const io::Flag& flag : arguments.spec_flags)
        if (flag.name == "--model") names.emplace_back(io::find_model(flag.value).name);
    if (!arguments.has("--all-models")) return names;
    if (!names.empty())
        throw InputError(
            "--model", fmt::format("{}: --all-models has it already; drop one of them", names[0]));
    for (const io::Model& model : io::models()) names.emplace_back(model.name);
    return names;
}

// A name is what was typed of it.
std::vector<io::SweepSource> sources_of(const Arguments& arguments) {
    std::vector<io::SweepSource> bases;
    for (const std::string& name : models_of(arguments))
        bases.push_back({name, std::nullopt, {{"--model", name}}});
    for (const std::string& path : arguments.values("--config")) bases.push_back({path, path, {}});
    const std::vector<OneOfSeveral> variations = variations_of(arguments);
    if (bases.empty()) {
        if (variations.front().arguments.spec_flags.empty())
            throw InputError(
                "verify needs a config for a table: name configs or built-in models, or "
                "--all-models");
        bases.emplace_back();
    }
    std::vector<io::SweepSource> sources;
    for (const io::SweepSource& base : bases)
        for (const OneOfSeveral& one : variations) {
            io::SweepSource& source = sources.emplace_back(base);
            for (const io::Flag& flag : one.arguments.spec_flags) {
                source.flags.push_back(flag);
                source.name += (source.name.empty() ? "" : " ") + flag.name + " " + flag.value;
            }
        }
    return sources;
}

std::vector<std::uint64_t> contexts_of(const Arguments& arguments) {
    std::vector<std::uint64_t> contexts;
    for (const std::string& context : arguments.values("--context"))
        contexts.push_back(io::parse_whole("--context", context, 1, max_context));
    return contexts;
}

std::vector<const Pipeline*> pipelines_of(const Arguments& arguments) {
    std::vector<const Pipeline*> pipelines;
    for (const std::string& name : arguments.values("--pipeline"))
        pipelines.push_back(&pipeline_named(name));
    if (pipelines.empty()) pipelines.push_back(&find_pipeline(default_pipeline));
    return pipelines;
}

}  // namespace

AskedSweep asked_sweep(const Arguments& arguments) {
    std::vector<io::SweepSource> sources = sources_of(arguments);
    std::vector<std::string> names;
    for (const io::SweepSource& source : sources) names.push_back(source.name);
    refuse_repeated("config", names);
    refuse_repeated("--pipeline", arguments.values("--pipeline"));
    refuse_repeated("--context", arguments.values("--context"));
    AskedSweep asked;
    io::SweepTable& table = asked.table;
    table.version = ROPE_CHECK_VERSION;
    table.commit = provenance().commit;
    table.plan.pipelines = pipelines_of(arguments);
    table.plan.contexts = contexts_of(arguments);
    io::SweepModels models = io::sweep_models(sources, table.plan.contexts.empty());
    table.plan.models = std::move(models.models);
    asked.lint = std::move(models.lint);
    table.cells = sweep_cells(table.plan);
    table.rows.resize(table.cells.size());
    if (table.rows.size() > most_rows)
        throw InputError(fmt::format("the table would have {} rows; at most {} are possible",
                                     table.rows.size(), most_rows));
    return asked;
}

}  // namespace rope::cli
