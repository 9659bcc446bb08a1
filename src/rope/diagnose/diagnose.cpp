#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rope/decimal.hpp"
#include "rope/diagnose/lanes.hpp"
#include "rope/diagnose/search.hpp"

namespace rope {
namespace {

constexpr int most_mistakes = 3;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string text_of(const FieldValue& value) {
    if (const auto* x = std::get_if<double>(&value)) return decimal(*x);
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return decimal(*n);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return "";
}

// "scaling-type rope_type=linear factor=4"
std::string name_of(const Part& part) {
    std::string name = part.mistake;
    for (const auto& [key, value] : part.parameters) name += " " + key + "=" + text_of(value);
    return name;
}

// The replay with one of its mistakes left uncorrected.
std::vector<std::pair<std::string, Replay>> undone(const Replay& replay,
                                                   const std::vector<Reading>& all,
                                                   const FrequencyList& list) {
    std::vector<std::pair<std::string, Replay>> others;
    const auto asked_frequencies = [&](const Reading& reading) {
        return list(reading, {}).front();
    };
    for (const Part& part : replay.parts()) {
        Replay other = replay;
        if (part.mistake == "attention-factor" && replay.own_amplitude) {
            other.amplitude = replay.frequencies.amplitude;
            other.own_amplitude = false;
        } else if (replay.positions && part.mistake == replay.positions->mistake) {
            other.positions.reset();
        } else if (replay.rounding && part.mistake == replay.rounding->mistake) {
            other.rounding = nullptr;
        } else if (!replay.frequencies.mistake.empty() &&
                   part.mistake == replay.frequencies.mistake) {
            other.frequencies = asked_frequencies(*replay.reading);
        } else if (std::any_of(replay.reading->parts.begin(), replay.reading->parts.end(),
                               [&](const Part& own) { return own.mistake == part.mistake; })) {
            other.reading = &all.front();
            // of another width than asked: no row of the truth can be held against it
            if (other.reading == replay.reading) other.frequencies.theta.clear();
            if (other.reading->samples.pairs != replay.reading->samples.pairs)
                other.frequencies = asked_frequencies(*other.reading);
        } else if (part.mistake == "direction" || part.mistake == "cos-sin-swapped") {
            other.turn = Turn::right;
        }
        others.emplace_back(part.mistake, std::move(other));
    }
    return others;
}

double full_misfit(const Replay& replay, bool with_narrow) {
    Hypothesis hypothesis = replay.hypothesis();
    if (!with_narrow) hypothesis.rounding.table = Format::float64;
    if (hypothesis.theta.size() != replay.reading->samples.pairs) return infinity;
    return misfit(replay.reading->samples, hypothesis, infinity);
}

// A pure scale of positions has another name where the Spec's scaling is one.
void rename_scale(Part& part, const Spec& asked) {
    if (part.mistake != "position-scale" || part.parameters.size() != 1) return;
    const double scale = std::get<double>(part.parameters[0].second);
    if (asked.scaling.rope_type == "linear" && asked.scaling.factor) {
        const double factor = few_digits(*asked.scaling.factor / scale, 2e-7);
        part = {
            "scaling-parameter",
            {{"factor", factor}},
            "linear's factor is " + decimal(factor) + ", not " + decimal(*asked.scaling.factor)};
    } else if (asked.scaling.rope_type == "he_xu") {
        const double n =
            few_digits(static_cast<double>(asked.max_position_embeddings) / scale, 2e-7);
        part = {"scaling-parameter",
                {{"max_position_embeddings", n}},
                "He & Xu's n is " + decimal(n) + ", not " + decimal(asked.max_position_embeddings)};
    }
}

// The same numbers by other names, and mistakes that leave all scores as they are.
std::vector<std::string> equivalents(const Part& part, const Spec& asked) {
    std::vector<std::string> names;
    const auto number = [&](std::string_view key) -> std::optional<double> {
        for (const auto& [name, value] : part.parameters)
            if (name == key)
                if (const auto* x = std::get_if<double>(&value)) return *x;
        return std::nullopt;
    };
    const double d = asked.rotary_dim;
    if (part.mistake == "base" && asked.scaling.rope_type == "default") {
        const double ratio = *number("rope_theta") / asked.rope_theta;
        const double factor = few_digits(std::pow(ratio, (d - 2) / d), 1e-6);
        const bool is_plain = few_digits(factor, 1e-6) == few_digits(factor, 1e-3);
        if (d > 2 && is_plain && factor > 1 && factor <= 1024)
            names.push_back("scaling-type rope_type=ntk factor=" + decimal(factor));
        const double divisor = d * std::log(asked.rope_theta) / std::log(*number("rope_theta"));
        if (std::abs(divisor - std::round(divisor)) < 1e-6 * divisor)
            names.push_back("exponent-divisor divisor=" + decimal(std::round(divisor)));
    }
    if (part.mistake == "exponent-divisor" && number("divisor"))
        names.push_back(
            "base rope_theta=" +
            decimal(few_digits(std::pow(asked.rope_theta, d / *number("divisor")), 1e-9)));
    if (part.mistake == "position-scale" && part.parameters.size() == 1) {
        const double scale = *number("scale");
        if (asked.scaling.rope_type == "default" && scale < 1)
            names.push_back("scaling-type rope_type=linear factor=" +
                            decimal(few_digits(1 / scale, 1e-6)));
    }
    if (part.mistake == "scaling-missing" && asked.scaling.rope_type == "linear" &&
        asked.scaling.factor)
        names.push_back("position-scale scale=" + decimal(*asked.scaling.factor));
    if (part.mistake == "position-collapse" && number("last"))
        names.push_back("table-truncated rows=" + decimal(*number("last") + 1));
    if (part.mistake == "position-collapse" && number("position") == 0.0)
        names.push_back("not-rotated");
    if (part.mistake == "position-offset" || part.mistake == "pair-layout")
        names.push_back("scores unchanged where q and k share it");
    if (part.mistake == "direction") names.push_back("the two lanes of every pair exchanged");
    return names;
}

// One row of a diagnosis for each mistake of the first replay.
std::vector<Explanation> explain(const std::vector<Replay>& replays,
                                 const std::vector<Reading>& all, const FrequencyList& list,
                                 const Spec& asked) {
    const Replay& best = replays.front();
    std::vector<Explanation> explanations;
    const bool narrow = best.reading->samples.narrow.has_value();
    const double after = full_misfit(best, true);
    std::vector<Part> parts = best.parts();
    const auto others = undone(best, all, list);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool of_table =
            parts[k].mistake == "table-precision" && narrow && k + 1 == parts.size();
        rename_scale(parts[k], asked);
        Explanation one;
        one.mistake = parts[k].mistake;
        one.parameters = parts[k].parameters;
        one.what = parts[k].what;
        one.before = full_misfit(others[k].second, !of_table);
        one.after = after;
        one.equivalent = equivalents(parts[k], asked);
        one.advice = find_mistake(one.mistake).advice;
        const auto at = std::upper_bound(
            explanations.begin(), explanations.end(), one,
            [](const Explanation& a, const Explanation& b) { return a.before > b.before; });
        explanations.insert(at, std::move(one));
    }
    // a table within the finer format's allowance all the same needs no explanation
    std::erase_if(explanations, [](const Explanation& one) { return one.before <= 1; });
    for (Explanation& one : explanations)
        for (const Explanation& other : explanations)
            if (&one != &other) one.together.push_back(other.mistake);
    if (explanations.size() == 1)
        for (std::size_t r = 1; r < replays.size() && explanations[0].equivalent.size() < 5; ++r) {
            const std::vector<Part> others_parts = replays[r].parts();
            if (others_parts.empty()) continue;
            const std::string name = name_of(others_parts.front());
            auto& names = explanations[0].equivalent;
            if (name != name_of(parts.front()) &&
                std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
        }
    return explanations;
}

// ---- rows and pairs that no rotation made -------------------------------------------------------

Explanation of(Part part, double before, double after, std::vector<std::string> equivalent = {}) {
    Explanation one;
    one.advice = find_mistake(part.mistake).advice;
    one.mistake = std::move(part.mistake);
    one.parameters = std::move(part.parameters);
    one.what = std::move(part.what);
    one.before = before;
    one.after = after;
    one.equivalent = std::move(equivalent);
    return one;
}

bool is_identity(const Samples& samples) {
    bool moved = false;
    for (std::size_t row = 0; row < samples.rows(); ++row)
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const std::size_t k = row * samples.pairs + i;
            if (samples.angle[k] != 0 || !(std::abs(samples.modulus[k] - 1) <= samples.storage))
                return false;
            moved = moved || samples.positions[0][row] != 0;
        }
    return moved;
}

bool leaves_every_lane(const Dump& dump) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr) return true;
    const std::uint64_t lanes = vectors->before.size() / vectors->positions.size();
    for (const std::size_t row : telling_rows(vectors->positions, true, {}))
        for (std::uint64_t lane = 0; lane < lanes; ++lane)
            if (vectors->before.at(row, lane) != vectors->after.at(row, lane)) return false;
    return true;
}

// No rounding moves a norm as far, not even to 8 bits.
constexpr double rounded_norm = 1.0 / 16;

struct Damage {
    std::size_t rows = 0;  // that are right, from the first
    bool zero = true;      // all others are zero
    bool finite = true;
    bool rounded = true;  // all others keep their norms but for a rounding
    double after = 0;
};

// Right up to some row and by no rule after it.
std::optional<Damage> damage(const Samples& samples, const Hypothesis& hypothesis) {
    Damage found;
    while (found.rows < samples.rows() && misfit(samples, hypothesis, 1, found.rows + 1) <= 1)
        ++found.rows;
    // one row alone, such as position 0's, is right by many rules
    if (found.rows < 2 || found.rows == samples.rows()) return std::nullopt;
    for (std::size_t k = found.rows * samples.pairs; k < samples.modulus.size(); ++k) {
        found.zero = found.zero && samples.modulus[k] == 0;
        found.finite = found.finite && std::isfinite(samples.modulus[k]);
        found.rounded = found.rounded &&
                        std::abs(samples.modulus[k] / hypothesis.amplitude - 1) <= rounded_norm;
    }
    found.after = misfit(samples, hypothesis, 1, found.rows);
    return found;
}

std::uint64_t count_not_finite(const Samples& samples) {
    return static_cast<std::uint64_t>(
        std::count_if(samples.modulus.begin(), samples.modulus.end(),
                      [](double modulus) { return !std::isfinite(modulus); }));
}

double asked_misfit(const Reading& reading) {
    const Frequencies plan = frequencies_of(reading.asked);
    return misfit(reading.samples, {plan.theta, plan.angle_k, reading.axis, plan.amplitude},
                  infinity);
}

Explanation not_rotated(const Reading& reading) {
    return of({"not-rotated", {}, "no row is turned: cos is 1 and sin is 0 at every position"},
              asked_misfit(reading), 0,
              {"position-collapse position=0", "uninitialised inv_freq=0"});
}

std::optional<Explanation> explain_damage(const Reading& reading) {
    const Samples& samples = reading.samples;
    Hypothesis hypothesis{frequencies_of(reading.asked).theta,
                          frequencies_of(reading.asked).angle_k, reading.axis,
                          frequencies_of(reading.asked).amplitude};
    if (samples.narrow) hypothesis.rounding.table = *samples.narrow;
    const double before = misfit(samples, hypothesis, infinity);
    if (const auto found = damage(samples, hypothesis)) {
        const auto from = static_cast<std::uint64_t>(samples.positions[0][found->rows]);
        const std::string since = "from position " + decimal(from) + " on";
        if (found->zero)
            return of({"table-truncated", {{"rows", from}}, "rows are right, and zero " + since},
                      before, found->after, {"uninitialised from=" + decimal(from)});
        if (!found->finite || !found->rounded)
            return of({"uninitialised",
                       {{"from", from}},
                       "rows are right, and no rotation of any angle " + since},
                      before, found->after, {"table-truncated rows=" + decimal(from)});
    }
    if (const std::uint64_t lost = count_not_finite(samples))
        return of({"uninitialised",
                   {{"not_finite", lost}},
                   decimal(lost) + " of " + decimal(std::uint64_t{samples.modulus.size()}) +
                       " values looked at are no finite numbers"},
                  before, before);
    return std::nullopt;
}

std::string amplitude_fact(const Samples& samples) {
    double low = infinity, high = 0;
    for (const double modulus : samples.modulus) {
        low = std::min(low, modulus);
        high = std::max(high, modulus);
    }
    return keeps_norms(samples)
               ? "every pair keeps its norm times " +
                     decimal(few_digits(own_amplitude(samples), 1e-4))
               : "norms of pairs are multiplied by " + decimal(few_digits(low, 1e-3)) + " to " +
                     decimal(few_digits(high, 1e-3)) + ": this is no rotation of these pairs";
}

std::vector<std::string> facts(const Reading& reading) {
    std::vector<std::string> known{amplitude_fact(reading.samples)};
    const std::vector<OwnLine> lines = own_lines(reading.samples, Turn::right);
    if (lines.empty()) return known;
    std::size_t even = 0;
    for (const OwnLine& line : lines) even += line.rows == reading.samples.rows() ? 1 : 0;
    known.push_back(decimal(std::uint64_t{even}) + " of " + decimal(std::uint64_t{lines.size()}) +
                    " pairs turn evenly with the position");
    if (even == lines.size()) {
        const PowerLaw law = fit_power_law(lines, lines.size(), true);
        known.push_back("the nearest power law is θ_i = " + decimal(few_digits(law.scale, 1e-4)) +
                        "·" + decimal(few_digits(law.base, 1e-4)) + "^(−2i/d)");
    }
    return known;
}

}  // namespace

Diagnosis diagnose(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    const std::vector<Reading> all = readings(asked, dump, judgement);
    Diagnosis diagnosis;
    if (all.empty()) {
        diagnosis.facts = {"no Spec of this shape could have made it"};
        return diagnosis;
    }
    const auto usual = [](const Reading& reading, const std::vector<OwnLine>& lines) {
        std::vector<Frequencies> list = usual_frequencies(reading.asked);
        for (Frequencies& one : fitted_frequencies(reading.asked, lines))
            list.push_back(std::move(one));
        return list;
    };
    const auto unusual = [](const Reading& reading, const std::vector<OwnLine>&) {
        std::vector<Frequencies> list = unusual_frequencies(reading.asked);
        list.insert(list.begin(), frequencies_of(reading.asked));
        return list;
    };
    if (is_identity(all.front().samples) && leaves_every_lane(dump)) {
        diagnosis.explanations.push_back(not_rotated(all.front()));
        return diagnosis;
    }
    std::vector<Replay> replays = search(all, usual, most_mistakes);
    const bool by_no_rule = !replays.empty() && !replays.front().frequencies.spec;
    if (replays.empty() || replays.front().cost > 1) {
        std::vector<Replay> others = search(all, unusual, replays.empty() ? 2 : 1);
        if (!others.empty()) replays = std::move(others);
    }
    if (replays.empty())
        if (auto mixed = explain_lanes(asked, dump, asked_misfit(all.front()))) {
            diagnosis.explanations.push_back(std::move(*mixed));
            return diagnosis;
        }
    if (replays.empty() || by_no_rule)
        if (auto damaged = explain_damage(all.front())) {
            diagnosis.explanations.push_back(std::move(*damaged));
            return diagnosis;
        }
    if (replays.empty()) {
        diagnosis.facts = facts(all.front());
        return diagnosis;
    }
    diagnosis.explanations = explain(replays, all, usual, asked);
    return diagnosis;
}

}  // namespace rope
