// rope-check list: the names that options take, and what each stands for.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/suggest.hpp"
#include "io/explain/lists.hpp"
#include "rope/checks/check.hpp"
#include "rope/session/judge.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::cli {
namespace {

std::vector<io::Named> named_pipelines() {
    std::vector<io::Named> all;
    for (const Pipeline& one : pipelines())
        all.push_back({std::string(one.name), std::string(one.who)});
    return all;
}

std::vector<io::Named> named_checks() {
    std::vector<io::Named> all;
    for (const Check& one : checks())
        all.push_back(
            {std::string(one.id), fmt::format("{}: {}", to_string(one.kind), one.statement)});
    return all;
}

// Each type with its keys, and what the keys of --rope mean.
std::vector<io::Named> named_rope_types() {
    std::vector<io::Named> all;
    for (const Variant& one : variants()) {
        const std::string keys =
            join(one.keys, [](const UsedKey& key) { return std::string(name_of(key.member)); });
        all.push_back({"rope_type=" + std::string(one.name), keys.empty() ? "no keys" : keys});
    }
    for (const io::SpecFlag& flag : io::spec_flags())
        if (io::is_rope_flag(flag.name) && flag.field != "rope_type")
            all.push_back({std::string(flag.field), flag.help});
    return all;
}

using Targets = std::vector<Target>;
using Words = std::vector<std::string>;

constexpr OutputFormat text_and_json[] = {{"text", ".txt"}, {"json", ".json"}};
constexpr OutputFormat with_markdown[] = {{"text", ".txt"}, {"json", ".json"}, {"markdown", ".md"}};

template <std::vector<io::Named> (*Rows)()>
std::string names(const Words&, std::string_view format, const Arguments& arguments) {
    const std::string what = arguments.values("WHAT").front();
    return format == "json" ? io::names_json(what, Rows(), ROPE_CHECK_VERSION)
                            : io::names_text(Rows());
}

std::string models(const Words& words, std::string_view format, const Arguments& arguments) {
    const std::vector<io::ListedModel> all = io::listed_models(words);
    return format == "json" ? io::models_json(all, ROPE_CHECK_VERSION)
                            : io::models_text(all, arguments.has("--verbose"));
}

std::string mistakes(const Words&, std::string_view format, const Arguments&) {
    return format == "json" ? io::mistakes_json(ROPE_CHECK_VERSION) : io::mistakes_text();
}

std::string all_readings(const Words&, std::string_view format, const Arguments&) {
    if (format == "json") return io::reading_list_json(ROPE_CHECK_VERSION);
    return format == "text" ? io::reading_list_text() : io::reading_list_markdown();
}

struct List {
    std::string_view name, meaning;
    std::string (*render)(const Words& words, std::string_view format, const Arguments& arguments);
    std::span<const OutputFormat> formats;
};

constexpr List lists[] = {
    {"models", "built-in models; further words select some", models, text_and_json},
    {"rope-types", "rope types and the keys of --rope", names<named_rope_types>, text_and_json},
    {"pipelines", "implementations that --pipeline emulates", names<named_pipelines>,
     text_and_json},
    {"readings", "how each library reads configs, with sources", all_readings, with_markdown},
    {"checks", "checks and claims, for --only and --require", names<named_checks>, text_and_json},
    {"mistakes", "mistakes that a diagnosis can name", mistakes, text_and_json},
};

constexpr std::string_view list_names[] = {"models",   "rope-types", "pipelines",
                                           "readings", "checks",     "mistakes"};

std::string list_words() {
    std::string text = "\nLists:\n";
    for (const List& one : lists) text += fmt::format("  {:<12}{}\n", one.name, one.meaning);
    return text;
}

const List& asked_list(const Words& words) {
    std::vector<std::string_view> known;
    for (const List& one : lists) known.push_back(one.name);
    if (words.empty())
        throw InputError(fmt::format("list takes what to list: {}", fmt::join(known, ", ")));
    const auto* found = std::ranges::find(lists, words.front(), &List::name);
    if (found == std::end(lists)) throw unknown_word("list", words.front(), known);
    if (words.size() > 1 && found->name != "models")
        throw InputError(fmt::format("list {} takes no further word", found->name));
    return *found;
}

std::vector<Option> list_options() {
    return with_output(
        {{.name = "WHAT",
          .value = "WHAT",
          .help = "models, rope-types, pipelines, readings, checks or mistakes",
          .repeats = true,
          .words = list_names}},
        {"text or json, for readings also markdown (default: text on a terminal, else json)",
         "write to x.txt, x.json, x.md, FORMAT:FILE or -", "print no messages about written files",
         "print the sources of models"});
}

Targets list_targets(const Arguments& arguments) {
    return formatted_targets(asked_list(arguments.values("WHAT")).formats, arguments);
}

int run_list(const Arguments& arguments) {
    Words words = arguments.values("WHAT");
    const List& list = asked_list(words);
    words.erase(words.begin());
    deliver_each(list_targets(arguments), [&](const Target& target) {
        deliver(target.path, list.render(words, target.format, arguments), arguments);
    });
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
        "  rope-check list pipelines\n",
    .options = list_options,
    .repeats_spec = false,
    .takes_config = false,
    .words = list_words,
    .run = run_list,
    .targets = list_targets,
};

}  // namespace rope::cli
