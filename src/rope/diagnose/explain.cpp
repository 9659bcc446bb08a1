#include "rope/diagnose/explain.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace rope {
namespace {

// The θ without this mistake; null unless it is one of several mistakes of the frequencies.
const std::vector<double>* theta_without(const Frequencies& own, const NamedMistake& mistake) {
    for (const Frequencies::Further& further : own.also)
        if (further.mistake.what == mistake.what) return &further.without;
    return own.without.empty() || own.what != mistake.what ? nullptr : &own.without;
}

// The combination without one of its mistakes.
Combination without(const NamedMistake& mistake, const Combination& combined, const Views& all) {
    const std::string& id = mistake.mistake;
    const Frequencies& own = combined.frequencies;
    Combination other = combined;
    const auto rule = std::ranges::find(other.positions, mistake.what, &PositionRule::what);
    if ((id == "attention-factor" || id == "vector-scale") && combined.fitted_amplitude) {
        other.amplitude = own.amplitude;
        other.fitted_amplitude = false;
    } else if (rule != other.positions.end()) {
        other.positions.erase(rule);
    } else if (combined.rounding && id == named_rounding(*combined.rounding).mistake) {
        other.rounding = nullptr;
    } else if (const auto* theta = theta_without(own, mistake)) {
        other.frequencies.theta = *theta;
    } else if (!own.mistake.empty() && id == own.mistake) {
        other.frequencies = frequencies_of(combined.view->asked);
        if (!combined.fitted_amplitude && combined.amplitude == own.amplitude)
            other.amplitude = other.frequencies.amplitude;
    } else if (has_mistake(combined.view->mistakes, id)) {
        other.view = &all.front();
        // a dump of another width has no rows to compare with the Spec
        if (other.view == combined.view) other.frequencies.theta.clear();
        if (other.view->samples.pairs != combined.view->samples.pairs ||
            other.view->asked.axes != combined.view->asked.axes)
            other.frequencies = frequencies_of(other.view->asked);
    } else if (id == "direction" || id == "cos-sin-swapped" || id == "sign") {
        other.turn = Orientation::right;
    }
    return other;
}

// The source of positions, such as "row number"; empty for position_ids.
std::string source_of(const DumpView& view) {
    for (const NamedMistake& one : view.mistakes)
        if (one.mistake == "position-source")
            if (const FieldValue* source = find_value(one.parameters, "source"))
                return std::get<std::string>(*source);
    return "";
}

// A rule for positions from another source applies to that source: m − 7 of a row number m.
void count_from_source(NamedMistake& mistake, std::vector<std::string>& names,
                       const Combination& best) {
    const std::string source = source_of(*best.view);
    const PositionRule* rule = best.everywhere();
    if (source.empty() || !rule || mistake.mistake != rule->mistake) return;
    mistake.what += named("position-source", {{"source", source}}, {{"where", 1.0}}).what;
    std::erase(names, scores_unchanged);
}

// Adds whether the attention factor is the config's or that of the other scaling, if they differ by
// more than the dump's format. A dump of frequencies has no attention factor.
void tell_amplitude(NamedMistake& mistake, const Combination& best, double asked) {
    const double own = best.frequencies.amplitude;
    const bool is_of_frequencies = mistake.mistake == best.frequencies.mistake &&
                                   !best.fitted_amplitude && best.view->samples.inv_freq.empty() &&
                                   std::abs(own / asked - 1) > 8 * best.view->samples.storage;
    if (!is_of_frequencies) return;
    const auto digits = [](double factor) { return decimal(few_digits(factor, 1e-5)); };
    mistake.what +=
        best.amplitude == asked
            ? "; the attention factor is the config's, " + digits(asked)
            : "; the attention factor is " + digits(own) + " with it, not " + digits(asked);
}

// Whether two rotations by m·θ equal one by 2m·θ with the same orientation and factor.
bool is_one_turn(const Combination& twice) {
    return twice.amplitude == 1 &&
           (twice.turn == Orientation::right || twice.turn == Orientation::reversed);
}

double full_misfit(const Combination& combined, bool with_narrow) {
    Hypothesis hypothesis = combined.hypothesis();
    if (!with_narrow) hypothesis.rounding.table = Format::float64;
    if (hypothesis.theta.size() != combined.view->samples.pairs) return HUGE_VAL;
    return misfit(combined.view->samples, hypothesis, HUGE_VAL);
}

using Numbers = std::vector<std::uint64_t>;

struct GroupSet {
    Numbers batches, heads;
    bool is_product = false;  // every head of every batch entry
};

GroupSet set_of(const std::vector<std::size_t>& groups, const RowGroups& rows) {
    std::set<std::uint64_t> batches, heads;
    for (const std::size_t group : groups) {
        batches.insert(rows.batch_of(group));
        heads.insert(rows.head_of(group));
    }
    return {{batches.begin(), batches.end()},
            {heads.begin(), heads.end()},
            batches.size() * heads.size() == groups.size()};
}

std::string named_numbers(const char* one, const char* several, const Numbers& numbers,
                          std::uint64_t count) {
    return std::string(numbers.size() == 1 ? one : several) + " " + ranges(numbers, 8) + " of " +
           decimal(count);
}

void add_part(Explanation& one, const std::vector<std::size_t>& groups, const RowGroups& rows) {
    const std::string name = name_of_part(groups, rows);
    if (name.empty()) return;
    const GroupSet part = set_of(groups, rows);
    if (part.batches.size() < rows.batches() || !part.is_product)
        one.parameters.emplace_back("batch", ranges(part.batches, 8));
    if (part.heads.size() < rows.heads() || !part.is_product)
        one.parameters.emplace_back("heads", ranges(part.heads, 8));
    add_part(one, name);
}

// Splits groups that are no product of entries and heads into products: "entry 0, both heads" and
// "entries 1–2, head 0". Unchanged if that takes more than four.
std::vector<ExplainedPart> in_products(const ExplainedPart& part, const RowGroups& rows) {
    constexpr std::size_t most = 4;
    if (part.groups.size() == rows.count() || set_of(part.groups, rows).is_product) return {part};
    std::map<std::uint64_t, std::set<std::uint64_t>> heads;
    for (const std::size_t group : part.groups)
        heads[rows.batch_of(group)].insert(rows.head_of(group));
    std::map<std::set<std::uint64_t>, std::vector<std::size_t>> products;
    for (const std::size_t group : part.groups)
        products[heads[rows.batch_of(group)]].push_back(group);
    if (products.size() > most) return {part};
    std::vector<ExplainedPart> all;
    for (auto& [same, groups] : products) all.push_back({std::move(groups), part.explanations});
    return all;
}

}  // namespace

Explanation explanation_of(const NamedMistake& one_mistake, double before, double after,
                           std::vector<std::string> equivalent) {
    Explanation one{one_mistake, before, after, std::move(equivalent)};
    if (one.advice.empty()) one.advice = find_mistake(one.mistake).advice;
    return one;
}

void add_part(Explanation& one, const std::string& part) {
    one.part = part + (one.part.empty() ? "" : ", " + one.part);
    one.what = part + ": " + one.what;
}

std::vector<Explanation> explain_combinations(const std::vector<Combination>& combinations,
                                              const Views& all, const Spec& asked,
                                              const DumpPart* part, bool do_slow_pairs_show_it) {
    const Combination& best = combinations.front();
    std::vector<Explanation> explanations;
    const bool narrow = best.view->samples.narrow.has_value();
    const double after = full_misfit(best, true), asked_amplitude = frequencies_of(asked).amplitude;
    std::vector<NamedMistake> mistakes = best.mistakes();
    for (NamedMistake& one : mistakes) {
        const bool of_table =
            one.mistake == "table-precision" && narrow && &one == &mistakes.back();
        const Combination other = without(one, best, all);
        double before = full_misfit(other, !of_table);  // the error without its correction
        if (before <= 1 && !of_table && part) before = worst_of_all(other, *part);
        // a narrow table that is within the finer format's tolerance needs no explanation
        if (before <= 1 && !do_slow_pairs_show_it) continue;
        rename_by_spec(one, best, asked);
        std::vector<std::string> names;
        if (one.mistake != "rotated-twice" || is_one_turn(best))
            names = equivalents(one, best.view->asked);
        if (best.view->arrangement && best.scale() == 2.0 && one.mistake == "position-scale")
            names.emplace_back("rotated-twice");
        count_from_source(one, names, best);
        tell_amplitude(one, best, asked_amplitude);
        explanations.push_back(explanation_of(one, before, after, std::move(names)));
    }
    std::ranges::stable_sort(explanations, std::greater<>(), &Explanation::before);  // worst first
    add_other_names(explanations, combinations, asked, part);
    return explanations;
}

std::string of_pairs(const std::vector<std::uint32_t>& pairs, std::string_view one,
                     std::string_view several) {
    const bool is_one = pairs.size() == 1;
    return (is_one ? "pair " : "pairs ") + ranges(pairs, 4) + std::string(is_one ? one : several);
}

std::string name_of_part(const std::vector<std::size_t>& groups, const RowGroups& rows) {
    if (groups.size() == rows.count()) return "";
    const GroupSet part = set_of(groups, rows);
    if (!part.is_product)
        return decimal(groups.size()) + " of " + decimal(rows.count()) + " sequences of heads";
    std::string name;
    if (part.batches.size() < rows.batches())
        name = named_numbers("batch entry", "batch entries", part.batches, rows.batches());
    if (part.heads.size() < rows.heads())
        name +=
            (name.empty() ? "" : ", ") + named_numbers("head", "heads", part.heads, rows.heads());
    return name;
}

std::string point_name(const std::vector<double>& place) {
    return place.size() == 1 ? decimal(place[0]) : "(" + join(place) + ")";
}

std::string position_name(std::size_t row, const RowGroups& rows) {
    std::vector<double> ids;
    for (std::uint32_t axis = 0; axis < rows.axes(); ++axis)
        ids.push_back(rows.position(row, axis));
    return point_name(ids);
}

std::string positions_of(const std::vector<std::size_t>& wrong, const RowGroups& rows) {
    if (rows.axes() == 1) {
        std::vector<double> positions;
        for (const std::size_t row : wrong) positions.push_back(rows.position(row));
        std::ranges::sort(positions);
        positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
        return ranges(positions, 4);
    }
    std::vector<std::string> names;
    for (const std::size_t row : wrong)
        if (const std::string name = position_name(row, rows); std::ranges::count(names, name) == 0)
            names.push_back(name);
    if (names.size() > 4) {
        names.resize(4);
        names.emplace_back("…");
    }
    return join(names);
}

std::vector<Explanation> joined(const std::vector<ExplainedPart>& found, const RowGroups& rows) {
    std::vector<ExplainedPart> parts;
    for (const ExplainedPart& part : found)
        for (ExplainedPart& one : in_products(part, rows)) parts.push_back(std::move(one));
    std::vector<Explanation> all;
    std::size_t explained = 0;
    for (const ExplainedPart& part : parts) explained += part.groups.size();
    const auto is_shared = [&](const Explanation& one) {
        return parts.size() > 1 && explained == rows.count() &&
               std::ranges::all_of(parts, [&](const ExplainedPart& part) {
                   return std::ranges::any_of(part.explanations, [&](const Explanation& other) {
                       // a parameter may be NaN
                       return one.mistake == other.mistake && one.what == other.what;
                   });
               });
    };
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const Explanation& one : parts[p].explanations) {
            const bool shared = is_shared(one);
            if (shared && p > 0) continue;
            all.push_back(one);
            if (!shared) add_part(all.back(), parts[p].groups, rows);
        }
    std::ranges::stable_sort(all, std::greater<>(), &Explanation::before);
    return all;
}

}  // namespace rope
