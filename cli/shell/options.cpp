#include "cli/shell/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/printable.hpp"
#include "cli/shell/suggest.hpp"
#include "io/model/models.hpp"
#include "rope/spec/spec.hpp"

namespace rope::cli {
namespace {

// One spelling of an option, known to CLI11 on its own so that messages can name it as typed.
struct Spelling {
    std::string typed;
    Option option;
    CLI::Option* parsed;
};

std::vector<std::string> names_of(const std::vector<Option>& options) {
    std::vector<std::string> names;
    for (const Option& option : options) {
        for (const std::string_view name : {option.name, option.alias}) {
            if (name.starts_with('-')) names.emplace_back(name);
        }
    }
    return names;
}

bool is_one_of(const std::vector<std::string>& names, std::string_view word) {
    return std::find(names.begin(), names.end(), word) != names.end();
}

InputError needs_value(std::string_view name) {
    return InputError(fmt::format("option '{}' needs a value", name)).about(std::string(name));
}

std::vector<Spelling> declare(CLI::App& app, const std::vector<Option>& options) {
    std::vector<Spelling> spellings;
    for (const Option& option : options) {
        for (const std::string_view name : {option.name, option.alias}) {
            if (name.empty()) continue;
            std::string typed(name);
            const bool is_list = option.repeats && !typed.starts_with('-');
            CLI::Option* parsed = option.value.empty() ? app.add_flag(typed)
                                  : is_list
                                      ? app.add_option(typed)->expected(-1)
                                      : app.add_option(typed)->expected(1)->allow_extra_args(false);
            parsed->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
            spellings.push_back({std::move(typed), option, parsed});
        }
    }
    return spellings;
}

// CLI11 would take the next word as the value of `--dim=`.
void refuse_empty_assignments(std::span<const std::string> words,
                              const std::vector<std::string>& names) {
    for (const std::string& word : words) {
        if (word == "--") return;
        if (word.ends_with('=') && is_one_of(names, word.substr(0, word.size() - 1))) {
            throw needs_value(word.substr(0, word.size() - 1));
        }
    }
}

void parse_words(CLI::App& app, std::span<const std::string> words) {
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ArgumentMismatch&) {
        throw needs_value(words.back());  // only the last word can have no value
    } catch (const CLI::ParseError& error) {
        throw InputError(printable(error.what()));
    }
}

constexpr std::string_view of_configs = "--config", of_models = "--model";

// Words that no option took: configs and built-in models.
struct Positional {
    std::vector<std::string> configs, models;
};

// That exists, or can only be meant as one.
bool is_path(const std::string& word) {
    std::error_code error;
    return word == "-" || word.ends_with(".json") || word.ends_with(".gguf") ||
           std::filesystem::exists(word, error);
}

bool is_dump(const std::string& word) {
    return std::ranges::any_of(std::array{".npz", ".npy", ".safetensors"},
                               [&](const char* ending) { return word.ends_with(ending); });
}

std::vector<std::string_view> model_names() {
    std::vector<std::string_view> names;
    for (const io::Model& model : io::models()) names.push_back(model.name);
    return names;
}

// Takes them off `extras`, up to the `--` that ends the options. A path goes before a name.
Positional take_positional(std::vector<std::string>& extras) {
    const std::vector<std::string_view> names = model_names();
    Positional words;
    std::vector<std::string> rest;
    bool is_ended = false;
    for (std::string& word : extras) {
        is_ended = is_ended || word == "--";
        if (!is_ended && is_path(word) && !is_dump(word))
            words.configs.push_back(std::move(word));
        else if (!is_ended && std::ranges::count(names, word) > 0)
            words.models.push_back(std::move(word));
        else
            rest.push_back(std::move(word));
    }
    extras = std::move(rest);
    return words;
}

InputError unexpected(const std::string& word, std::string_view command) {
    std::string hint = "; a config is a file, its folder or a built-in model";
    if (is_dump(word))
        hint = command == "compare"
                   ? "; it takes one dump, and the expected values come from a config"
                   : "; dumps are judged by rope-check compare";
    else if (const std::string_view meant = nearest(word, model_names()); !meant.empty())
        hint = fmt::format("; did you mean '{}'?", meant);
    return InputError(
        fmt::format("unexpected argument '{}' for '{}'{}", printable(word), command, hint));
}

// `extras` is what no option took; CLI11 leaves the `--` that ends the options among them.
void refuse_extra(std::string_view command, std::vector<std::string> extras,
                  const std::vector<std::string>& names) {
    const auto mark = std::find(extras.begin(), extras.end(), "--");
    const auto arguments = mark == extras.end() ? mark : extras.erase(mark);
    if (extras.empty()) return;
    const auto dashed = std::find_if(extras.begin(), arguments, [](const std::string& word) {
        return word.size() > 1 && word[0] == '-';
    });
    if (dashed == arguments) {
        throw unexpected(extras.front(), command);
    }
    const std::string name = dashed->substr(0, dashed->find('='));
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view meant = nearest(name, known);
    const std::string hint = meant.empty() ? fmt::format("see rope-check {} --help", command)
                                           : fmt::format("did you mean '{}'?", meant);
    throw InputError(
        fmt::format("unknown option '{}' for '{}'; {}", printable(name), command, hint));
}

std::vector<io::Flag> values_of(const Spelling& spelling, const std::vector<std::string>& names) {
    std::vector<io::Flag> flags;
    for (const std::string& value : spelling.parsed->results()) {
        if (spelling.option.value.empty()) {
            if (value != "true") {
                throw InputError(fmt::format("option '{}' takes no value", spelling.typed))
                    .about(spelling.typed);
            }
            flags.push_back({spelling.typed, ""});
        } else {
            const bool dashed = spelling.typed.starts_with('-');
            if (dashed && is_one_of(names, value)) throw needs_value(spelling.typed);
            flags.push_back({spelling.typed, value});
        }
    }
    return flags;
}

void refuse_twice(const Option& option, std::span<const io::Flag> flags) {
    if (option.repeats || flags.size() < 2) return;
    if (option.value.empty())
        throw InputError(std::string(option.name), "is given twice; once is enough");
    throw InputError(std::string(option.name),
                     fmt::format("is given twice, as '{}' and '{}'; give it once",
                                 printable(flags[0].value), printable(flags[1].value)));
}

bool sets_spec(const Option& option) {
    return std::any_of(io::spec_flags().begin(), io::spec_flags().end(),
                       [&](const io::SpecFlag& flag) { return flag.name == option.name; });
}

void add_inputs(const Option& option, const std::string& value, Arguments& arguments) {
    for (Input& input : inputs_of(option.name, option.reads, value)) {
        input.is_written = option.writes;
        arguments.inputs.push_back(std::move(input));
    }
}

void collect(const Option& option, const std::vector<Spelling>& spellings,
             const std::vector<std::string>& names, const Positional& words, Arguments& arguments) {
    std::vector<io::Flag> flags;
    if (option.name == of_configs)
        for (const std::string& word : words.configs) flags.push_back({"--config", word});
    if (option.name == of_models)
        for (const std::string& word : words.models) flags.push_back({"--model", word});
    for (const Spelling& spelling : spellings) {
        if (spelling.option.name != option.name) continue;
        for (io::Flag& flag : values_of(spelling, names)) flags.push_back(std::move(flag));
    }
    refuse_twice(option, flags);
    const bool of_spec = sets_spec(option);
    for (io::Flag& flag : flags) {
        add_inputs(option, flag.value, arguments);
        if (!of_spec) flag.name = option.name;
        (of_spec ? arguments.spec_flags : arguments.given).push_back(std::move(flag));
    }
}

bool is_of_rope_type(const io::SpecFlag& flag) {
    return std::ranges::any_of(scaling_fields(),
                               [&](const ScalingField& field) { return field.flag == flag.name; });
}

void add_spec_flags(const Command& command, bool of_rope_type, std::vector<Option>& options) {
    for (const io::SpecFlag& flag : io::spec_flags())
        if (is_of_rope_type(flag) == of_rope_type)
            options.push_back({flag.name, flag.alias, flag.value, flag.help, command.repeats_spec,
                               flag.value.ends_with("FILE") ? Reads::file : Reads::nothing});
}

}  // namespace

constinit const Option color_option{.name = "--color",
                                    .value = "WHEN",
                                    .help =
                                        "auto, always or never; auto is on a terminal; NO_COLOR, "
                                        "FORCE_COLOR and CLICOLOR are respected"};

constinit const Option no_defaults_option{
    .name = "--no-defaults",
    .help = "ignore rope-check.toml and the ROPE_CHECK_ variables of options"};

constinit const Option sandbox_option{
    .name = "--sandbox",
    .value = "MODE",
    .help =
        "auto, on or off: keep this process from all files but its inputs and outputs, by Linux's "
        "Landlock (default: auto, where the system has it)"};

std::vector<Option> spec_options(const Command& command) {
    std::vector<Option> options = {
        {.name = "--config",
         .value = "FILE",
         .help = "a model's config.json, the folder that holds it, or a GGUF; - is standard input; "
                 "also without --config, as a built-in model's name without --model",
         .repeats = command.repeats_spec,
         .reads = Reads::config},
        {.name = "--classes",
         .value = "FILE",
         .help =
             "model classes and architectures of GGUFs, one per line as in data/classes.jsonl and "
             "data/architectures.jsonl: adds them, or replaces those of the same name",
         .reads = Reads::file}};
    add_spec_flags(command, false, options);
    return options;
}

std::vector<Option> scaling_options(const Command& command) {
    std::vector<Option> options;
    add_spec_flags(command, true, options);
    return options;
}

std::vector<Option> options_of(const Command& command) {
    std::vector<Option> options = command.options();
    options.push_back({.name = "--help"});
    options.push_back({.name = "-h"});
    options.push_back(color_option);
    options.push_back(no_defaults_option);
    options.push_back(sandbox_option);
    for (const auto& more : {spec_options(command), scaling_options(command)})
        options.insert(options.end(), more.begin(), more.end());
    return options;
}

Arguments parse(const Command& command, std::span<const std::string> words) {
    const std::vector<Option> options = options_of(command);
    const std::vector<std::string> names = names_of(options);
    const auto mark =
        command.rest == Rest::nothing ? words.end() : std::find(words.begin(), words.end(), "--");
    const std::vector<std::string> rest(mark == words.end() ? mark : mark + 1, words.end());
    words = {words.begin(), mark};
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    const std::vector<Spelling> spellings = declare(app, options);
    refuse_empty_assignments(words, names);
    parse_words(app, words);

    Arguments arguments{
        .given = {}, .spec_flags = {}, .command = std::string(command.name), .rest = rest};
    std::vector<std::string> extras = app.remaining();
    const Positional positional = take_positional(extras);
    for (const Option& option : options) collect(option, spellings, names, positional, arguments);
    if (command.rest == Rest::program)
        for (const std::string& word : rest)
            add_inputs({.name = "COMMAND", .reads = Reads::word}, word, arguments);
    if (!arguments.has("--help") && !arguments.has("-h"))
        refuse_extra(command.name, std::move(extras), names);
    refuse_stdin_twice(arguments);
    return arguments;
}

}  // namespace rope::cli
