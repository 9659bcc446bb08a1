// Help of commands, and the completion scripts for each shell.
#include "cli/shell/manual.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/text.hpp"
#include "io/dump/shape.hpp"
#include "io/model/models.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/session/judge.hpp"
#include "rope/spec/readings.hpp"

namespace rope::cli {

// Each asks the program for the rows of completions, a word and behind a tab its meaning, and for
// files if one of the rows is :files.
extern const std::string_view bash_script, zsh_script, fish_script;

namespace {

// The groups of options in the help of a command, by title.
using OptionGroups = std::vector<std::pair<std::string_view, std::vector<Option>>>;

OptionGroups option_groups(const Command& command) {
    std::vector<Option> own(command.options.begin(), command.options.end());
    std::ranges::copy(options_in("any"), std::back_inserter(own));
    OptionGroups groups{{"Options", std::move(own)}};
    if (!command.config.empty())
        groups.push_back({command.config == "configs"
                              ? "Config (options override the file; all may repeat)"
                              : "Config (options override the file)",
                          spec_options(command)});
    return groups;
}

// "--output, -o FILE"
std::string names_of(const Option& option) {
    std::string names(option.name);
    if (!option.alias.empty()) names += fmt::format(", {}", option.alias);
    if (!option.value.empty() && option.name.starts_with('-'))
        names += fmt::format(" {}", option.value);
    return names;
}

std::string meaning_of(const Option& option) {
    return std::string(option.help) + (option.repeats ? " (may repeat)" : "");
}

std::string row(const Option& option) {
    constexpr std::size_t width = 24;
    const std::string names = "  " + names_of(option);
    if (names.size() <= width)
        return io::hanging(fmt::format("{:{}}  ", names, width), meaning_of(option));
    return names + "\n" + io::hanging(std::string(width + 2, ' '), meaning_of(option));
}

// The options that -h shows.
constexpr std::string_view common[] = {
    "DUMP",     "FILE",        "ACTION",   "WHAT",       "ID",       "--pipeline",
    "--python", "--reading",   "--suite",  "--distance", "--output", "--format",
    "--quiet",  "--verbose",   "--config", "--context",  "--dim",    "--base",
    "--rope",   "--positions", "--axes",   "--layout"};

// The first part of a help text, on one line, without what is in parentheses.
std::string first_part(std::string_view meaning) {
    constexpr std::size_t widest = 50;  // columns
    std::string text(meaning);
    for (std::size_t open; (open = text.find(" (")) != text.npos;)
        text.erase(open, text.find(')', open) - open + 1);
    text.resize(std::min(text.find("; "), text.size()));
    return text.size() <= widest
               ? text
               : text.substr(0, std::min(text.find(": "), text.rfind(", ", widest)));
}

std::string short_rows(const Command& command) {
    std::string text;
    for (const auto& [title, options] : option_groups(command))
        for (const Option& option : options)
            if (std::ranges::count(common, option.name) > 0)
                text += fmt::format("  {:<28}{}\n", names_of(option), first_part(option.help));
    return text;
}

std::string heading(const Command& command, std::size_t most_examples) {
    std::string_view examples = command.examples;
    std::size_t end = 0;
    for (std::size_t k = 0; k < most_examples && end < examples.size(); ++k)
        end = examples.find('\n', end) + 1;
    return io::wrapped(fmt::format("rope-check {}: {}", command.name, command.summary), 2) +
           "\nExamples:\n" + std::string(examples.substr(0, end));
}

using Words = std::vector<std::string>;

// Returns the words of an option that takes no others; empty for numbers and files.
Words words_for(const Option& option) {
    if (!option.words.empty()) return {option.words.begin(), option.words.end()};
    const auto is = [&](std::string_view name) { return option.name == name; };
    if (is("--cache-layout"))
        return mapped<std::string>(io::cache_layouts(), &io::LayoutForm::name);
    if (is("--layout"))
        return {"half", "interleaved", "interleaved-to-half", "neox", "rotate_half", "gptj"};
    if (is("--config")) return mapped<std::string>(io::models(), &io::Model::name);
    if (is("--only") || is("--require")) {
        Words ids;
        for (const Check& check : checks())
            if (is("--only") || check.kind == Kind::claim) ids.emplace_back(check.id);
        return ids;
    }
    if (is("--pipeline")) return mapped<std::string>(pipelines(), &Pipeline::name);
    if (is("--reading")) return mapped<std::string>(readings(), &Reading::name);
    if (is("--rope"))
        return mapped<std::string>(
            variants(), [](const Variant& one) { return "rope_type=" + std::string(one.name); });
    return {};
}

std::vector<Option> flags_of(const Command& command) {
    std::vector<Option> flags;
    for (const auto& [title, options] : option_groups(command))
        for (const Option& option : options)
            if (option.name.starts_with('-')) flags.push_back(option);
    flags.push_back({"--help", "", "what every option does"});
    return flags;
}

// Words without a dash that are no files: those of the first positional argument, and built-in
// models.
Words first_words(const Command& command) {
    Words words;
    const auto first = std::ranges::find_if(
        command.options, [](const Option& option) { return !option.name.starts_with('-'); });
    if (first != command.options.end()) words = words_for(*first);
    if (!command.config.empty())
        std::ranges::move(words_for({.name = "--config"}), std::back_inserter(words));
    return words;
}

}  // namespace

std::string overview() {
    std::string text =
        "rope-check checks rotary position embeddings (RoPE) against exact values.\n"
        "It prints text on a terminal and JSON into a pipe or file; --format text prints\n"
        "text anywhere. verify, compare and audit print only failures with -q.\n"
        "\n"
        "  rope-check compare dump.npz llama-3-8b   # what is wrong with my q and q_rot?\n"
        "  rope-check audit llama-3-8b -- ./kernel  # does my program rotate correctly?\n"
        "  rope-check explain config.json           # what does this config ask for?\n"
        "  rope-check verify llama-3-8b             # how accurate is float32?\n"
        "\n"
        "Commands:\n";
    for (const Command& command : commands())
        text += io::hanging(fmt::format("  {:<15}  ", command.name), command.summary);
    return text +
           "\nrope-check COMMAND -h shows a command's main options, --help explains all.\n"
           "rope-check completion bash, zsh or fish prints a shell's completion, and\n"
           "--version prints what the program was built with.\n";
}

std::string summary_of(const Command& command) {
    return heading(command, 3) + "\n" + short_rows(command) +
           fmt::format("\nrope-check {} --help explains every option.\n", command.name);
}

std::string help_of(const Command& command) {
    std::string text = heading(command, command.examples.size());
    for (const auto& [title, options] : option_groups(command)) {
        text += fmt::format("\n{}:\n", title);
        const bool of_config = title.starts_with("Config");
        for (Option option : options) {
            option.repeats = option.repeats && !of_config;  // the title has it
            text += row(option);
        }
    }
    if (command.words != nullptr) text += command.words();
    text += "\nExit codes:\n";
    for (const Option& code : options_in("exit codes"))
        text += io::hanging(fmt::format("  {:<2}  ", code.name), code.help);
    return text;
}

std::string_view completion_script(std::string_view shell) {
    const std::pair<std::string_view, std::string_view> shells[] = {
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    return item_named(shell, shells, [](const auto& one) { return one.first; }, "shell").second;
}

std::string completions(std::span<const std::string> words) {
    std::string rows;
    const auto add = [&](std::string_view word, std::string_view meaning) {
        if (!word.empty())
            rows += fmt::format("{}{}{}\n", word, meaning.empty() ? "" : "\t", meaning);
    };
    if (words.size() == 1)
        for (const Command& command : commands()) add(command.name, command.summary);
    if (words.size() < 2) return rows;
    const std::string_view files = ":files\n";
    const auto mark = std::find(words.begin(), words.end() - 1, "--");
    const std::string& name = mark == words.end() - 1 ? words.front() : *(mark + 1);
    const auto command = std::ranges::find(commands(), name, &Command::name);
    if (command == commands().end()) return std::string(files);
    const std::vector<Option> flags = flags_of(*command);
    const std::string& before = words[words.size() - 2];
    for (const Option& option : flags) {
        if (option.value.empty() || (before != option.name && before != option.alias)) continue;
        for (const std::string& word : words_for(option)) add(word, "");
        return rows.empty() || option.reads == Reads::config ? rows.append(files) : rows;
    }
    if (words.back().starts_with('-')) {
        for (const Option& option : flags)
            for (const std::string_view spelling : {option.name, option.alias})
                add(spelling, option.help);
        return rows;
    }
    for (const std::string& word : first_words(*command)) add(word, "");
    return rows.append(files);
}

}  // namespace rope::cli
