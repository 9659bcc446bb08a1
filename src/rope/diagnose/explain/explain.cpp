#include "rope/diagnose/explain/explain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/explain/mistakes.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string text_of(const FieldValue& value) {
    if (const auto* x = std::get_if<double>(&value)) return decimal(*x);
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return decimal(*n);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return "";
}

// "scaling-type rope_type=linear factor=4"
std::string name_of(const NamedMistake& one_mistake) {
    std::string name = one_mistake.mistake;
    for (const auto& [key, value] : one_mistake.parameters)
        name += " " + key + "=" + text_of(value);
    return name;
}

// Where a list of frequencies has several mistakes: θ without this one.
const std::vector<double>* theta_without(const Frequencies& own, const NamedMistake& mistake) {
    for (const Frequencies::Further& further : own.also)
        if (further.mistake.what == mistake.what) return &further.without;
    return own.without.empty() || own.what != mistake.what ? nullptr : &own.without;
}

bool is_of_reading(const NamedMistake& mistake, const DumpReading& reading) {
    return std::ranges::any_of(
        reading.mistakes, [&](const NamedMistake& own) { return own.mistake == mistake.mistake; });
}

// The replay with this one of its mistakes left uncorrected.
Replay without(const NamedMistake& mistake, const Replay& replay,
               const std::vector<DumpReading>& all, const FrequencyList& list) {
    const std::string& id = mistake.mistake;
    const Frequencies& own = replay.frequencies;
    Replay other = replay;
    if (id == "attention-factor" && replay.fitted_amplitude) {
        other.amplitude = own.amplitude;
        other.fitted_amplitude = false;
    } else if (replay.positions && id == replay.positions->mistake) {
        other.positions.reset();
    } else if (replay.positions && replay.positions->also &&
               id == replay.positions->also->mistake) {
        other.positions->map.before = other.positions->map.after = 0;
    } else if (replay.rounding && id == replay.rounding->mistake) {
        other.rounding = nullptr;
    } else if (const auto* theta = theta_without(own, mistake)) {
        other.frequencies.theta = *theta;
    } else if (!own.mistake.empty() && id == own.mistake) {
        other.frequencies = list(*replay.reading, {}).front();
    } else if (is_of_reading(mistake, *replay.reading)) {
        other.reading = &all.front();
        // a dump of another width has no rows to compare with the truth
        if (other.reading == replay.reading) other.frequencies.theta.clear();
        if (other.reading->samples.pairs != replay.reading->samples.pairs)
            other.frequencies = list(*other.reading, {}).front();
    } else if (id == "direction" || id == "cos-sin-swapped" || id == "sign") {
        other.turn = Orientation::right;
    }
    return other;
}

double full_misfit(const Replay& replay, bool with_narrow) {
    Hypothesis hypothesis = replay.hypothesis();
    if (!with_narrow) hypothesis.rounding.table = Format::float64;
    if (hypothesis.theta.size() != replay.reading->samples.pairs) return infinity;
    return misfit(replay.reading->samples, hypothesis, infinity);
}

// A pure scale of positions is named after the Spec's scaling, if that is one and was used.
void rename_scale(NamedMistake& one_mistake, const Replay& replay, const Spec& asked) {
    const std::optional<Spec>& used = replay.frequencies.spec;
    if (!used || used->scaling.rope_type != asked.scaling.rope_type) return;
    if (one_mistake.mistake != "position-scale" || one_mistake.parameters.size() != 1) return;
    const double scale = std::get<double>(one_mistake.parameters[0].second);
    if (asked.scaling.rope_type == "linear" && asked.scaling.factor) {
        const double factor = few_digits(*asked.scaling.factor / scale, 2e-7);
        one_mistake = {
            "scaling-parameter",
            {parameter(&Scaling::factor, factor)},
            "linear's factor is " + decimal(factor) + ", not " + decimal(*asked.scaling.factor)};
    } else if (asked.scaling.rope_type == "he_xu") {
        const double n =
            few_digits(static_cast<double>(asked.max_position_embeddings) / scale, 2e-7);
        one_mistake = {
            "scaling-parameter",
            {{"max_position_embeddings", n}},
            "He & Xu's n is " + decimal(n) + ", not " + decimal(asked.max_position_embeddings)};
    }
}

std::optional<double> number_in(const NamedMistake& mistake, std::string_view key) {
    for (const auto& [name, value] : mistake.parameters)
        if (const auto* x = std::get_if<double>(&value); x && name == key) return *x;
    return std::nullopt;
}

// The scalings and exponents that another base stands for.
void add_names_of_base(std::vector<std::string>& names, double base, const Spec& asked) {
    const double d = asked.rotary_dim;
    const double factor = few_digits(portable::pow(base / asked.rope_theta, (d - 2) / d), 1e-6);
    const bool is_plain = few_digits(factor, 1e-6) == few_digits(factor, 1e-3);
    if (d > 2 && is_plain && factor > 1 && factor <= 1024)
        names.push_back("scaling-type rope_type=ntk factor=" + decimal(factor));
    const double divisor = d * portable::log(asked.rope_theta) / portable::log(base);
    if (std::abs(divisor - std::round(divisor)) < 1e-6 * divisor)
        names.push_back("exponent-divisor divisor=" + decimal(std::round(divisor)));
}

// Other names of the same numbers, and mistakes that leave all scores unchanged.
std::vector<std::string> equivalents(const NamedMistake& mistake, const Spec& asked) {
    std::vector<std::string> names;
    const std::string& id = mistake.mistake;
    const bool is_linear = asked.scaling.rope_type == "linear" && asked.scaling.factor;
    const double factor = is_linear ? *asked.scaling.factor : 1;
    if (id == "base" && asked.scaling.rope_type == "default")
        add_names_of_base(names, *number_in(mistake, "rope_theta"), asked);
    if (const auto divisor = number_in(mistake, "divisor"); divisor && id == "exponent-divisor")
        names.push_back("base rope_theta=" +
                        decimal(few_digits(
                            portable::pow(asked.rope_theta, asked.rotary_dim / *divisor), 1e-9)));
    if (id == "position-scale" && mistake.parameters.size() == 1) {
        const double scale = *number_in(mistake, "scale");
        if (asked.scaling.rope_type == "default" && scale < 1)
            names.push_back("scaling-type rope_type=linear factor=" +
                            decimal(few_digits(1 / scale, 1e-6)));
    }
    if (id == "rotated-twice") {
        names.emplace_back("position-scale scale=2");
        if (is_linear) names.push_back("scaling-parameter factor=" + decimal(factor / 2));
    }
    if (id == "scaling-doubled" && is_linear)
        names.push_back("scaling-parameter factor=" + decimal(factor * factor));
    if (id == "scaling-missing" && is_linear)
        names.push_back("position-scale scale=" + decimal(factor));
    if (const auto last = number_in(mistake, "last"); last && id == "position-collapse")
        names.push_back("table-truncated rows=" + decimal(*last + 1));
    if (id == "position-collapse" && number_in(mistake, "position") == 0.0)
        names.push_back("not-rotated");
    if ((id == "position-offset" && mistake.parameters.size() == 1) || id == "pair-layout")
        names.push_back("scores unchanged if q and k share it");
    if (id == "direction") names.push_back("the two lanes of every pair swapped");
    return names;
}

// Every mistake, by the error that it alone would leave.
std::vector<Explanation> explained_mistakes(const Replay& best, const std::vector<DumpReading>& all,
                                            const FrequencyList& list, const Spec& asked,
                                            const WorstOfAll& worst_of_all) {
    std::vector<Explanation> explanations;
    const bool narrow = best.reading->samples.narrow.has_value();
    const double after = full_misfit(best, true);
    std::vector<NamedMistake> mistakes = best.mistakes();
    for (std::size_t k = 0; k < mistakes.size(); ++k) {
        const bool of_table =
            mistakes[k].mistake == "table-precision" && narrow && k + 1 == mistakes.size();
        const Replay other = without(mistakes[k], best, all, list);
        double before = full_misfit(other, !of_table);
        if (before <= 1 && !of_table && worst_of_all) before = worst_of_all(other);
        rename_scale(mistakes[k], best, asked);
        std::vector<std::string> names = equivalents(mistakes[k], best.reading->asked);
        Explanation one = explanation_of(mistakes[k], before, after, std::move(names));
        const auto at = std::upper_bound(  // worst first
            explanations.begin(), explanations.end(), one,
            [](const Explanation& a, const Explanation& b) { return a.before > b.before; });
        explanations.insert(at, std::move(one));
    }
    return explanations;
}

// Other names that fit as well, where a single mistake fits.
void add_other_names(Explanation& one, const std::vector<Replay>& replays, const Spec& asked) {
    const std::string own = name_of({one.mistake, one.parameters});
    for (std::size_t r = 1; r < replays.size() && one.equivalent.size() < 5; ++r) {
        std::vector<NamedMistake> mistakes = replays[r].mistakes();
        if (mistakes.empty()) continue;
        rename_scale(mistakes.front(), replays[r], asked);
        const std::string name = name_of(mistakes.front());
        auto& names = one.equivalent;
        if (name != own && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
}

}  // namespace

Explanation explanation_of(const NamedMistake& one_mistake, double before, double after,
                           std::vector<std::string> equivalent) {
    Explanation one;
    one.mistake = one_mistake.mistake;
    one.parameters = one_mistake.parameters;
    one.what = one_mistake.what;
    one.before = before;
    one.after = after;
    one.equivalent = std::move(equivalent);
    one.advice = find_mistake(one_mistake.mistake).advice;
    return one;
}

std::vector<Explanation> explain_replays(const std::vector<Replay>& replays,
                                         const std::vector<DumpReading>& all,
                                         const FrequencyList& list, const Spec& asked,
                                         const WorstOfAll& worst_of_all) {
    std::vector<Explanation> explanations =
        explained_mistakes(replays.front(), all, list, asked, worst_of_all);
    // a table within the finer format's allowance all the same needs no explanation
    std::erase_if(explanations, [](const Explanation& one) { return one.before <= 1; });
    for (Explanation& one : explanations)
        for (const Explanation& other : explanations)
            if (&one != &other) one.together.push_back(other.mistake);
    if (explanations.size() == 1) add_other_names(explanations[0], replays, asked);
    return explanations;
}

}  // namespace rope
