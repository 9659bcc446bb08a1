// The command line parser, the only user of CLI11, whose messages and exit codes are not exposed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <map>
#include <system_error>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/shell/hints.hpp"
#include "io/dump/dump.hpp"
#include "io/model/models.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

// One spelling of an option. Each is a separate option in CLI11, so that messages name it as typed.
struct Spelling {
    std::string typed;
    Option option;
    CLI::Option* parsed;
};

InputError needs_value(std::string_view name) {
    return InputError(fmt::format("option '{}' needs a value", name)).about(std::string(name));
}

// Positional arguments are not declared; take_positional assigns the remaining words.
std::vector<Spelling> declare(CLI::App& app, const std::vector<Option>& options) {
    std::vector<Spelling> spellings;
    for (const Option& option : options) {
        for (const std::string_view name : {option.name, option.alias}) {
            if (!name.starts_with('-')) continue;
            std::string typed(name);
            CLI::Option* parsed = option.value.empty()
                                      ? app.add_flag(typed)
                                      : app.add_option(typed)->expected(1)->allow_extra_args(false);
            parsed->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
            spellings.push_back({std::move(typed), option, parsed});
        }
    }
    return spellings;
}

// CLI11 would take the next word as the value of `--dim=`.
void refuse_empty_assignments(std::span<const std::string> words,
                              const std::vector<std::string_view>& names) {
    for (const std::string& word : words) {
        if (word == "--") return;
        if (word.ends_with('=') && std::ranges::count(names, word.substr(0, word.size() - 1)) > 0)
            throw needs_value(word.substr(0, word.size() - 1));
    }
}

void parse_words(CLI::App& app, std::span<const std::string> words) {
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ArgumentMismatch&) {
        throw needs_value(words.back());  // only the last word can lack a value
    } catch (const CLI::ParseError& error) {
        throw InputError(printable(error.what()));
    }
}

constexpr std::string_view of_configs = "--config", of_models = "--model", of_dump = "DUMP";

// The words that no option took, by the option or positional argument that they belong to.
using Positional = std::map<std::string_view, std::vector<std::string>>;

// Whether the word is an existing file, or can only be a file.
bool is_path(const std::string& word) {
    std::error_code error;
    return word == "-" || word.ends_with(".json") || word.ends_with(".gguf") ||
           std::filesystem::exists(word, error);
}

bool is_model(const std::string& word) { return !is_path(word) && io::is_model(word); }

bool names_config(const std::string& word) {
    const bool is_spelled_out = word.starts_with("./") || word.starts_with("../") || word[0] == '/';
    return is_model(word) || ((is_path(word) || is_spelled_out) && !io::is_called_dump(word));
}

// GGUF files and standard input may be a config or a dump; they are the dump if it is missing.
bool leaves_to_config(const Option& option, const std::string& word) {
    std::error_code error;
    if (!option.yields || std::ranges::count(option.words, word) > 0) return false;
    if (is_model(word)) return true;
    if (option.reads != Reads::file) return is_path(word);
    return word.ends_with(".json") ||
           (std::filesystem::is_directory(word, error) && !io::is_called_dump(word));
}

// query.npy and q_rot.npy are q=query.npy and q_rot=q_rot.npy if every file has the name of a role.
// One archive holds arrays of several roles, whatever its name.
void name_arrays(const std::vector<Option>& options, Positional& words,
                 std::vector<std::string>& extras) {
    const auto dump = words.find(of_dump);
    const auto roles = std::ranges::find_if(options, has_roles);
    if (dump == words.end() || roles == options.end()) return;
    std::vector<std::string> files = dump->second;
    files.insert(files.end(), extras.begin(), extras.end());
    const bool is_archive =
        files.size() == 1 && (files[0].ends_with(".npz") || files[0].ends_with(".safetensors"));
    if (is_archive) return;
    Positional named;
    for (const std::string& file : files) {
        const std::string name = std::filesystem::path(file).stem().string();
        const std::string_view role =
            files.size() > 1 ? io::role_called(name) : role_of(*roles, name + "=");
        if (role.empty()) return;
        named[role].push_back(file);
    }
    words.erase(dump);
    words.merge(named);
    extras.clear();
}

// Takes words off `extras`: positional arguments in their order, and configs and models if the
// command takes them. Words after `--` are no options.
Positional take_positional(const std::vector<Option>& options, std::vector<std::string>& extras) {
    std::vector<const Option*> wanted;
    for (const Option& option : options)
        if (!option.name.starts_with('-') && !has_roles(option)) wanted.push_back(&option);
    const bool takes_config = std::ranges::count(options, of_configs, &Option::name) > 0;
    const bool takes_arrays = std::ranges::any_of(options, has_roles);
    Positional words;
    std::vector<std::string> rest;
    bool is_ended = false;
    for (std::string& word : extras) {
        const bool is_mark = !is_ended && word == "--";
        const bool is_plain = is_ended || word == "-" || !word.starts_with('-');
        // of the form ROLE=TENSOR, though it may be none of the roles
        const bool is_role = takes_arrays && word.find('=') != word.npos && !is_path(word);
        is_ended = is_ended || is_mark;
        const auto roles = std::ranges::find_if(
            options, [&](const Option& one) { return !role_of(one, word).empty(); });
        if (!is_ended && roles != options.end()) {
            const std::string_view role = role_of(*roles, word);
            if (word.size() == role.size()) throw needs_value(role);
            words[role].push_back(word.substr(role.size()));
        } else if (!is_mark && is_plain && !wanted.empty() && !is_role &&
                   !leaves_to_config(*wanted.front(), word)) {
            words[wanted.front()->name].push_back(std::move(word));
            if (!wanted.front()->repeats) wanted.erase(wanted.begin());
        } else if (takes_config && names_config(word) && !(takes_arrays && names_array(word))) {
            words[of_configs].push_back(std::move(word));
        } else {
            rest.push_back(std::move(word));
        }
    }
    extras = std::move(rest);
    name_arrays(options, words, extras);
    return words;
}

std::vector<io::Flag> values_of(const Spelling& spelling,
                                const std::vector<std::string_view>& names) {
    std::vector<io::Flag> flags;
    for (const std::string& value : spelling.parsed->results()) {
        if (spelling.option.value.empty()) {
            if (value != "true")
                throw InputError(fmt::format("option '{}' takes no value", spelling.typed))
                    .about(spelling.typed);
            flags.push_back({spelling.typed, ""});
        } else {
            if (std::ranges::count(names, value) > 0) throw needs_value(spelling.typed);
            for (std::string& each :
                 is_list(spelling.option) ? io::split_list(value) : std::vector{value})
                flags.push_back({spelling.typed, std::move(each)});
        }
    }
    return flags;
}

void refuse_twice(const Option& option, std::span<const io::Flag> flags, std::string_view command) {
    if (option.repeats || flags.size() < 2) return;
    if (option.value.empty())
        throw InputError(std::string(option.name), "is given twice; once is enough");
    const std::string a = printable(flags[0].value), b = printable(flags[1].value);
    if (option.name == of_configs) throw two_configs(flags[0].value, flags[1].value, command);
    throw InputError(std::string(option.name),
                     fmt::format("is given twice, as '{}' and '{}'; give it once", a, b));
}

void add_inputs(const Option& option, const std::string& value, Arguments& arguments) {
    for (std::filesystem::path& file : files_of(option.reads, value))
        arguments.inputs.push_back({std::string(option.name), std::move(file), option.writes});
}

// Adds each key of --rope as a flag, and the files of its lists as inputs.
void add_rope(const std::string& text, Arguments& arguments) {
    for (io::Flag& flag : io::flags_of_rope(text)) {
        const io::SpecFlag& known = io::find_spec_flag(flag.name);
        if (known.value.ends_with("FILE"))
            add_inputs({.name = known.name, .reads = Reads::file}, flag.value, arguments);
        arguments.spec_flags.push_back(std::move(flag));
    }
}

// Adds a config: a file, a folder or -, else a built-in model.
void add_config(const Option& option, const io::Flag& flag, Arguments& arguments) {
    if (is_url(flag.value))
        throw InputError(flag.name,
                         fmt::format(": '{}' is a URL, and only files are read{}",
                                     printable(flag.value, 1000), hint_of_download(flag.value)));
    const bool is_name = flag.name == of_models && !is_path(flag.value);
    const bool is_of_model = is_name || is_model(flag.value);
    if (!is_of_model) add_inputs(option, flag.value, arguments);
    arguments.configs.push_back({std::string(is_of_model ? of_models : of_configs), flag.value});
    (is_of_model ? arguments.spec_flags : arguments.given).push_back(arguments.configs.back());
}

// The options with one for each role, such as "q=", in place of "ROLE=TENSOR".
std::vector<Option> by_role(const std::vector<Option>& options) {
    std::vector<Option> all;
    for (const Option& option : options) {
        if (!has_roles(option)) all.push_back(option);
        for (const std::string_view role : option.words)
            if (has_roles(option))
                all.push_back({.name = role, .value = option.value, .reads = option.reads});
    }
    return all;
}

void collect(const Option& option, std::vector<io::Flag> flags, Arguments& arguments) {
    refuse_twice(option, flags, arguments.command);
    if (option.name == io::rope_option) {
        for (const io::Flag& flag : flags) add_rope(flag.value, arguments);
        return;
    }
    if (option.name == of_configs) {
        for (const io::Flag& flag : flags) add_config(option, flag, arguments);
        return;
    }
    const bool of_spec = std::ranges::count(io::spec_flags(), option.name, &io::SpecFlag::name) > 0;
    for (io::Flag& flag : flags) {
        add_inputs(option, flag.value, arguments);
        if (!of_spec) flag.name = option.name;
        (of_spec ? arguments.spec_flags : arguments.given).push_back(std::move(flag));
    }
}

// --json, an option of other tools, becomes --format json; the text of a config becomes a file that
// is held in memory.
std::vector<std::string> as_meant(std::span<const std::string> typed,
                                  const std::vector<Option>& options) {
    std::vector<std::string> words(typed.begin(), typed.end());
    const auto end = std::ranges::find(words, "--");
    const auto json = std::find(words.begin(), end, "--json");
    if (json != end && std::ranges::count(options, "--format", &Option::name) > 0) {
        *json = "--format";
        words.insert(json + 1, "json");
    }
    std::string name = "inline.json";
    for (auto word = words.begin(); word != words.end() && *word != "--"; ++word) {
        const bool is_object = word->starts_with('{') && word->find(':') != std::string::npos;
        if (!is_object || (word != words.begin() && *(word - 1) == io::rope_option)) continue;
        io::hold_input(name, *word);
        *word = std::exchange(name, "second_" + name);
    }
    return words;
}

}  // namespace

std::vector<Option> spec_options(const Command& command) {
    if (command.config.empty()) return {};
    const auto own = options_in(command.config);
    std::vector<Option> options(own.begin(), own.end() - 1);
    for (const io::SpecFlag& flag : io::spec_flags())
        if (!io::is_rope_flag(flag.name) && flag.name != of_models)
            options.push_back({flag.name, flag.value, flag.help, Reads::nothing,
                               own.front().repeats, flag.alias});
    options.push_back(own.back());  // --rope
    return options;
}

std::vector<Option> options_of(const Command& command) {
    std::vector<Option> options(command.options.begin(), command.options.end());
    options.insert(options.end(), {{.name = "--help"}, {.name = "-h"}});
    std::ranges::copy(options_in("any"), std::back_inserter(options));
    std::ranges::move(spec_options(command), std::back_inserter(options));
    return options;
}

// Without --, a program is taken for the positional argument that has fixed words. If an option
// names the program, the word is an unknown model.
void refuse_program_without_mark(const std::vector<Option>& options, const Positional& positional,
                                 bool has_program, std::string_view command) {
    const auto form = std::ranges::find_if(options, [](const Option& one) {
        return !one.name.starts_with('-') && !one.words.empty();
    });
    if (form == options.end()) return;
    const auto given = positional.find(form->name);
    if (given == positional.end()) return;
    const std::string& word = given->second.front();
    if (std::ranges::count(form->words, word) > 0 || !nearest(word, form->words).empty()) return;
    if (has_program) throw unexpected(word, {&word, 1}, command, options);
    if (word.find(".py:") != word.npos)
        throw InputError(
            fmt::format("a Python function needs its option: --python {}", printable(word)));
    throw InputError(fmt::format("put -- before the program: rope-check audit llama-3-8b -- {}",
                                 printable(word)));
}

Arguments parse(const Command& command, std::span<const std::string> typed) {
    const std::vector<Option> options = options_of(command);
    const std::vector<std::string_view> names = names_of(options);
    const std::vector<std::string> meant = as_meant(typed, options);
    std::span<const std::string> words = meant;
    const auto mark = command.rest == Rest::nothing ? words.end() : std::ranges::find(words, "--");
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
    Positional positional = take_positional(options, extras);
    std::map<std::string_view, std::vector<io::Flag>> flags;
    for (const Spelling& spelling : spellings)
        for (io::Flag& flag : values_of(spelling, names))
            flags[spelling.option.name].push_back(std::move(flag));
    if (command.rest == Rest::program && rest.empty() && std::ranges::none_of(extras, is_dashed))
        refuse_program_without_mark(options, positional, flags.contains("--python"), command.name);
    for (const Option& option : by_role(options)) {
        std::vector<io::Flag> given;
        for (std::string& word : positional[option.name])
            given.push_back({std::string(option.name), std::move(word)});
        std::ranges::move(flags[option.name], std::back_inserter(given));
        std::ranges::stable_partition(given, [&](const io::Flag& flag) {
            return flag.name == option.name;  // configs before models
        });
        collect(option, std::move(given), arguments);
    }
    if (command.rest == Rest::program)
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const bool is_module = i > 0 && rest[i - 1] == "-m";  // python3 -m MODULE
            add_inputs({.name = "COMMAND", .reads = is_module ? Reads::module : Reads::word},
                       rest[i], arguments);
        }
    if (!arguments.has("--help") && !arguments.has("-h"))
        refuse_extra(command.name, std::move(extras), words, options);
    return arguments;
}

bool Arguments::has(std::string_view name) const { return value(name).has_value(); }

std::optional<std::string> Arguments::value(std::string_view name) const {
    const auto flag = std::ranges::find(given, name, &io::Flag::name);
    return flag == given.end() ? std::nullopt : std::optional(flag->value);
}

std::vector<std::string> Arguments::values(std::string_view name) const {
    std::vector<std::string> all;
    for (const io::Flag& flag : given)
        if (flag.name == name) all.push_back(flag.value);
    return all;
}

bool Arguments::names(std::string_view spec_flag) const {
    return std::ranges::any_of(spec_flags, [&](const io::Flag& flag) {
        return io::find_spec_flag(flag.name).name == spec_flag;
    });
}

bool Arguments::names_model() const { return has(of_configs) || names(of_models); }
bool Arguments::names_spec() const { return has(of_configs) || !spec_flags.empty(); }

void Arguments::refuse(std::initializer_list<std::string_view> options,
                       const std::string& why) const {
    for (const std::string_view option : options)
        if (has(option)) throw InputError(std::string(option), why);
}

std::optional<std::uint64_t> Arguments::whole(std::string_view name, std::uint64_t least,
                                              std::uint64_t most) const {
    const auto text = value(name);
    return text ? std::optional(io::parse_whole(name, *text, least, most)) : std::nullopt;
}

std::vector<std::string> words_of_flag(const io::Flag& given) {
    if (given.name.ends_with('=')) return {given.name + given.value};
    std::vector<std::string> words;
    if (given.name.starts_with('-')) words.push_back(given.name);
    if (!given.value.empty()) words.push_back(given.value);
    return words;
}

std::vector<std::string> words_without(std::span<const std::string_view> options,
                                       const Arguments& arguments) {
    std::vector<std::string> words{arguments.command};
    for (const io::Flag& flag : arguments.given)
        if (std::ranges::count(options, flag.name) == 0)
            std::ranges::move(words_of_flag(flag), std::back_inserter(words));
    std::ranges::move(io::words_of_flags(arguments.spec_flags), std::back_inserter(words));
    if (!arguments.rest.empty()) words.emplace_back("--");
    words.insert(words.end(), arguments.rest.begin(), arguments.rest.end());
    return words;
}

unsigned threads_asked(const Arguments& arguments) {
    return static_cast<unsigned>(arguments.whole("--threads", 1, 1024).value_or(0));
}

}  // namespace rope::cli
