#include "cli/shell/color.hpp"

#include "cli/shell/suggest.hpp"
#include "cli/shell/terminal.hpp"

namespace rope::cli {
namespace {

struct Rule {
    std::string_view word;
    std::string_view code;
};

constexpr Rule rules[] = {{"FAIL", "\x1b[1;31m"},
                          {"DRIFT", "\x1b[1;31m"},
                          {"ok", "\x1b[32m"},
                          {"n/a", "\x1b[33m"},
                          {"note", "\x1b[33m"}};
constexpr std::string_view plain = "\x1b[0m";

const Rule* rule_for(std::string_view line) {
    for (const Rule& rule : rules) {
        if (!line.starts_with(rule.word)) continue;
        const std::string_view rest = line.substr(rule.word.size());
        if (rest.starts_with(' ') || rest.starts_with(':')) return &rule;
    }
    return nullptr;
}

// https://no-color.org, https://force-color.org, https://bixense.com/clicolors
bool environment_wants_color() {
    if (is_set("NO_COLOR")) return false;
    for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
        if (is_set(name)) return variable(name) != "0";
    return stdout_is_terminal() && variable("CLICOLOR") != "0" && variable("TERM") != "dumb";
}

}  // namespace

bool wants_color(const Arguments& arguments) {
    const std::string when = arguments.value("--color").value_or("auto");
    if (when == "always") return true;
    if (when == "never") return false;
    constexpr std::string_view known[] = {"auto", "always", "never"};
    if (when != "auto") throw unknown_word("colour", when, known).about("--color");
    return environment_wants_color();
}

std::string colored(std::string_view text) {
    std::string all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        if (const Rule* rule = rule_for(line)) {
            all.append(rule->code).append(rule->word).append(plain);
            all.append(line.substr(rule->word.size()));
        } else {
            all.append(line);
        }
        text.remove_prefix(end);
    }
    return all;
}

}  // namespace rope::cli
