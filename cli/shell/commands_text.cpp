// The purposes, examples and options of the commands, from data/commands.txt.
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"

namespace rope::cli {

extern const std::string_view commands_text;

namespace {

struct Section {
    std::string_view name, doing, summary, config;
    std::string_view examples = {};
    std::vector<Option> options = {};
};

void set_property(Option& option, std::string_view property) {
    constexpr std::string_view reads[] = {"nothing", "file",    "tensor",
                                          "config",  "request", "module"};  // as in enum Reads
    const std::vector<std::string_view> words = split(property, " ");
    if (words[0] == "reads")
        option.reads = static_cast<Reads>(std::ranges::find(reads, words[1]) - reads);
    else if (words[0] == "words")
        option.words.assign(words.begin() + 1, words.end());
    else if (words[0] == "formats")
        option.formats.assign(words.begin() + 1, words.end());
    else if (words[0] == "repeats")
        option.repeats = true;
    else if (words[0] == "writes")
        option.writes = true;
    else
        option.yields = true;
}

// "--output, -o FILE | what it does | repeats"
Option parsed_option(std::string_view line) {
    std::vector<std::string_view> fields = split(line, " | ");
    fields.resize(3);
    std::vector<std::string_view> names = split(fields[0], " ");
    Option option{.name = names[0], .help = fields[1]};
    if (option.name.ends_with(',')) {
        option.name.remove_suffix(1);
        option.alias = names[1];
        names.erase(names.begin());
    }
    if (names.size() > 1) option.value = names[1];
    if (option.name.find('=') != option.name.npos) option.value = option.name;
    for (const std::string_view property : split(fields[2], "; ")) set_property(option, property);
    return option;
}

const Section& section(std::span<const Section> all, std::string_view name) {
    return *std::ranges::find(all, name, &Section::name);
}

std::vector<Section> parsed_sections() {
    std::vector<Section> all;
    for (const std::string_view line : split(commands_text, "\n")) {
        if (line.empty() || line.starts_with('#')) continue;
        if (line.starts_with("== ")) {
            std::vector<std::string_view> fields = split(line.substr(3), " | ");
            fields.resize(4);
            all.push_back({fields[0], fields[1], fields[2], fields[3]});
        } else if (std::string_view& examples = all.back().examples; line.starts_with("  ")) {
            const char* const first = examples.empty() ? line.data() : examples.data();
            examples = {first, line.data() + line.size() + 1};
        } else if (line.find(" | ") != line.npos) {
            all.back().options.push_back(parsed_option(line));
        } else {
            const std::vector<std::string_view> parts = split(line, " of ");
            const std::vector<Option>& earlier = section(all, parts[1]).options;
            for (const std::string_view name : split(parts[0], " "))
                all.back().options.push_back(*std::ranges::find(earlier, name, &Option::name));
        }
    }
    return all;
}

const Section& section(std::string_view name) {
    static const std::vector<Section> all = parsed_sections();
    return section(all, name);
}

}  // namespace

std::span<const Option> options_in(std::string_view name) { return section(name).options; }

const Option& option_in(std::string_view name, std::string_view option) {
    return *std::ranges::find(options_in(name), option, &Option::name);
}

Command described(Command command) {
    const Section& own = section(command.name);
    command.doing = own.doing;
    command.summary = own.summary;
    command.config = own.config;
    command.examples = own.examples;
    command.options = own.options;
    return command;
}

}  // namespace rope::cli
