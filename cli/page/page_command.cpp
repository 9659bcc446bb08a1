#include "cli/page/written_page.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/specs.hpp"

namespace rope::cli {
namespace {

std::vector<Option> page_options() { return with_page_options({}); }

std::vector<Target> page_targets(const Arguments& arguments) {
    return page_targets(arguments, "index.html");
}

int run_page(const Arguments& arguments) {
    const Spec spec = spec_of(arguments).spec;
    deliver_page({.title = "rope-check: rotary position embeddings to explore",
                  .summary = "Frequencies, decay of the score and bound of the base, for any "
                             "base, dimension, scaling and context.",
                  .json = io::page_json(explorer_of(spec), ROPE_CHECK_VERSION)},
                 page_targets(arguments), arguments);
    return 0;
}

}  // namespace

constinit const Command page_command{
    .name = "page",
    .summary = "write a page with sliders for a Spec's parameters",
    .doing = "writing",
    .examples =
        "  rope-check page -o index.html\n"
        "  rope-check page --model llama-3.1-8b\n",
    .options = page_options,
    .repeats_spec = false,
    .run = run_page,
    .targets = page_targets,
};

}  // namespace rope::cli
