#include "cli/command/drawn_cases.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "cli/sweep/sweep.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/text/number.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::cli {
namespace {

std::vector<Option> verify_options() {
    return with_judging_options(
        {
            {.name = "--context",
             .value = "N",
             .help = "check positions 0 to N - 1 (default: max_position_embeddings)",
             .repeats = true},
            {.name = "--pipeline",
             .value = "NAME",
             .help = "implementation to emulate (default: hf-fp32, transformers in float32); "
                     "rope-check list pipelines",
             .repeats = true},
            {.name = "--all-models",
             .help = "check every model that rope-check list models prints"},
        },
        report_and_figure_files);
}

}  // namespace

std::vector<Case> pipeline_cases(const Arguments& arguments) {
    io::ResolvedModel model = model_of(arguments);
    const Pipeline& pipeline =
        pipeline_named(arguments.value("--pipeline").value_or(std::string(default_pipeline)));
    std::optional<std::uint64_t> asked;
    if (const auto context = arguments.value("--context")) {
        asked = io::parse_whole("--context", *context, 1, max_context);
        for (io::LayerGroup& group : model.groups)
            io::choose_table(group.resolved, *asked, "--context");
    }
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
    if (cases.empty()) throw InputError(model.origin + ": no layer rotates");
    return cases;
}

namespace {

std::vector<Target> verify_targets(const Arguments& arguments) {
    return checks_several(arguments) ? sweep_targets(arguments) : report_targets(arguments);
}

int run_verify(const Arguments& arguments) {
    if (checks_several(arguments)) return run_sweep(arguments);
    const std::vector<Case> cases = pipeline_cases(arguments);
    const int code = judge_and_report(cases, arguments);
    draw_precision(cases, arguments);
    write_report_page(cases, arguments, {});
    return code;
}

}  // namespace

constinit const Command verify_command{
    .name = "verify",
    .summary =
        "compute cos and sin as a known implementation does and check them; several configs make a "
        "table",
    .doing = "checking",
    .examples =
        "  rope-check verify --dim 128\n"
        "  rope-check verify llama-3.1-8b\n"
        "  rope-check verify path/to/model --context 131072\n"
        "  rope-check verify --dim 128 --pipeline bf16-angles --only table-accuracy\n"
        "  rope-check verify --dim 64 --require c3-R0 -o report.json -o text:-\n"
        "  rope-check verify llama-3.1-8b -o errors.svg -o report.html\n"
        "  rope-check verify llama-3.1-8b qwen2-7b --pipeline hf-fp32 --pipeline bf16-table\n"
        "  rope-check verify --all-models --context 131072 -o table.json   (resumes from the "
        "file)\n",
    .options = verify_options,
    .repeats_spec = true,
    .run = run_verify,
    .targets = verify_targets,
    .over_ranks = checks_several,
};

}  // namespace rope::cli
