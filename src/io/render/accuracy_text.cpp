#include "io/render/accuracy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/decimal.hpp"
#include "io/text/number_text.hpp"
#include "io/text/wrapped.hpp"

namespace rope::io {
namespace {

// A finding's field of a kind; nothing where it has none, or none of that kind.
template <class Value>
std::optional<Value> field(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.fields, name, &Field::name);
    if (found == finding.fields.end()) return std::nullopt;
    const auto* value = std::get_if<Value>(&found->value);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

const Finding* find(const Report& report, std::string_view check) {
    const auto found = std::ranges::find(report.findings, check, &Finding::check);
    return found == report.findings.end() || found->samples == 0 ? nullptr : &*found;
}

// A position, whole or fractional, of either sign.
std::optional<std::string> position_text(const Finding& finding, std::string_view name) {
    if (const auto whole = field<std::uint64_t>(finding, name)) return decimal(*whole);
    if (const auto real = field<double>(finding, name)) return decimal(*real);
    return std::nullopt;
}

std::string worst_text(const Finding& table) {
    std::string text = "worst |error| " + brief(*field<double>(table, "worst_error"));
    if (const auto position = position_text(table, "worst_error_position"))
        text += fmt::format(" at position {}, pair {}", *position,
                            *field<std::uint64_t>(table, "worst_error_pair"));
    return text;
}

std::string beyond_text(const Finding& table) {
    std::string text;
    for (const char* limit : {"1e-3", "2^-9"}) {
        const auto first = position_text(table, std::string("first_beyond_") + limit);
        text += text.empty() ? "" : ", ";
        text += first ? fmt::format("first beyond {} at position {}", limit, *first)
                      : fmt::format("never beyond {}", limit);
    }
    return text;
}

// "logits:   RMS error 6.0e-3 at distance 1, 0.010 at 128, …"
std::string logit_text(const Finding& scores) {
    const auto spread = field<double>(scores, "logit_spread");
    if (!spread) return "";
    constexpr std::string_view prefix = "logit_error_at_";
    std::string at;
    for (const Field& one : scores.fields)
        if (const auto* rms = std::get_if<double>(&one.value);
            rms != nullptr && one.name.starts_with(prefix))
            at += fmt::format("{}{} at {}{}", at.empty() ? "" : ", ", brief(*rms),
                              at.empty() ? "distance " : "", one.name.substr(prefix.size()));
    const auto from = field<std::uint64_t>(scores, "logit_error_matters_from");
    return fmt::format(
        "logits:   RMS error {}, where q and k of variance 1 make a spread of {}; {} a tenth of "
        "the spread{}; pair {} is as if the key stood {} tokens off",
        at, brief(*spread), from ? "beyond" : "never beyond",
        from ? fmt::format(" from distance {} on", *from) : "",
        *field<std::uint64_t>(scores, "tokens_off_pair"),
        brief(*field<double>(scores, "tokens_off")));
}

}  // namespace

std::string accuracy_text(const Report& report) {
    const Finding* table = find(report, "table-accuracy");
    // a dump of another width has no values to be held against the truth
    if (table == nullptr || !field<double>(*table, "worst_error")) return "";
    const Finding* scores = find(report, "score-accuracy");
    const std::string accuracy = fmt::format(
        "accuracy: {}; K {}, {}; {}", worst_text(*table), brief(*field<double>(*table, "K")),
        *field<std::string>(*table, "like"), beyond_text(*table));
    const std::string logits = scores == nullptr ? "" : logit_text(*scores);
    return wrapped(accuracy, 10) + (logits.empty() ? "" : wrapped(logits, 10));
}

}  // namespace rope::io
