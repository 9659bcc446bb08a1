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

std::string list_words() {
    std::string text = "\nLists:\n";
    for (const io::List& one : io::lists())
        text += fmt::format("  {:<12}{}\n", one.name, one.meaning);
    return text;
}

const io::List& asked_list(const Words& words) {
    if (words.empty())
        throw InputError(
            fmt::format("list takes what to list: {}", join(io::lists(), &io::List::name)));
    return item_named(words.front(), io::lists(), &io::List::name, "list");
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
    .words = list_words,
    .run = run_list,
};

}  // namespace rope::cli
