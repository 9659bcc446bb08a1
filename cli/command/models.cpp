#include "base/error.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "io/explain/model_list.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat formats[] = {{"text", ".txt"}, {"json", ".json"}};

std::vector<Option> options() {
    return with_output(
        {{.name = "WORD",
          .value = "WORD",
          .help = "only models whose name, layers, layout or rope_type contains this",
          .repeats = true}},
        {"auto, text or json; auto is text on a terminal, else json",
         "write to x.txt, x.json, FORMAT:FILE or -", "do not report which files were written",
         "print the sources of the parameters"});
}

std::vector<Target> targets(const Arguments& arguments) {
    return formatted_targets(formats, arguments);
}

int run(const Arguments& arguments) {
    if (!arguments.spec_flags.empty() || arguments.has("--config"))
        throw InputError("models takes no SPEC; rope-check explain shows what one asks for");
    const std::vector<io::ListedModel> models = io::listed_models(arguments.values("WORD"));
    for (const Target& target : targets(arguments))
        deliver(target.path,
                target.format == "json" ? io::models_json(models, ROPE_CHECK_VERSION)
                                        : io::models_text(models, arguments.has("--verbose")),
                arguments);
    return 0;
}

}  // namespace

constinit const Command models_command{
    .name = "models",
    .summary = "list the models that --model knows",
    .doing = "listing",
    .examples =
        "  rope-check models\n"
        "  rope-check models llama yarn      with both words\n"
        "  rope-check verify --model llama-3.1-8b\n",
    .options = options,
    .repeats_spec = false,
    .run = run,
    .targets = targets,
};

}  // namespace rope::cli
