#include "io/model/models.hpp"

#include <fmt/format.h>

#include "cli/shell/commands.hpp"
#include "cli/shell/terminal.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/text/number_text.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view row_format = "{:<22}{:>9}{:>11}{:>10}  {:<13}{:>9}  {:<26}{}\n";

std::vector<Option> options() { return {}; }

std::string rows_of(const io::Model& model) {
    std::string rows;
    const io::Flag flag{"--model", std::string(model.name)};
    for (const io::LayerGroup& group : io::resolve_model(std::nullopt, {&flag, 1}).groups) {
        if (!group.rotates) continue;
        const Spec& spec = group.resolved.spec;
        rows += fmt::format(row_format, model.name, spec.head_dim, spec.rotary_dim,
                            io::plain(spec.rope_theta), spec.scaling.rope_type,
                            spec.max_position_embeddings, group.layers, model.source);
    }
    return rows;
}

int run(const Arguments&) {
    std::string text = fmt::format(row_format, "model", "head_dim", "rotary_dim", "base",
                                   "rope_type", "context", "layers", "source");
    for (const io::Model& model : io::models()) text += rows_of(model);
    write_stdout(text);
    return 0;
}

}  // namespace

constinit const Command models_command{
    .name = "models",
    .summary = "list the models that --model knows, and the sources of their parameters",
    .examples =
        "  rope-check models\n"
        "  rope-check verify --model llama-3.1-8b\n",
    .options = options,
    .repeats_spec = false,
    .run = run,
};

}  // namespace rope::cli
