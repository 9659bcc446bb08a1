#include <fmt/format.h>

#include "io/render/results.hpp"

namespace rope::io {
namespace {

// Of a step's annotations of one kind GitHub shows ten.
constexpr std::size_t shown = 9;

// actions/toolkit, packages/core/src/command.ts: escapeData and escapeProperty
std::string escaped(std::string_view text, std::string_view special) {
    std::string safe;
    for (const char c : text) {
        if (special.find(c) == special.npos)
            safe += c;
        else
            safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return safe;
}
std::string data(std::string_view text) { return escaped(text, "%\r\n"); }
std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

std::string error(std::string_view title, std::string_view message) {
    return fmt::format("::error title={}::{}\n", property(title), data(message));
}

}  // namespace

std::string github_text(const Results& results) {
    const std::vector<Failure> all = failures(results);
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < shown; ++i) {
        const std::string cause = all[i].cause.empty() ? "" : "\nusual cause: " + all[i].cause;
        text += error("rope-check " + all[i].name, all[i].reason + cause + "\n" + all[i].subject +
                                                       "\nreproduce: " + all[i].again);
    }
    if (all.size() > shown)
        text += error("rope-check", fmt::format("and {} more", all.size() - shown));
    for (const Lint& one : results.lint)
        if (!results.strict && one.severity != Severity::note)
            text += fmt::format("::warning title={}::{}\n", property("rope-check " + one.id),
                                data(one.where + ": " + one.message));
    return text + doubt_lines(results) + headline(results) + "\n";
}

}  // namespace rope::io
