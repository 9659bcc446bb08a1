#include "rope/diagnose/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "rope/changes/cleared.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

NamedMistake named_orientation(Orientation turn) {
    switch (turn) {
        case Orientation::reversed:
            return named("direction");
        case Orientation::swapped:
            return named("cos-sin-swapped");
        case Orientation::opposite:
            return named("sign", {{"negated", "cos and sin"}});
        case Orientation::mirrored:
            return named("sign", {{"negated", "cos"}});
        default:
            return named("cos-sin-swapped", {{"sign", "negated"}});
    }
}

// The orientation that gives `turn` when applied twice: (i·e^{−iφ})² = −e^{−2iφ}; i·e^{±2iφ} has
// none.
std::optional<Orientation> square_root(Orientation turn) {
    if (quarters_of(turn) % 2 != 0) return std::nullopt;
    return static_cast<Orientation>(quarters_of(turn) + (is_reversed(turn) ? 1 : 0));
}

// The relative rounding of vectors that rotate as a whole: a scale of others changes dimensions
// that do not rotate, too.
std::optional<double> of_whole_vectors(const DumpView& view) {
    const bool are_whole = view.arrangement && view.asked.rotary_dim == view.asked.head_dim;
    return are_whole ? std::optional(view.samples.storage) : std::nullopt;
}

RowErrors on_rows(const Combination& combined, const DumpPart& part) {
    return row_errors(*combined.view, part, combined.hypothesis());
}

// Finds the first position that is shifted or not rotated, which may lie between two sampled rows.
void find_switch(Combination& combined, const DumpPart& part) {
    const PositionMap map = combined.map();
    if (map.kind != PositionMap::Kind::switched) return;
    Combination plain = combined;
    plain.positions.clear();
    RowErrors rows = on_rows(plain, part);
    RowsOfSwitch places{.from = map.from, .last = combined.view->samples.positions[0].back()};
    const auto for_each_place = [&](const auto& visit) {
        every_row(part, [&](std::size_t row) {
            visit(place_of(combined.view->samples, part.rows, row, 0), row);
            return true;
        });
    };
    for_each_place([&](double m, std::size_t row) {
        if (m < places.from && !(rows.error_within(row) <= 1)) places.from = m;
    });
    for_each_place([&](double m, std::size_t) {
        if (m < places.from) places.before = std::max(places.before, m);
    });
    combined.positions = {switched_at(*combined.everywhere(), places)};
}

double worst_row(RowErrors rows, const DumpPart& part) {
    double worst = 0;
    for (const GroupErrors& errors : rows.sweep(part.groups, 0, part.threads)) {
        worst = std::max(worst, errors.worst);
        for (const std::size_t row : errors.first) worst = std::max(worst, rows.error(row));
    }
    return worst;
}

}  // namespace

int Combination::cost_of_positions() const {
    int sum = 0;
    for (const PositionRule& rule : positions) sum += rule.cost;
    return sum;
}

std::optional<double> Combination::scale() const {
    if (everywhere() && everywhere()->mistake == "position-scale") return map().scale;
    if (frequencies.mistake != "position-scale") return std::nullopt;
    return std::get<double>(frequencies.parameters.front().second);
}

bool Combination::is_composed() const {
    if (!frequencies.are_twice()) return true;
    // the square of a 16-bit table is no 16-bit table, and 2m + 1 is not twice a whole position
    const bool is_square = !view->samples.narrow && !view->samples.is_of_narrow_table;
    const bool is_whole = map().offset == std::round(map().offset);
    return square_root(turn) && is_square && is_whole;
}

Hypothesis Combination::hypothesis() const {
    Hypothesis all = by_frequencies(*view, frequencies);
    all.amplitude = amplitude;
    all.turn = turn;
    all.position = map();
    if (!positions.empty() && !everywhere()) all.places = places_by(positions, all.axis);
    if (rounding) all.rounding = *rounding;
    if (view->samples.narrow) all.rounding.table = *view->samples.narrow;
    return all;
}

std::vector<NamedMistake> Combination::mistakes() const {
    std::vector<NamedMistake> all = view->mistakes;
    const bool twice = frequencies.are_twice();
    const Orientation each = twice ? square_root(turn).value_or(turn) : turn;
    if (each != Orientation::right) all.push_back(named_orientation(each));
    if (!frequencies.mistake.empty()) all.push_back(frequencies);
    for (const Frequencies::Further& one : frequencies.also) all.push_back(one.mistake);
    all.insert(all.end(), positions.begin(), positions.end());
    if (fitted_amplitude) {
        const double own = twice ? std::sqrt(amplitude) : amplitude;
        const double right = twice ? std::sqrt(frequencies.amplitude) : frequencies.amplitude;
        all.push_back(named_amplitude(own, right, view->asked, of_whole_vectors(*view)));
    }
    if (rounding) all.push_back(named_rounding(*rounding));
    if (view->samples.narrow && !(rounding && rounding->cuts_table())) {
        const auto text = [](Format format) { return std::string(to_string(format)); };
        all.push_back(named("table-precision", {{"format", text(*view->samples.narrow)}},
                            {{"stored", text(view->samples.format)}}));
    }
    return all;
}

std::span<const Rounding> wrong_roundings() {
    using enum Format;
    constexpr RoundingMode away = RoundingMode::nearest_away, cut = RoundingMode::toward_zero;
    // clang-format off
    static constexpr Rounding table[] = {
        {.inv_freq = bfloat16}, {.inv_freq = float16}, {.product = bfloat16}, {.product = float16},
        {.position = bfloat16}, {.position = float16}, {.inv_freq = tf32, .position = tf32}, {.inv_freq = tf32},
        {float16, float16, float16}, {bfloat16, bfloat16, bfloat16},
        {.inv_freq = bfloat16, .position = bfloat16}, {.inv_freq = float16, .position = float16},
        {.inv_freq = bfloat16, .product = bfloat16}, {.inv_freq = float16, .product = float16}, {.position = bfloat16, .product = bfloat16},
        {.inv_freq = tf32, .position = tf32, .mode = cut}, {.inv_freq = tf32, .position = tf32, .mode = away},
        {.inv_freq = bfloat16, .mode = cut}, {.product = bfloat16, .mode = cut}, {.position = bfloat16, .mode = cut},
        {.inv_freq = bfloat16, .position = bfloat16, .mode = cut}, {.table = bfloat16, .mode = cut}, {.table = float16, .mode = cut},
        {.method = Rounding::Method::accumulated}, {.method = Rounding::Method::recurrence}};
    // clang-format on
    return table;
}

bool is_stepped(const Combination& combined) {
    return combined.rounding && combined.rounding->method != Rounding::Method::product;
}

std::vector<GroupErrors> sweep_of(const Combination& combined, const DumpPart& part,
                                  const std::vector<std::size_t>& groups) {
    return on_rows(combined, part).sweep(groups, 0, part.threads);
}

FrequencyPlan plan_of(const Hypothesis& hypothesis) {
    FrequencyPlan plan;
    for (const double theta : hypothesis.theta)
        plan.pairs.push_back({BigReal(theta, exact_precision), {}});
    plan.set_amplitude(BigReal(hypothesis.amplitude, exact_precision));
    return plan;
}

// Whether the slow pairs contradict frequencies and positions that every value is near. Values from
// which another mistake was removed, or of a rounded table, have further roundings.
bool turns_otherwise(const Combination& combined, const DumpPart& part) {
    const Hypothesis hypothesis = combined.hypothesis();
    if (!part.mistakes.empty() || combined.rounding || combined.view->samples.narrow ||
        combined.turn != Orientation::right ||
        hypothesis.theta.size() != combined.view->asked.pairs() ||
        std::ranges::any_of(hypothesis.theta, [](double theta) { return !(theta >= 0); }))
        return false;
    const RowErrors at = row_errors(*combined.view, part, hypothesis);
    return !turn_at(
        *combined.view, part, plan_of(hypothesis), [&](std::size_t row, std::uint32_t axis) {
            const bool is_known = hypothesis.places.empty() || axis < hypothesis.places.size();
            if (!is_known) return part.rows.position(row, axis);
            const PositionMap& map =
                hypothesis.places.empty() ? hypothesis.position : hypothesis.places[axis].map;
            return map(at.given(row, axis));
        });
}

bool explains_all(Combination& combined, const DumpPart& part) {
    if (is_stepped(combined)) return true;  // only the samples are compared
    find_switch(combined, part);
    for (const GroupErrors& errors : sweep_of(combined, part, part.groups)) {
        if (errors.wrong > 0) return false;
        combined.after = std::max(combined.after, errors.worst);
    }
    return !turns_otherwise(combined, part);
}

double worst_of_all(const Combination& combined, const DumpPart& part) {
    return is_stepped(combined) ? 0 : worst_row(on_rows(combined, part), part);
}

double error_as_asked(const DumpView& asked, const DumpPart& part) {
    if (!asked.mistakes.empty()) return HUGE_VAL;
    const Hypothesis hypothesis = as_asked(asked);
    return std::max(misfit(asked.samples, hypothesis, HUGE_VAL),
                    worst_row(row_errors(asked, part, hypothesis), part));
}

namespace {

// Whether positions are multiplied, or shifted by a fraction.
bool is_scaled_on(const Combination& combined) {
    const double offset = combined.map().offset;
    return offset != std::round(offset) ||
           std::ranges::count(combined.positions, "position-scale", &PositionRule::mistake) > 0;
}

bool is_one_place(const PositionMap& map) { return map(0) == map(1) && map(0) == map(0x1p20); }

// Whether the mistakes of these frequencies multiply the asked θ, also by 1.
bool are_scaled(const Frequencies& frequencies, const std::vector<double>& asked) {
    const double scale = frequencies.theta[0] / asked[0];
    return !frequencies.mistake.empty() &&
           std::ranges::equal(frequencies.theta, asked, [&](double own, double wanted) {
               return std::abs(own - scale * wanted) <= 1e-12 * own;
           });
}

// Whether mistakes of frequencies and positions cancel: every row has the asked angle (it fits only
// because its tolerance is larger), or a rule turns another source's positions into position_ids.
bool is_as_asked(const Combination& combined, const std::vector<double>& asked) {
    const Samples& samples = combined.view->samples;
    const std::vector<double>& theta = combined.frequencies.theta;
    if (combined.frequencies.mistake.empty() && samples.ids.empty()) return false;
    if (samples.positions.size() > 1) return false;
    const PositionMap map = combined.map();
    const std::vector<double>& places = samples.positions[0];
    const std::vector<double>& ids = samples.ids.empty() ? places : samples.ids;
    const auto is_id = [&](double place, double id) { return map(place) == id; };
    if (!samples.ids.empty() && std::ranges::equal(places, ids, is_id)) return true;
    return std::ranges::equal(places, ids, [&](double place, double id) {
        return std::ranges::equal(theta, asked, [&](double own, double wanted) {
            return std::abs(map(place) * own - id * wanted) <= 1e-9 * std::abs(id * wanted);
        });
    });
}

// Whether a rounding moves the only position of all rows, on every axis, by 1, as an offset does.
bool is_one_step(const Combination& one) {
    const auto& on_axes = one.view->samples.positions;
    if (one.rounding == nullptr || on_axes[0].empty()) return false;
    const double place = on_axes[0][0];
    for (const std::vector<double>& places : on_axes)
        if (std::ranges::count(places, place) < std::ssize(places)) return false;
    return std::abs(round_to(one.rounding->position, place, one.rounding->mode) - place) == 1;
}

// By cost, then by the cost of position rules. An offset by 1 is likelier than a rounding that does
// the same.
std::pair<int, int> rank(const Combination& one) {
    return {one.cost, is_one_step(one) ? 2 : one.cost_of_positions()};
}

// Whether another combination of as many mistakes is barely within tolerance, and this one well
// within.
bool is_clearly_nearer(const Combination& one, const Combination& other) {
    constexpr double barely = 0.75;
    return rank(one) == rank(other) && other.after > barely && one.after < other.after / 2;
}

// Whether the samples cannot refute the combination: float32 rounding permits any angle of all
// pairs, or of pairs on which the asked frequencies could be refuted. Another parameter of the
// asked scaling may show in its attention factor only.
bool is_chance(const Combination& combined, const std::vector<double>& asked_theta,
               double asked_amplitude) {
    const Hypothesis own = combined.hypothesis();
    const Samples& samples = combined.view->samples;
    if (!predicts_enough(samples, own)) return true;
    if (combined.frequencies.mistake.empty()) return false;
    if (combined.frequencies.mistake == "scaling-parameter" && !combined.fitted_amplitude &&
        std::abs(combined.amplitude / asked_amplitude - 1) > samples.rounding())
        return false;
    Hypothesis asked = own;
    asked.theta = asked_theta;
    return asked.theta.size() == own.theta.size() && !predicts_as_much(samples, own, asked);
}

// Whether the combination is better than the Spec only because it permits larger errors. Inaccurate
// large angles fit a factor of positions within a few roundings of 1 by chance, or any factor and
// an offset: these must be better by far.
bool is_only_wider(const Combination& combined) {
    constexpr double nearest = 0x1p-20, least_gain = 8;
    const PositionMap map = combined.map();
    const double from_one = std::abs(combined.scale().value_or(1) - 1);
    const bool has_offset = map.kind == PositionMap::Kind::affine && map.offset != 0;
    const double times = from_one != 0 && (from_one < nearest || has_offset)
                             ? std::max(1.0, least_gain * combined.after)
                             : 1;
    const Samples& samples = combined.view->samples;
    const Hypothesis asked = as_asked(*combined.view);
    Hypothesis own = combined.hypothesis();
    own.rounding = asked.rounding;  // a rounding is a mistake by itself
    return own.theta.size() == asked.theta.size() && fits_within(samples, asked, own, times) &&
           !(misfit(samples, asked, 1) <= 1);
}

// Whether a pair that the combination leaves at angle 0 in all rows, and the Spec does not, turns
// one way in nearly all rows that change it: a slow pair moves 16-bit values by less than their
// tolerance.
bool turns_still_pairs(const Combination& combined, const std::vector<double>& asked_theta) {
    constexpr std::size_t least_rows = 8, times = 8;
    const Samples& samples = combined.view->samples;
    const Hypothesis own = combined.hypothesis();
    if (own.theta.size() != samples.pairs || asked_theta.size() != samples.pairs) return false;
    const auto turns = [&](std::uint32_t pair) {
        std::size_t forward = 0, backward = 0;
        bool is_asked = false;
        for (std::size_t row = 0; row < samples.rows(); ++row) {
            const double position = own.given(samples, row, pair);
            if (own.theta[pair] * own.map_of(pair)(position) != 0) return false;
            is_asked = is_asked || position != 0;
            const std::size_t k = row * samples.pairs + pair;
            if (Samples::is_left_out(samples.modulus[k])) continue;
            forward += samples.angle[k] > 1e-9 ? 1 : 0;
            backward += samples.angle[k] < -1e-9 ? 1 : 0;
        }
        const auto [less, more] = std::minmax(forward, backward);
        return is_asked && more >= least_rows && more >= times * less;
    };
    for (std::uint32_t pair = 0; pair < samples.pairs; ++pair)
        if (asked_theta[pair] != 0 && turns(pair)) return true;
    return false;
}

constexpr Orientation turns[] = {Orientation::right,    Orientation::reversed,
                                 Orientation::swapped,  Orientation::rotated,
                                 Orientation::opposite, Orientation::mirrored};

class Search {
  public:
    Search(const DumpView& first, const FrequencyList& list, int most, const Verify& verify,
           bool with_both)
        : first_(first), list_(list), least_(most), verify_(verify), with_both_(with_both) {}

    void look_at(const DumpView& view) {
        const Samples& samples = view.samples;
        if (!is_worth(cost_of(view, Orientation::right)) ||
            !view.leaves_other_dimensions_unchanged || !keeps_norms(samples))
            return;
        amplitude_ = fitted_amplitude(samples);
        const Frequencies asked = frequencies_of(view.asked);
        asked_amplitude_ = asked.amplitude;
        asked_theta_ = asked.theta;
        std::optional<PhaseLines> fitted;
        for (const Orientation turn : turns) {
            if (!is_worth(cost_of(view, turn))) continue;
            const auto lines = [&] {
                if (!fitted) fitted = lines_of(view);
                return nearest_to(asked_theta_, oriented(*fitted, turn, samples));
            };
            for (Frequencies& one : list_(view, lines)) {
                Combination combined = of(view, turn, std::move(one));
                if (combined.is_composed() && settle_amplitude(combined))
                    try_positions(std::move(combined));
            }
        }
    }

    // Verified combinations first; see search().
    std::vector<Combination> found() && {
        std::erase_if(found_, [&](const Combination& combined) { return combined.cost > least_; });
        return std::move(found_);
    }

  private:
    bool is_worth(int cost) const { return cost <= least_; }

    static PhaseLines lines_of(const DumpView& view) {
        const Samples& samples = view.samples;
        if (samples.positions.size() > 1) return fit_lines_on_axes(samples, view.axis);
        return fit_phase_lines(samples);
    }

    static Combination of(const DumpView& view, Orientation turn, Frequencies&& frequencies) {
        Combination combined;
        combined.view = &view;
        combined.turn = turn;
        combined.cost = cost_of(view, turn) + frequencies.cost;
        combined.frequencies = std::move(frequencies);
        return combined;
    }

    static int cost_of(const DumpView& view, Orientation turn) {
        return static_cast<int>(view.mistakes.size()) + (turn == Orientation::right ? 0 : 1);
    }

    // Sets the amplitude: the asked one, the frequencies', or a mistake. Returns whether the
    // combination is still worth its cost.
    bool settle_amplitude(Combination& combined) const {
        const Samples& samples = combined.view->samples;
        const auto is_own = [&](double amplitude) {
            return std::abs(amplitude_.value / amplitude - 1) <= samples.rounding();
        };
        combined.amplitude =
            is_own(asked_amplitude_) ? asked_amplitude_ : combined.frequencies.amplitude;
        if (!is_own(combined.amplitude)) {
            // applied twice, left out or inverted; the mean may be off, as the rounding errors of
            // slow pairs are equal
            const double usual[] = {asked_amplitude_ * asked_amplitude_, 1, 1 / asked_amplitude_};
            const auto* const found = std::ranges::find_if(usual, is_own);
            combined.amplitude = found != std::end(usual)
                                     ? few_digits(*found, 1e-8)
                                     : few_digits(amplitude_.value, amplitude_.error);
            combined.fitted_amplitude = true;
            ++combined.cost;
        }
        return is_worth(combined.cost);
    }

    void try_positions(Combination combined) {
        if (accept(combined)) return;
        if (!is_worth(++combined.cost)) return;
        const Samples& samples = combined.view->samples;
        const bool is_scaled = are_scaled(combined.frequencies, asked_theta_);
        for_each_rule(combined, combined.cost - 1, samples, combined.hypothesis(),
                      [&](Combination& other) {
                          // a scale of a scale is one scale, and 2·(m − 1/2) is 2m − 1
                          if (!(is_scaled && is_scaled_on(other))) accept(other);
                      });
        try_roundings(combined, misfit(samples, combined.hypothesis(), 2));
        if (with_both_ && is_worth(combined.cost + 1)) {
            try_rounded_positions(combined);
            if (combined.frequencies.theta == asked_theta_) try_rounded_angles(combined);
        }
    }

    // A truncated table consists of its format's numbers; it is not tried for rotated vectors,
    // which are rounded once more.
    static bool may_be_rounded(const DumpView& view, const Rounding& rounding) {
        const Samples& samples = view.samples;
        return !rounding.cuts_table() ||
               (!view.arrangement && samples.narrow.value_or(samples.format) == rounding.table);
    }

    // A rounding permits several angles, which may absorb a small error of something else. It is
    // accepted only if it halves the error.
    void try_roundings(const Combination& combined, double before) {
        for (const Rounding& rounding : wrong_roundings()) {
            Combination other = combined;
            other.rounding = &rounding;
            if (before > 2 || rounding.cuts_table() ||
                misfit(combined.view->samples, other.hypothesis(), before / 2) <= before / 2)
                accept(other);
        }
    }

    // Visits the combination with each rule for its positions whose total cost is not above the
    // least so far.
    template <class Visit>
    void for_each_rule(const Combination& combined, int cost, const Samples& samples,
                       const Hypothesis& hypothesis, const Visit& visit) {
        const auto is_worth_more = [&](int more) { return is_worth(cost + more); };
        for (PositionRules& rules :
             position_rules(*combined.view, samples, hypothesis, is_worth_more)) {
            Combination other = combined;
            other.positions = std::move(rules);
            other.cost = cost + other.cost_of_positions();
            if (is_worth(other.cost)) visit(other);
        }
    }

    // inv_freq rounded, and positions that fit the rounded frequencies
    void try_rounded_positions(const Combination& combined) {
        for (const Rounding& rounding : wrong_roundings()) {
            if (rounding != Rounding{.inv_freq = rounding.inv_freq, .mode = rounding.mode})
                continue;
            Hypothesis hypothesis = combined.hypothesis();
            for (double& theta : hypothesis.theta)
                theta = round_to(rounding.inv_freq, theta, rounding.mode);
            for_each_rule(combined, combined.cost, combined.view->samples, hypothesis,
                          [&](Combination& other) {
                              other.rounding = &rounding;
                              accept(other);
                          });
        }
    }

    // Angles or positions of 16 bits, and a rule with whole numbers: the rows' positions are known
    // only up to such a rounding.
    void try_rounded_angles(const Combination& combined) {
        Samples loose = combined.view->samples;
        for (const double rounding : {0x1p-8, 0x1p-11}) {
            Hypothesis hypothesis = combined.hypothesis();
            loose.largest_k = rounding * 0x1p24;
            hypothesis.angle_k.assign(loose.pairs, loose.largest_k);
            if (!predicts_enough(loose, hypothesis)) continue;
            for_each_rule(combined, combined.cost, loose, hypothesis, [&](Combination& other) {
                const PositionMap map = other.map();
                if (map.scale != std::round(map.scale) || map.offset != std::round(map.offset))
                    return;
                for (const Rounding& one : wrong_roundings()) {
                    other.rounding = &one;
                    accept(other);
                }
            });
        }
    }

    // Whether other frequencies undo another map of axes: the pairs have the asked frequencies.
    bool is_undone(const Combination& combined) const {
        return !combined.frequencies.mistake.empty() &&
               combined.view->asked.axes != first_.asked.axes &&
               combined.frequencies.theta == frequencies_of(first_.asked).theta;
    }

    // Whether one position for all rows is multiplied, which is another position.
    bool is_scaled_place(const Combination& combined) const {
        return is_one_place(combined.map()) && are_scaled(combined.frequencies, asked_theta_) &&
               combined.frequencies.theta != asked_theta_;
    }

    bool accept(Combination& combined) {
        if (combined.rounding && !may_be_rounded(*combined.view, *combined.rounding)) return false;
        return !is_scaled_place(combined) && !is_undone(combined) && combined.is_composed() &&
               !is_as_asked(combined, asked_theta_) && add(combined);
    }

    // Adds the combination if it explains its samples, and if these could refute it.
    bool add(Combination& combined) {
        combined.after = misfit(combined.view->samples, combined.hypothesis(), 1);
        if (!(combined.after <= 1) || is_chance(combined, asked_theta_, asked_amplitude_) ||
            is_only_wider(combined) || turns_still_pairs(combined, asked_theta_))
            return false;
        const bool is_open = std::ranges::none_of(found_, [&](const Combination& one) {
            return one.verified && rank(one) <= rank(combined) && !is_clearly_nearer(combined, one);
        });
        if (verify_ && is_open && !verify_(combined)) return false;
        combined.verified = is_open;
        least_ = std::min(least_, combined.cost);
        const auto order = [](const Combination& one) {
            return std::tuple(!one.verified, rank(one));
        };
        auto at = std::ranges::upper_bound(found_, order(combined), {}, order);
        while (at != found_.begin() && at[-1].verified == combined.verified &&
               is_clearly_nearer(combined, at[-1]))
            --at;
        found_.insert(at, combined);
        return true;
    }

    const DumpView& first_;  // as asked
    const FrequencyList& list_;
    int least_;  // cost of the combinations found, else the largest that is looked for
    const Verify& verify_;
    bool with_both_;
    Amplitude amplitude_;
    double asked_amplitude_ = 1;
    std::vector<double> asked_theta_;
    std::vector<Combination> found_ = {};
};

}  // namespace

std::vector<Combination> search(std::span<const DumpView> views, const FrequencyList& list,
                                int most, const Verify& verify, bool with_both) {
    if (views.empty()) return {};
    Search all(views.front(), list, most, verify, with_both);
    for (const bool has_copies : {true, false})
        for (const DumpView& view : views)
            if (view.has_duplicate_columns == has_copies) all.look_at(view);
    return std::move(all).found();
}

}  // namespace rope
