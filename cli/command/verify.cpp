// verify: one case, or a table of several.
#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/provenance.hpp"
#include "cli/shell/specs.hpp"
#include "io/model/models.hpp"
#include "io/render/sweep_table.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

// Splits the flags that apply to every model, one set per value of a repeated flag. Throws
// InputError for a value that no model can have.
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
    return mapped<std::string>(io::models(), &io::Model::name);
}

// The name of a source is the word that was typed.
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

// The models and configs, each with every set of repeated flags; without either, the flags
// themselves, without rows. An unusable config becomes a row. Throws InputError for a
// flag that fits no model.
io::SweepTable asked_sweep(const Arguments& arguments) {
    std::vector<io::SweepSource> sources = sources_of(arguments);
    io::SweepTable table;
    table.version = ROPE_CHECK_VERSION;
    table.commit = provenance().texts["commit"];
    table.plan.pipelines = mapped<const Pipeline*>(
        arguments.values("--pipeline"), [](const auto& name) { return &pipeline_named(name); });
    if (table.plan.pipelines.empty())
        table.plan.pipelines.push_back(&find_pipeline(default_pipeline));
    table.plan.contexts =
        mapped<std::uint64_t>(arguments.values("--context"), [](const std::string& context) {
            return io::parse_whole("--context", context, 1, max_context);
        });
    io::SweepModels models = io::sweep_models(sources, table.plan.contexts.empty());
    table.plan.models = std::move(models.models);
    table.lint = std::move(models.lint);
    table.cells = sweep_cells(table.plan);
    return table;
}

// Throws InputError for options of a single config.
void refuse_questions_of_one(const Arguments& arguments) {
    arguments.refuse({"--only", "--require", "--max-error", "--seed", "--baseline"},
                     "is for one config, pipeline and context; give one of each, or leave it out");
    if (arguments.reports != nullptr)
        throw InputError(
            "a recorded command has one config, pipeline and context; record several configs with "
            "rope-check baseline record FILE CONFIG CONFIG --reason TEXT");
}

bool checks_several(const Arguments& arguments) {
    return arguments.has("--all-models") || arguments.values("--pipeline").size() > 1 ||
           arguments.values("--context").size() > 1 || names_several(arguments);
}

// Returns 1 if a row failed, 2 if one could not be checked. Throws InputError for options of a
// single config.
int run_sweep(const Arguments& arguments) {
    refuse_questions_of_one(arguments);
    io::SweepTable table = asked_sweep(arguments);
    const auto log = task_log(arguments, io::sweep_question(table));
    table.rows = judge_cells(table.cells,
                             {threads_asked(arguments), begin_stage(arguments, "rows"), log.get()});
    if (!is_first_rank()) return 0;
    const SweepSummary sum = summarize(table.rows);
    const io::Document document =
        io::sweep_document(table, arguments.has("--verbose"), arguments.has("--quiet"));
    deliver_each(
        arguments, [&] { return document.verdict; },
        [&](const Target& target) {
            std::string error;
            if (target.format == "github" && exit_code(sum) != 0)
                error = io::github_error(fmt::format(
                    "{} of {} rows failed", sum.violated + sum.refused, table.rows.size()));
            deliver(target.path, error + document.in(target.format), arguments);
        });
    say_lint(table.lint, arguments);
    if (sum.refused == table.rows.size())
        throw InputError("every config is refused: " + table.rows[0].reason);
    const bool fails_strict = arguments.has("--strict") && io::gates(table.lint);
    return exit_code(sum) == 0 && fails_strict ? 1 : exit_code(sum);
}

// A case for each Spec of the model, computed by --pipeline up to --context.
std::vector<Case> pipeline_cases(const Arguments& arguments) {
    io::ResolvedModel model = model_of(arguments);
    const Pipeline& pipeline =
        pipeline_named(arguments.value("--pipeline").value_or(std::string(default_pipeline)));
    const auto asked = arguments.whole("--context", 1, max_context);
    if (asked)
        for (io::LayerGroup& group : model.groups)
            io::choose_table(group.resolved, *asked, "--context");
    model = io::with_both_tables(std::move(model));
    std::vector<Case> cases;
    for (const io::LayerGroup& group : model.groups) {
        if (!group.rotates) continue;
        const auto judge = [spec = group.resolved.spec, &pipeline,
                            context = context_to_check(asked, group.context(), group.resolved.spec,
                                                       arguments)](const auto& options) {
            return verify(spec, pipeline, context, options);
        };
        Case one{group.resolved, judge};
        if (model.groups.size() > 1) {
            one.layers = group.layers;
            one.layer_numbers = group.numbers;
        }
        cases.push_back(std::move(one));
    }
    return cases;
}

std::vector<Target> verify_targets(const Arguments& arguments) {
    constexpr std::string_view of_sweeps[] = {"text", "json", "markdown", "csv", "github"};
    if (!checks_several(arguments)) return usual_targets(arguments);
    try {
        return formatted_targets(of_sweeps, arguments);
    } catch (const InputError&) {
        (void)usual_targets(arguments);  // throws if one config has no such format, either
        throw InputError("a table of several configs is written as " + join(of_sweeps) +
                         "; give one config for other formats");
    }
}

int run_verify(const Arguments& arguments) {
    if (checks_several(arguments)) return run_sweep(arguments);
    arguments.refuse({"--resume"}, "is for a table of several configs; leave it out");
    return judge_and_report(pipeline_cases(arguments), arguments);
}

}  // namespace

constinit const Command verify_command{
    .name = "verify", .run = run_verify, .targets = verify_targets, .over_ranks = checks_several};

}  // namespace rope::cli
