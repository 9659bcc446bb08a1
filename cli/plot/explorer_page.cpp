#include "cli/plot/explorer_page.hpp"

#include <algorithm>
#include <iterator>

#include "cli/shell/output.hpp"
#include "cli/shell/progress.hpp"
#include "io/subject/known_specs.hpp"

namespace rope::cli {

std::vector<Target> pages_among(std::span<const Target> targets) {
    std::vector<Target> pages;
    std::ranges::copy_if(targets, std::back_inserter(pages),
                         [](const Target& target) { return target.format == "html"; });
    return pages;
}

io::Explorer explorer_of(const Spec& spec) {
    io::Explorer explorer{spec, {}};
    const io::KnownSpecs known = io::known_specs();
    for (std::size_t k = 0; k < known.specs.size(); ++k)
        explorer.models.push_back({known.models[k], known.specs[k]});
    return explorer;
}

void deliver_page(const plots::Page& page, std::span<const Target> targets,
                  const Arguments& arguments) {
    (void)begin_stage(arguments, "writing");
    const std::string html = plots::page_html(page);
    for (const Target& target : targets) deliver(target.path, html, arguments);
}

void write_explorer(const Spec& spec, std::span<const Target> targets, const Arguments& arguments) {
    const std::vector<Target> pages = pages_among(targets);
    if (pages.empty()) return;
    deliver_page({.title = "rope-check: rotary position embeddings to explore",
                  .summary = "Frequencies, decay of the score and bound of the base, for any "
                             "base, dimension, scaling and context.",
                  .json = io::page_json(explorer_of(spec), ROPE_CHECK_VERSION)},
                 pages, arguments);
}

}  // namespace rope::cli
