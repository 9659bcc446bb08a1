#include "cli/page/written_page.hpp"

#include "cli/shell/output.hpp"
#include "cli/shell/progress.hpp"
#include "io/subject/known_specs.hpp"

namespace rope::cli {

std::vector<Option> with_page_options(std::vector<Option> own) {
    own.push_back({.name = "--output",
                   .alias = "-o",
                   .value = "FILE",
                   .help = "write the page to x.html, html:FILE or -",
                   .repeats = true});
    own.push_back(
        {.name = "--quiet", .alias = "-q", .help = "do not report which files were written"});
    return own;
}

std::vector<Target> page_targets(const Arguments& arguments, const std::string& otherwise) {
    constexpr OutputFormat formats[] = {{"html", ".html"}};
    return targets_among(formats, {"html", otherwise}, arguments);
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

}  // namespace rope::cli
