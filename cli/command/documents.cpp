// explain, diff, list and claims, which print a document.
#include <fmt/format.h>

#include <system_error>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/command/judging.hpp"
#include "cli/command/plotting.hpp"
#include "cli/shell/hints.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "io/explain/explanation.hpp"
#include "io/model/models.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"
#include "plots/figures/figures.hpp"

namespace rope::cli {
namespace {

void refuse_several(const Arguments& arguments) {
    const std::size_t count = one_by_one(arguments).size();
    if (count > 1)
        throw InputError(
            fmt::format("explain takes one config and {} are given; -o x.svg draws "
                        "several, and rope-check diff A B compares two",
                        count));
}

// Whether --reading all is given, which compares every library's reading; removes it.
bool takes_all_readings(Arguments& arguments) {
    const bool has_all = std::erase_if(arguments.spec_flags, [](const io::Flag& flag) {
                             return flag.name == "--reading" && flag.value == "all";
                         }) > 0;
    if (has_all && std::ranges::count(arguments.spec_flags, "--reading", &io::Flag::name) > 0)
        throw InputError("--reading", "all compares every library; leave out the other --reading");
    return has_all;
}

// Writes a page whose sliders start with the first layers that rotate.
void write_page(const io::ResolvedModel& model, const Target& target, const Arguments& arguments,
                std::uint64_t context) {
    std::vector<io::NamedModel> layers;
    for (const io::LayerGroup& group : model.groups)
        if (group.rotates) layers.push_back({group.layers, group.resolved.spec});
    deliver_page({.title = "rope-check: rotary position embeddings to explore",
                  .summary = "Frequencies, decay of the score and bound of the base, for any "
                             "base, dimension, scaling and context.",
                  .json = io::page_json(explorer_of(layers, arguments, context))},
                 target, arguments);
}

// The warnings alone, as failures if they are ones.
io::Results warnings_of(const io::ExplainedModel& explained, const Arguments& arguments) {
    io::Results results{.lint = explained.model.lint, .strict = arguments.has("--strict")};
    results.text.dump.config = config_words(arguments);
    return results;
}

int run_explain(const Arguments& typed) {
    Arguments arguments = typed;
    const bool has_readings = takes_all_readings(arguments);
    const auto context = arguments.whole("--context", 1, max_context);
    std::optional<plots::Figure> figure;
    if (has_figure(arguments))
        figure = plots::spectrum_figure(specs_of(arguments, context), context);
    std::optional<io::ExplainedModel> explained;
    if (!std::ranges::all_of(arguments.targets, is_figure, &Target::format) ||
        arguments.has("--strict")) {
        refuse_several(arguments);
        explained = io::explain(io::with_both_tables(model_of(arguments)), context, has_readings);
    }
    const auto document =
        explained ? io::explain_document(*explained, arguments.has("--verbose")) : io::Document();
    const auto verdict = [&] { return figure ? "" : document.verdict; };
    deliver_each(arguments, verdict, [&](const Target& target) {
        if (is_figure(target.format))
            deliver_figure(*figure, target, arguments);
        else if (target.format == "html")
            write_page(model_of(arguments), target, arguments, context.value_or(0));
        else if (target.format == "junit" || target.format == "github")
            deliver_results(warnings_of(*explained, arguments), target, arguments);
        else
            deliver(target.path, document.in(target.format), arguments);
    });
    return arguments.has("--strict") && io::gates(explained->model.lint) ? 1 : 0;
}

std::vector<std::uint64_t> positions_of(const Arguments& arguments) {
    const auto list = arguments.value("--positions");
    if (!list) return {};
    return mapped<std::uint64_t>(io::split_list(*list), [](const std::string& part) {
        return io::parse_whole("--positions", part, 0, max_context);
    });
}

int run_diff(const Arguments& arguments) {
    const auto a = arguments.value("A"), b = arguments.value("B");
    const bool are_more = arguments.names_model();
    if (!a || !b || are_more)
        throw InputError(fmt::format(
            "diff compares two configs, and {} given: rope-check diff A B; each is a config.json, "
            "its folder, a GGUF, a built-in model or JSON, such as "
            "'{{\"head_dim\": 128, \"rope_theta\": 10000}}'",
            are_more ? "more are"
            : a      ? "one is"
                     : "none is"));
    if (io::is_called_dump(*a) && io::is_called_dump(*b))
        throw InputError(
            fmt::format("{0} and {1} are dumps and no configs; type rope-check compare "
                        "{0} --against {1}",
                        printable(*a), printable(*b)));
    refuse_unknown_names(arguments);
    if (*a == *b && !arguments.spec_flags.empty())
        throw InputError(
            fmt::format("{} applies to both configs, and both are {}; write one of "
                        "them as JSON or a file with it",
                        arguments.spec_flags.front().name, printable(*a)));
    const std::vector<std::uint64_t> positions = positions_of(arguments);
    const auto model = [&](const std::string& config) {
        std::error_code error;
        const bool is_path = std::filesystem::exists(config, error) || config == "-" ||
                             config.find('/') != config.npos || config.ends_with(".json") ||
                             config.ends_with(".gguf");
        if (is_path) return io::resolve_model(config, arguments.spec_flags);
        if (!io::is_model(config)) throw unknown_model(config);
        std::vector<io::Flag> flags = arguments.spec_flags;
        flags.push_back({"--model", config});
        return io::resolve_model(std::nullopt, flags);
    };
    const auto [of_a, of_b] = io::with_common_tables(model(*a), model(*b));
    io::Diff diff =
        io::diff(of_a, of_b, positions, arguments.has("--strict") ? 0 : same_in_float32);
    diff.a = *a;
    diff.b = *b;
    deliver_document(io::diff_document(diff, arguments.has("--verbose")), arguments);
    return diff.same() ? 0 : 1;
}

std::string list_words() {
    std::string text = "\nLists:\n";
    for (const io::List& one : io::lists())
        text += fmt::format("  {:<12}{}\n", one.name, one.meaning);
    return text;
}

int run_list(const Arguments& arguments) {
    const std::vector<std::string> words = arguments.values("WHAT");
    if (words.empty())
        throw InputError(
            fmt::format("list takes what to list: {}", join(io::lists(), &io::List::name)));
    const io::List& list = item_named(words.front(), io::lists(), &io::List::name, "list");
    deliver_document(list.document(std::span(words).subspan(1), arguments.has("--verbose")),
                     arguments);
    return 0;
}

int run_claims(const Arguments& arguments) {
    const std::vector<const ledger::Entry*> claims = claims_asked_for(arguments);
    if (!arguments.has("ID")) {
        deliver_document(io::claims_document(claims), arguments);
        return 0;
    }
    std::vector<ledger::Derivation> now;
    TaskCount* derived = begin_part(arguments, 0, 1);
    if (derived != nullptr) derived->all = claims.size();
    for (const ledger::Entry* claim : claims) {
        now.push_back(ledger::derive(*claim));
        if (derived != nullptr) ++derived->ended;
    }
    deliver_document(io::claims_document(now), arguments);
    return exit_code_of(now);
}

}  // namespace

std::vector<const ledger::Entry*> claims_asked_for(const Arguments& arguments) {
    std::vector<const ledger::Entry*> all = ledger::all_entries();
    if (!arguments.has("ID")) return all;
    std::vector<std::string_view> known{"all"};
    for (const ledger::Work& work : ledger::works()) known.push_back(work.key);
    for (const ledger::Entry* one : all) known.push_back(one->id);
    std::vector<const ledger::Entry*> asked;
    for (std::string word : arguments.values("ID")) {
        for (const auto& [other, check] : other_check_names)
            if (word == check) word = fmt::format("001-{}", other);
        const auto is_meant = [&](const ledger::Entry* one) {
            return word == "all" || word == one->work->key || word == one->id;
        };
        if (std::ranges::none_of(all, is_meant)) throw unknown_word("claim", word, known);
        for (const ledger::Entry* one : all)
            if (is_meant(one) && std::ranges::count(asked, one) == 0) asked.push_back(one);
    }
    return asked;
}

int exit_code_of(const std::vector<ledger::Derivation>& claims) {
    return std::ranges::all_of(claims, &ledger::Derivation::is_supported) ? 0 : 1;
}

constinit const Command claims_command{.name = "claims", .run = run_claims};

constinit const Command explain_command{.name = "explain", .run = run_explain};

constinit const Command diff_command{.name = "diff", .run = run_diff};

constinit const Command list_command{.name = "list", .words = list_words, .run = run_list};

}  // namespace rope::cli
