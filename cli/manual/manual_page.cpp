#include "cli/manual/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/manual/help.hpp"
#include "cli/shell/commands.hpp"

namespace rope::cli {
namespace {

// A backslash, a dash and a line that begins with a dot or a quote mean something to roff.
std::string roff(std::string_view text) {
    std::string escaped;
    bool begins_line = true;
    for (const char each : text) {
        if (begins_line && (each == '.' || each == '\'')) escaped += "\\&";
        if (each == '\\')
            escaped += "\\e";
        else if (each == '-')
            escaped += "\\-";
        else
            escaped += each;
        begins_line = each == '\n';
    }
    return escaped;
}

std::string upper(std::string_view text) {
    std::string all(text);
    std::ranges::transform(
        all, all.begin(), [](unsigned char each) { return static_cast<char>(std::toupper(each)); });
    return all;
}

std::string title(const std::string& page) {
    return fmt::format(".TH {} 1 \"\" \"rope\\-check {}\" \"User Commands\"\n", roff(upper(page)),
                       ROPE_CHECK_VERSION);
}

std::string item(std::string_view term, std::string_view text) {
    return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(text));
}

std::string verbatim(std::string_view text) { return fmt::format(".nf\n{}.fi\n", roff(text)); }

std::string exit_status() {
    std::string text = ".SH EXIT STATUS\n";
    for (const auto& [code, meaning] : exit_codes()) text += item(fmt::to_string(code), meaning);
    return text;
}

}  // namespace

std::string manual_page() {
    std::string text =
        title("rope-check") +
        ".SH NAME\nrope\\-check \\- verify rotary position embeddings against the exact rotation\n"
        ".SH SYNOPSIS\n.B rope\\-check\n.I COMMAND\n[options] [SPEC]\n"
        ".SH COMMANDS\n";
    for (const Command& command : commands()) text += item(command.name, command.summary);
    text += exit_status() + ".SH SEE ALSO\n";
    std::string others;
    for (const Command& command : commands())
        others += fmt::format("{}.BR rope\\-check\\-{} (1)", others.empty() ? "" : " ,\n",
                              roff(command.name));
    return text + others + "\n";
}

std::string manual_page(const Command& command) {
    const std::string page = fmt::format("rope-check-{}", command.name);
    std::string text =
        title(page) + fmt::format(".SH NAME\n{} \\- {}\n", roff(page), roff(command.summary)) +
        fmt::format(".SH SYNOPSIS\n.B rope\\-check {}\n[options] [SPEC]\n", roff(command.name)) +
        ".SH EXAMPLES\n" + verbatim(command.examples);
    for (const auto& [group, options] : option_groups(command)) {
        text += fmt::format(".SH {}\n", roff(upper(group)));
        for (const Option& option : options) text += item(names_of(option), meaning_of(option));
    }
    if (command.words != nullptr) text += ".SH WORDS\n" + verbatim(command.words());
    return text + exit_status() + ".SH SEE ALSO\n.BR rope\\-check (1)\n";
}

}  // namespace rope::cli
