// list: the names that options take, with their meanings.
#include <fmt/format.h>

#include <span>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "io/explain/explanation.hpp"

namespace rope::cli {
namespace {

using Words = std::vector<std::string>;

std::span<const std::string_view> list_names() {
    static const auto all = mapped<std::string_view>(io::lists(), &io::List::name);
    return all;
}

std::string list_words() {
    std::string text = "\nLists:\n";
    for (const io::List& one : io::lists())
        text += fmt::format("  {:<12}{}\n", one.name, one.meaning);
    return text;
}

const io::List& asked_list(const Words& words) {
    if (words.empty())
        throw InputError(fmt::format("list takes what to list: {}", fmt::join(list_names(), ", ")));
    return item_named(words.front(), io::lists(), &io::List::name, "list");
}

std::vector<Option> list_options() {
    return with_output(
        {{.name = "WHAT",
          .value = "WHAT",
          .help =
              "models, rope-types, pipelines, readings, checks or mistakes; further words select "
              "the lines that have them",
          .repeats = true,
          .words = list_names()}},
        {"print the sources of models"});
}

std::vector<Target> list_targets(const Arguments& arguments) {
    (void)asked_list(arguments.values("WHAT"));
    return document_targets(arguments);
}

int run_list(const Arguments& arguments) {
    const Words words = arguments.values("WHAT");
    const io::List& list = asked_list(words);
    deliver_document(list.document(std::span(words).subspan(1), arguments.has("--verbose")),
                     arguments);
    return 0;
}

}  // namespace

constinit const Command list_command{
    .name = "list",
    .summary = "list models, rope types, pipelines, readings, checks or mistakes",
    .doing = "listing",
    .examples =
        "  rope-check list models\n"
        "  rope-check list models llama yarn   with both words\n"
        "  rope-check list mistakes yarn\n",
    .options = list_options,
    .takes_config = false,
    .words = list_words,
    .run = run_list,
    .targets = list_targets,
};

}  // namespace rope::cli
