#include "io/lint/lint_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.hpp"

namespace rope::io {
namespace {

constexpr std::size_t longest_message = 1000;

}  // namespace

std::string lint_text(std::span<const Lint> findings) {
    std::string text;
    for (const auto& [id, severity, where, message] : findings)
        text += fmt::format("{}: {}: {} [{}]\n", to_string(severity), printable(where),
                            printable(message, longest_message), id);
    return text;
}

nlohmann::ordered_json lint_json(std::span<const Lint> findings) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& [id, severity, where, message] : findings)
        all.push_back({{"id", id},
                       {"severity", to_string(severity)},
                       {"where", where},
                       {"message", message}});
    return all;
}

Cells lint_cells(std::span<const Lint> findings) {
    Cells cells{{"severity", "lint", "where", "what"}, "llll"};
    for (const auto& [id, severity, where, message] : findings)
        cells.rows.push_back({std::string(to_string(severity)), id, printable(where),
                              printable(message, longest_message)});
    return cells;
}

}  // namespace rope::io
