// What a command line that the parser refuses probably means, and the words to type instead.
#include "cli/shell/hints.hpp"

#include <fmt/format.h>

#include <system_error>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/model/models.hpp"
#include "io/system/read_file.hpp"

namespace rope::cli {
namespace {

std::vector<std::string_view> model_names() {
    return mapped<std::string_view>(io::models(), &io::Model::name);
}

// The URL of the config.json of a page or name on huggingface.co.
std::string url_of(const std::string& word) {
    constexpr std::string_view hub = "https://huggingface.co/";
    if (!word.starts_with("http")) return fmt::format("{}{}/resolve/main/config.json", hub, word);
    const std::string_view path =
        std::string_view(word).substr(word.starts_with(hub) ? hub.size() : 0);
    const bool is_page =
        word.starts_with(hub) && std::ranges::count(path, '/') == 1 && !path.ends_with(".json");
    return is_page ? word + "/resolve/main/config.json" : word;
}

// The longest model name that is part of the word, as in meta-llama/Meta-Llama-3-8B.
std::string_view model_within(std::string_view word) {
    const std::string text = squeezed(word);
    std::string_view found;
    for (const std::string_view name : model_names())
        if (text.find(squeezed(name)) != text.npos && name.size() > found.size()) found = name;
    return found;
}

std::string hint_of_model(const std::string& word) {
    const std::vector<std::string_view> names = model_names();
    if (const std::string_view within = model_within(word); !within.empty())
        return fmt::format("; did you mean '{}'?", within);
    if (const std::string_view meant = nearest(word, names); !meant.empty())
        return fmt::format("; did you mean '{}'?", meant);
    const std::vector<std::string_view> alike = those_with(word, names);
    return alike.empty()
               ? "; it is neither a file nor a folder nor a built-in model (rope-check list "
                 "models)"
               : fmt::format("; built-in models: {}", listed(alike));
}

// Whether the word is organisation/model, a model's name on huggingface.co, and no folder's file.
bool is_hub_name(const std::string& word) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::path(word).parent_path(), error)) return false;
    return std::ranges::count(word, '/') == 1 && !word.starts_with('/') && !word.starts_with('.') &&
           !word.ends_with('/') && !word.ends_with(".json") && !word.ends_with(".gguf");
}

bool is_number(const std::string& word) {
    return word.find_first_not_of("0123456789.ek") == word.npos;
}

// Whether a model may be meant.
bool is_of_model(const std::string& word) {
    return word.find('/') != word.npos || !model_within(word).empty() ||
           !nearest(word, model_names()).empty() || !those_with(word, model_names()).empty();
}

// A hint for a word behind the value of an option that takes several, or a list; else empty.
std::string as_list(const std::string& word, std::span<const std::string> typed,
                    const std::vector<Option>& options) {
    const auto end = std::ranges::find(typed, word);
    auto at = end;
    while (at != typed.begin() && !is_dashed(*at)) --at;
    const auto option = std::ranges::find_if(
        options, [&](const Option& one) { return one.name == *at || one.alias == *at; });
    if (option == options.end() || end - at < 2) return "";
    const bool takes_numbers = option->value == "N" || option->value == "REAL";
    const bool takes_list = option->value == "LIST" || is_list(*option);
    if (!takes_list && !(takes_numbers && option->repeats)) return "";
    if (is_list(*option) ? is_of_model(word) : !is_number(word)) return "";
    const std::string separator = takes_list ? "," : " " + *at + " ";
    return fmt::format("; give several values as {} {}", *at,
                       printable(join(std::span(at + 1, end + 1), std::identity{}, separator)));
}

// The words to type for a second dump.
std::string hint_of_dumps(std::span<const std::string> typed, const std::string& second) {
    const auto first = std::ranges::find_if(typed, [](const std::string& word) {
        return io::is_called_dump(word) || names_array(word);
    });
    const std::string a = printable(*first), b = printable(second);
    const std::string against = fmt::format("{} --against {}", a, b);
    return second.ends_with(".npz") || second.ends_with(".safetensors")
               ? "; type rope-check compare " + against
               : fmt::format(
                     "; type q={0} q_rot={1} for vectors before and after rotation, "
                     "cos={0} sin={1} for a table, or {2}",
                     a, b, against);
}

// A hint that --rope-theta or rope_theta=10000 is --base VALUE, --low-freq-factor is --rope
// low_freq_factor=VALUE, or --yarn is --rope yarn; else empty.
std::string as_field(std::string name) {
    const bool is_option = name.starts_with("--");
    if (!is_option && name.find('=') == name.npos) return "";
    name = name.substr(0, name.find('=')).substr(is_option ? 2 : 0);
    std::ranges::replace(name, '-', '_');
    for (const io::SpecFlag& flag : io::spec_flags())
        if (flag.field == name || (!is_option && flag.name == "--" + name))
            return fmt::format("give it as {}VALUE", io::is_rope_flag(flag.name)
                                                         ? "--rope " + name + "="
                                                         : std::string(flag.name) + " ");
    for (const Variant& variant : variants())
        if (variant.name == name)
            return fmt::format("give it as --rope {}; rope-check list rope-types", name);
    return "";
}

// "it is an option of compare"
std::string with_other_commands(std::string_view name) {
    std::vector<std::string_view> others;
    for (const Command& command : commands())
        if (std::ranges::count(names_of(command.options), name) > 0) others.push_back(command.name);
    return others.empty() ? "" : "it is an option of " + join(others);
}

// "give it as q_rot=TENSOR" for --q-rot if arrays have roles; else empty.
std::string as_role(std::string name, const std::vector<Option>& options) {
    std::ranges::replace(name, '-', '_');
    const auto roles = std::ranges::find_if(options, has_roles);
    if (roles == options.end() || !name.starts_with("__")) return "";
    const std::string_view role = role_of(*roles, name.substr(2) + "=");
    return role.empty() ? "" : fmt::format("give it as {}TENSOR", role);
}

// --svg becomes --output x.svg.
std::string with_ending(std::string_view option, std::string_view typed) {
    if (option != "--output" || !typed.starts_with("--") || !is_drawn(typed.substr(2)))
        return std::string(option);
    return fmt::format("--output x.{}", typed.substr(2));
}

// The sentence about an option of other tools, if the command has each option that it names.
std::string_view sentence_about(std::string_view word, std::span<const std::string_view> known) {
    for (const Option& typed : options_in("options that people try")) {
        if (typed.name != word && typed.alias != word) continue;
        if (std::ranges::all_of(split(typed.help, " "), [&](std::string_view part) {
                return !part.starts_with("--") || std::ranges::count(known, part) > 0;
            }))
            return typed.help;
    }
    return {};
}

bool is_program(const std::string& word) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(word, error);
    using std::filesystem::perms;
    return std::filesystem::is_regular_file(status) &&
           (status.permissions() & perms::owner_exec) != perms::none;
}

// The first dump of a folder without a config; empty if there is none.
std::string dump_in(const std::string& word) {
    std::error_code error;
    std::string first;
    if (std::filesystem::exists(std::filesystem::path(word) / "config.json", error)) return first;
    for (const auto& entry : std::filesystem::directory_iterator(word, error)) {
        const std::string name = entry.path().string();
        if (io::is_called_dump(name) && (first.empty() || name < first)) first = name;
    }
    return first;
}

// The option that is probably meant: the nearest name, or the option that other tools call so
// (--theta is --base).
std::string_view meant_option(std::string_view word, std::span<const std::string_view> known) {
    std::string dashed(word);
    std::ranges::replace(dashed, '_', '-');
    for (const Option& ours : options_in("options in other tools"))
        if (std::ranges::count(split(ours.help, " "), dashed) > 0 &&
            std::ranges::count(known, ours.name) > 0)
            return ours.name;
    return nearest(word, known);
}

}  // namespace

std::vector<std::string_view> names_of(std::span<const Option> options) {
    std::vector<std::string_view> names;
    for (const Option& option : options)
        for (const std::string_view name : {option.name, option.alias})
            if (name.starts_with('-')) names.push_back(name);
    return names;
}

bool has_roles(const Option& option) { return option.name.find('=') != option.name.npos; }

std::string_view role_of(const Option& option, std::string_view word) {
    if (!has_roles(option)) return {};
    const auto role = std::ranges::find(option.words, word.substr(0, word.find('=') + 1));
    return role == option.words.end() ? std::string_view() : *role;
}

bool names_array(const std::string& word) {
    std::error_code error;
    return std::filesystem::is_regular_file(word, error) && !word.ends_with(".json") &&
           !word.ends_with(".gguf") &&
           (word.ends_with(".bin") || word.ends_with(".raw") ||
            !io::role_called(std::filesystem::path(word).stem().string()).empty());
}

bool is_dashed(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

bool is_list(const Option& option) {
    constexpr std::string_view kinds[] = {"NAME", "CHECK", "CLAIM", "LAYOUT"};
    return option.repeats && std::ranges::count(kinds, option.value) > 0;
}

bool is_url(const std::string& word) {
    return word.starts_with("https://") || word.starts_with("http://");
}

InputError unknown_model(const std::string& word) {
    return InputError(fmt::format("unknown model '{}'{}", printable(word), hint_of_model(word)));
}

std::string hint_of_download(const std::string& word) {
    return fmt::format("; download the config: curl -L {} -o config.json",
                       printable(url_of(word), 1000));
}

InputError unexpected(const std::string& word, std::span<const std::string> typed,
                      std::string_view command, const std::vector<Option>& options) {
    const bool takes_config = std::ranges::count(options, "--config", &Option::name) > 0;
    const auto roles = std::ranges::find_if(options, has_roles);
    std::string hint = as_list(word, typed, options);
    const auto other = std::ranges::find(commands(), word, &Command::name);
    if (!hint.empty()) {
        // several values of one option
    } else if (command == "baseline" && other != commands().end()) {
        hint = fmt::format("; put -- before it: baseline record FILE --reason TEXT -- {}", word);
    } else if (roles != options.end() && word.find('=') != word.npos) {
        hint = fmt::format("; arrays are given as {}", listed(roles->words));
    } else if (takes_config &&
               (is_url(word) || (is_hub_name(word) && model_within(word).empty()))) {
        hint = hint_of_download(word);
    } else if (is_number(word)) {
        hint = "; a number needs its option, such as --dim 128 or --context 32768";
    } else if (takes_config && !as_field(word).empty()) {
        hint = "; " + as_field(word);
    } else if (const auto ending = word.rfind('.') + 1;
               ending != 0 && is_drawn(word.substr(ending))) {
        hint = "; to write a figure, type -o " + printable(word);
    } else if (word == "help") {
        hint = fmt::format("; rope-check help {} explains it", command);
    } else if (io::is_called_dump(word) || names_array(word)) {
        hint =
            command == "compare" ? hint_of_dumps(typed, word) : "; rope-check compare checks dumps";
    } else {
        hint = hint_of_model(word);
    }
    return InputError(
        fmt::format("unexpected argument '{}' for '{}'{}", printable(word), command, hint));
}

InputError two_configs(const std::string& a, const std::string& b, std::string_view command) {
    for (const std::string* const word : {&a, &b}) {
        const std::string name = printable(*word), other = printable(word == &a ? b : a);
        if (command == "audit" && is_program(*word))
            return InputError(
                fmt::format("put -- before the program: rope-check audit {} -- {}", other, name));
        if (command == "audit" && word->ends_with(".py"))
            return InputError(fmt::format(
                "{0} is a Python file: name its function, --python {0}:FUNCTION, or run it: "
                "rope-check audit {1} -- python3 {0}",
                name, other));
        if (const std::string dump = dump_in(*word); command == "compare" && !dump.empty())
            return InputError(fmt::format(
                "{} is a folder without config.json; name its dump: rope-check compare {} {}", name,
                printable(dump), other));
    }
    if (command == "compare")
        return InputError(fmt::format(
            "'{0}' and '{1}' are two configs; give one, and a dump (.npy, .npz, .safetensors or "
            "GGUF), or type rope-check diff {0} {1}",
            printable(a), printable(b)));
    return InputError(
        fmt::format("'{0}' and '{1}' are two configs; give one, or type rope-check diff {0} {1}",
                    printable(a), printable(b)));
}

void refuse_extra(std::string_view command, std::vector<std::string> extras,
                  std::span<const std::string> typed, const std::vector<Option>& options) {
    const std::vector<std::string_view> known = names_of(options);
    const auto mark = std::ranges::find(extras, "--");
    const auto arguments = mark == extras.end() ? mark : extras.erase(mark);
    if (extras.empty()) return;
    for (const std::string& word : std::span(extras.begin(), arguments))
        if (const std::size_t gap = word.find(' ');
            gap != word.npos && (word[0] == '-' || word[gap + 1] == '-'))
            throw InputError(one_word(word, ""));
    const auto dashed = std::find_if(extras.begin(), arguments, is_dashed);
    if (dashed == arguments) throw unexpected(extras.front(), typed, command, options);
    const std::string name = dashed->substr(0, dashed->find('='));
    const std::string_view meant = meant_option(name, known);
    std::string hint =
        name == "--dump" || name == "--input" ? "give the file without an option" : as_field(name);
    // --seq-len of other tools is --context, not --rope seq_len
    if (meant != nearest(name, known) && hint.starts_with("give it as --rope ")) hint.clear();
    if (hint.empty()) hint = sentence_about(name, known);
    if (hint.empty()) hint = as_role(name, options);
    if (hint.empty() && meant == nearest(name, known)) hint = with_other_commands(name);
    if (hint.empty())
        hint = meant.empty() ? fmt::format("see rope-check {} --help", command)
                             : fmt::format("did you mean '{}'?", with_ending(meant, name));
    throw InputError(
        fmt::format("unknown option '{}' for '{}'; {}", printable(name), command, hint));
}

std::string one_word(const std::string& word, std::string_view before) {
    return fmt::format("'{0}' is one word; type it without quotation marks: {1}{0}",
                       printable(word, 200), before);
}

}  // namespace rope::cli
