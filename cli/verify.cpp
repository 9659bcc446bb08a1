#include "cli/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/judging.hpp"
#include "cli/specs.hpp"
#include "cli/suggest.hpp"
#include "io/number.hpp"
#include "rope/pipeline.hpp"

namespace rope::cli {
namespace {

std::vector<Option> options() {
    return with_judging_options({
        {.name = "--context",
         .value = "N",
         .help = "positions 0 to N - 1; default max_position_embeddings"},
        {.name = "--pipeline",
         .value = "NAME",
         .help = "where the implementation rounds; default hf-fp32"},
    });
}

const Pipeline& pipeline_of(const Arguments& arguments) {
    const std::string name = arguments.value("--pipeline").value_or(std::string(default_pipeline));
    std::vector<std::string_view> known;
    for (const Pipeline& pipeline : pipelines()) known.push_back(pipeline.name);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        throw unknown_word("pipeline", name, known);
    }
    return find_pipeline(name);
}

std::string words() {
    std::string text = "\nPipelines:\n";
    for (const Pipeline& pipeline : pipelines()) {
        text += fmt::format("  {:<16}{}\n", pipeline.name, pipeline.who);
    }
    return text + check_list();
}

int run(const Arguments& arguments) {
    const io::ResolvedModel model = model_of(arguments);
    const Pipeline& pipeline = pipeline_of(arguments);
    const auto asked = arguments.value("--context");
    std::vector<Case> cases;
    for (const auto& [layers, resolved, rotates] : model.groups) {
        if (!rotates) continue;
        const std::uint64_t context = asked ? io::parse_whole("--context", *asked, 1, max_context)
                                            : resolved.spec.max_position_embeddings;
        cases.push_back({resolved, emulate(resolved.spec, pipeline, context),
                         model.groups.size() > 1 ? layers : ""});
    }
    if (cases.empty()) throw InputError(model.origin + ": no layer of it rotates");
    return judge_and_report(cases, arguments);
}

}  // namespace

constinit const Command verify_command{
    .name = "verify",
    .summary = "is the rotation right, how exact is it, and if not, what is wrong",
    .examples =
        "  rope-check verify --dim 128\n"
        "  rope-check verify --config path/to/model --context 131072\n"
        "  rope-check verify --dim 128 --pipeline bf16-angles --only table-accuracy\n"
        "  rope-check verify --dim 64 --require c3-R0 -o report.json -o text:-\n",
    .options = options,
    .repeats_spec = false,
    .words = words,
    .run = run,
};

}  // namespace rope::cli
