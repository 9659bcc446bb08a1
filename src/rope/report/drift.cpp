#include "rope/report/drift.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace rope {
namespace {

constexpr double tightening = 0.9;  // of the recorded value: less is worth recording

// A verdict's rank among bounds; -1 for other text.
int rank_of(const FieldValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return -1;
    const Verdict worsening[] = {Verdict::holds, Verdict::not_applicable, Verdict::violated};
    for (int rank = 0; rank < 3; ++rank)
        if (*text == to_string(worsening[rank])) return rank;
    return -1;
}

Change change_of_verdict(const FieldValue& recorded, const FieldValue& now) {
    const int before = rank_of(recorded), after = rank_of(now);
    if (before < 0 || after < 0 || after > before) return Change::drifted;
    return after < before ? Change::better : Change::same;
}

Change change_of_number(const Metric& recorded, double before, double difference, double allowed) {
    const bool one_way = recorded.kind == MetricClass::bound;
    if (!((one_way ? difference : std::abs(difference)) <= allowed)) return Change::drifted;
    const bool tighter =
        one_way && before + difference < tightening * before && -difference > allowed;
    return tighter ? Change::better : Change::same;
}

Drift compare(const Metric& recorded, const FieldValue& now) {
    Drift drift{.recorded = recorded, .now = now, .difference = std::nullopt};
    const auto before = number_of(recorded.value), after = number_of(now);
    if (before && after) {
        drift.difference = *after - *before;
        drift.allowed = recorded.atol + recorded.rtol * std::abs(*before);
    }
    if (recorded.kind == MetricClass::report || is_same_value(recorded.value, now)) return drift;
    if (recorded.kind == MetricClass::exact)
        drift.change = Change::drifted;
    else if (drift.difference)
        drift.change = change_of_number(recorded, *before, *drift.difference, drift.allowed);
    else
        drift.change = recorded.kind == MetricClass::bound ? change_of_verdict(recorded.value, now)
                                                           : Change::drifted;
    return drift;
}

int rank_of_cause(const std::string& name) {
    const std::string_view causes[] = {"spec/rope_type", "spec/", "subject/", "/verdict"};
    int rank = 0;
    for (const std::string_view cause : causes) {
        if (name.find(cause) != name.npos) break;
        ++rank;
    }
    return rank;
}

}  // namespace

std::string_view to_string(Change change) {
    switch (change) {
        case Change::same:
            return "same";
        case Change::better:
            return "better";
        case Change::added:
            return "added";
        case Change::drifted:
            return "drifted";
        case Change::vanished:
            return "vanished";
    }
    return "";
}

std::optional<double> number_of(const FieldValue& value) {
    if (const auto* x = std::get_if<double>(&value)) return *x;
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*n);
    return std::nullopt;
}

bool is_same_value(const FieldValue& a, const FieldValue& b) {
    if (a.index() == b.index()) return a == b;
    const auto x = number_of(a), y = number_of(b);
    return x && y && *x == *y;
}

std::vector<Drift> drift_of(const std::vector<Metric>& recorded, const std::vector<Metric>& now) {
    std::vector<Drift> drifts;
    auto a = recorded.begin();
    auto b = now.begin();
    while (a != recorded.end() || b != now.end()) {
        if (b == now.end() || (a != recorded.end() && a->name < b->name)) {
            const Change change = a->kind == MetricClass::report ? Change::same : Change::vanished;
            drifts.push_back({.recorded = *a++, .difference = std::nullopt, .change = change});
        } else if (a == recorded.end() || b->name < a->name) {
            drifts.push_back(
                {.recorded = *b,
                 .now = b->value,
                 .difference = std::nullopt,
                 .change = b->kind == MetricClass::report ? Change::same : Change::added});
            ++b;
        } else {
            drifts.push_back(compare(*a++, (b++)->value));
        }
    }
    return drifts;
}

std::vector<Drift> failing(const std::vector<Drift>& drifts, bool strict) {
    std::vector<Drift> all;
    std::copy_if(drifts.begin(), drifts.end(), std::back_inserter(all),
                 [&](const Drift& drift) { return fails(drift, strict); });
    std::sort(all.begin(), all.end(), [](const Drift& a, const Drift& b) {
        const std::string &m = a.recorded.name, &n = b.recorded.name;
        return std::pair(rank_of_cause(m), m) < std::pair(rank_of_cause(n), n);
    });
    return all;
}

std::vector<std::string> accepted_violations(const std::vector<Drift>& drifts) {
    constexpr std::string_view verdict = "/verdict";
    const FieldValue violated = std::string(to_string(Verdict::violated));
    std::vector<std::string> checks;
    for (const Drift& drift : drifts) {
        const std::string& name = drift.recorded.name;
        if (drift.recorded.kind == MetricClass::bound && name.ends_with(verdict) &&
            drift.recorded.value == violated && drift.now == violated)
            checks.push_back(name.substr(0, name.size() - verdict.size()));
    }
    return checks;
}

bool fails(const Drift& drift, bool strict) {
    return drift.change == Change::drifted || drift.change == Change::vanished ||
           (strict && drift.change == Change::added);
}

}  // namespace rope
