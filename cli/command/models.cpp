#include "base/error.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "io/explain/model_list.hpp"

namespace rope::cli {
namespace {

constexpr OutputFormat models_formats[] = {{"text", ".txt"}, {"json", ".json"}};

std::vector<Option> models_options() {
    return with_output(
        {{.name = "WORD",
          .value = "WORD",
          .help = "only models whose name, layers, layout or rope_type contains this",
          .repeats = true}},
        {"auto, text or json; auto is text on a terminal, else json",
         "write to x.txt, x.json, FORMAT:FILE or -", "do not report which files were written",
         "print the sources of the parameters"});
}

std::vector<Target> models_targets(const Arguments& arguments) {
    return formatted_targets(models_formats, arguments);
}

int run_models(const Arguments& arguments) {
    if (!arguments.spec_flags.empty() || arguments.has("--config"))
        throw InputError("models takes no SPEC; rope-check explain shows what one asks for");
    const std::vector<io::ListedModel> models = io::listed_models(arguments.values("WORD"));
    for (const Target& target : models_targets(arguments))
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
    .options = models_options,
    .repeats_spec = false,
    .run = run_models,
    .targets = models_targets,
};

}  // namespace rope::cli
