// Article 001, §4: the doubt, Figures 1 and 2 (the angle between two tokens, modulo a turn), and
// the proposal.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"

namespace rope::ledger {
namespace {

BigReal modulo_turn(const BigReal& angle) {
    const BigReal turn = exact_pi() * 2.0;
    return angle - whole_below(angle / turn) * turn;
}

void derive_figure_1(Derivation& d) {
    const BigReal six = d.number(modulo_turn(real(6))), seven = d.number(modulo_turn(real(7)));
    d.conclude(seven < six);
}

void derive_figure_2(Derivation& d) {
    const FrequencyPlan scaled = scaled_rope();
    d.number(scaled.pairs.front().inv_freq * 2048.0);
    const auto first = first_violation(scaled, PairQuantity::angle, std::uint64_t{4} * 8192);
    const double at = d.number(first->distance);
    d.conclude(at == 8192);
    const BigReal none = d.number(1.0 - mean_score(scaled, 0));
    const BigReal one = d.number(1.0 - mean_score(scaled, 1));
    d.conclude(one > none);
}

void derive_difference(Derivation& d) {
    const BigReal right = d.number(real(-6));
    const BigReal written = d.number(6.0 * pow(real(1e4), real(-1) / 128.0));
    d.conclude(absolute(right) == real(6) && absolute(written - 6.0) > real(0.1));
}

void derive_changed_equation(Derivation& d) {
    const BigReal scale = d.number(exact_pi() / 4096.0);
    d.number(exact_pi() / 6000.0);
    d.number(exact_pi() / 8192.0);
    d.conclude(scale < real(1));
}

// Article 001, §4: what scaling θ by π/(2n) costs the scores. d = 128, base 10000, n = 2048.

void derive_frequencies(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.number(base.pairs.front().inv_freq);
    d.number(scaled.pairs.front().inv_freq);
    d.number(base.pairs.back().inv_freq);
    const BigReal last = d.number(scaled.pairs.back().inv_freq);
    const BigReal at_end = d.number(last * 2048.0);
    d.conclude(at_end < real(1e-3));
}

void derive_interpolation(Derivation& d) {
    const BigReal f = d.number(4096.0 / exact_pi());
    const BigReal end = d.number(2048.0 / f);
    const BigReal apart =
        absolute(cosine_sum(scaled_rope(), real(700)) - cosine_sum(base_rope(), real(700) / f));
    d.conclude(apart < real(0x1p-290));
    d.conclude(end < real(1.571));
}

void derive_scores(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    BigReal base_end = real(1), scaled_end = real(1);
    for (const unsigned at : {1U, 2U, 7U, 512U, 1024U, 2047U, 2048U, 4096U, 8192U, 16384U}) {
        const BigReal b = d.number(mean_score(base, at));
        const BigReal s = d.number(mean_score(scaled, at));
        if (at == 2048) base_end = b, scaled_end = s;
    }
    d.number(100.0 * (1.0 - base_end));
    const BigReal decay = d.number(100.0 * (1.0 - scaled_end));
    d.conclude(decay < real(7));
}

void derive_neighbours(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b = d.number(1.0 - mean_score(base, 1));
    const BigReal s = d.number(1.0 - mean_score(scaled, 1));
    const BigReal ratio = d.number(nearest_whole(b / s));
    const auto apart = [](const FrequencyPlan& plan) {
        return root(2.0 * (64.0 - cosine_sum(plan, real(1))));
    };
    d.number(apart(base));
    d.number(apart(scaled));
    d.number(sine_sum(base, real(1)) / 64.0);
    d.number(sine_sum(scaled, real(1)) / 64.0);
    d.conclude(ratio > real(1e6));
}

void derive_softmax_cost(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const auto weight = [](const FrequencyPlan& plan, std::uint64_t s) {
        return exponential(root(real(128)) * (1.0 - mean_score(plan, s)));
    };
    d.number(weight(base, 1));
    d.number(weight(scaled, 1));
    const BigReal base_far = d.number(weight(base, 2048));
    const BigReal far = d.number(weight(scaled, 2048));
    const auto needed = [](const FrequencyPlan& plan) {
        return root(real(128)) / (1.0 - cosine(plan.pairs.front().inv_freq));
    };
    const BigReal little = d.number(needed(base)), huge = d.number(needed(scaled));
    d.conclude(huge > 1e6 * little && far < real(3) && base_far > real(1e4));
}

// Article 001, §4: how far the readings of (c3) hold for other lengths and widths.

double first_failure(const FrequencyPlan& plan, PairQuantity quantity, std::uint64_t last) {
    return static_cast<double>(first_violation(plan, quantity, last).value().distance);
}

void derive_lengths(Derivation& d) {
    bool beyond = true, as_said = true;
    for (const unsigned length : {2048U, 3000U, 4096U}) {
        const FrequencyPlan plan = scaled_rope(128, 1e4, length);
        const auto ends = [&](PairQuantity quantity) {
            return d.number(first_failure(plan, quantity, 4 * length + 1));
        };
        const auto n = static_cast<double>(length);
        const double r1 = ends(PairQuantity::angle);
        const double r2 = ends(PairQuantity::cosine);
        const double r3 = ends(PairQuantity::modulus);
        beyond = beyond && r1 > n && r2 > n && r3 > n;
        as_said = as_said && r1 == 4 * n && r2 == 2 * n + 1 && r3 == n + 1;
    }
    d.conclude(beyond);
    d.conclude(as_said);
}

void derive_dimensions(Derivation& d) {
    BigReal before = real(0);
    bool grows = true, ends = true;
    for (const auto& [dim, b] :
         std::initializer_list<std::pair<std::uint32_t, double>>{{2, 1e4},
                                                                 {4, 1e4},
                                                                 {16, 1e4},
                                                                 {32, 1e4},
                                                                 {64, 1e4},
                                                                 {64, 5e5},
                                                                 {96, 1e4},
                                                                 {128, 5e5}}) {
        const FrequencyPlan plan = base_rope(dim, b);
        const BigReal u = d.number(first_minimum(plan));
        d.number(first_rise(plan, 64).value());
        const BigReal contexts = d.number(u * 2.0 / exact_pi());
        ends = ends && contexts > real(1.9999) && contexts < real(4);
        if (b == 1e4) grows = grows && u > before, before = u;
    }
    d.conclude(grows);
    d.conclude(ends);
}

void derive_exact_rises(Derivation& d) {
    const auto rise = [](const FrequencyPlan& plan) {
        return static_cast<double>(first_rise(plan, 40000).value());
    };
    const double n = d.number(rise(scaled_rope(128, 1e4, 4096)));
    const double narrow = d.number(rise(scaled_rope(64, 1e4, 2048)));
    const double large = d.number(rise(scaled_rope(128, 5e5, 8192)));
    d.conclude(n > 4096 && narrow > 2048 && large > 8192);
    d.conclude(n < 4 * 4096 && narrow < 4 * 2048 && large < 4 * 8192);
}

void derive_already_monotone(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const auto within = [&](double n, double half_turns) {
        double count = 0;
        for (const PlannedFrequency& pair : plan.pairs)
            if (!(n * pair.inv_freq > half_turns * exact_pi())) ++count;
        return count;
    };
    const double folded = d.number(within(2048, 1));
    d.number(within(4096, 1));
    d.number(within(2048, 0.5));
    d.number(within(4096, 0.5));
    d.number(64 - within(2048, 2));
    d.number(64 - within(4096, 2));
    d.conclude(folded > 0);
}

void derive_random(Derivation& d) {
    constexpr std::uint64_t draws = 20000;
    const Shares scaled = monotone_shares(scaled_rope(), draws, 2048, 8);
    const Shares base = monotone_shares(base_rope(), draws, 2048, 8);
    const double falling = d.number(100 * scaled.falling);
    const double modulus = d.number(100 * scaled.modulus_falling);
    const double apart = d.number(100 * scaled.growing_apart);
    d.number(100 * std::sqrt(scaled.falling * (1 - scaled.falling) / draws));
    const double none = d.number(100 * (base.falling + base.modulus_falling + base.growing_apart));
    d.conclude(std::abs(falling - 31.8) <= 0.7 && std::abs(modulus - 27.1) <= 0.7 &&
               std::abs(apart - 64.0) <= 0.7 && none == 0);
}

// Article 001, §4: what scaled θ leaves in tables of 16 bits, beyond its context, and at another
// length.

void derive_first_change(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const auto first = [](const FrequencyPlan& plan, Format format) {
        return static_cast<double>(first_cos_below_one(plan, format));
    };
    d.number(first(base, Format::bfloat16));
    const double b = d.number(first(scaled, Format::bfloat16));
    const double h = d.number(first(scaled, Format::float16));
    d.number(first(scaled, Format::float32));
    d.conclude(b > 64 && h > 16);
}

void derive_distinct_rows(Derivation& d) {
    const auto rows = [](std::uint64_t n, Format format) {
        return stored_rows(scaled_rope(128, 1e4, n), n, format);
    };
    const StoredRows own = rows(2048, Format::bfloat16), far = rows(32768, Format::bfloat16);
    const double all = d.number(own.distinct);
    d.number(own.distinct_cos);
    d.conclude(all == 2049);
    d.number(rows(4096, Format::bfloat16).distinct);
    d.number(rows(8192, Format::bfloat16).distinct);
    const double some = d.number(far.distinct);
    d.number(far.equal_neighbours);
    d.number(rows(32768, Format::float16).distinct);
    d.conclude(some < 32769);
}

void derive_total_rotation(Derivation& d) {
    const FrequencyPlan scaled = scaled_rope();
    const auto below = [&](double angle) {
        double count = 0;
        for (const PlannedFrequency& pair : scaled.pairs)
            if (pair.inv_freq * 2048.0 < real(angle)) ++count;
        return count;
    };
    d.number(below(0.1));
    const double dead = d.number(below(0.01));
    const double still = d.number(below(0.002));
    d.number(below(0.001));
    d.conclude(dead > still && still > 0);
}

void derive_beyond(Derivation& d) {
    const FrequencyPlan pair = scaled_rope(2);
    const TurnRate rate = turn_rate(pair.pairs.front());
    const BigReal after = d.number(cosine(pair.pairs.front().inv_freq * 2049.0));
    const double phase = d.number(turns(phase_at(rate, 8192)));
    const BigReal near = d.number(2.0 * absolute(sine(real(355))));
    d.conclude(phase == 0 && after < real(0) && near > real(0));
}

void derive_two_lengths(Derivation& d) {
    const BigReal own = d.number(mean_score(scaled_rope(), 512));
    const BigReal other = d.number(mean_score(scaled_rope(128, 1e4, 4096), 1024));
    d.conclude(absolute(own - other) < real(0x1p-290));
    const BigReal same = d.number(mean_score(scaled_rope(128, 1e4, 4096), 512));
    d.conclude(same > own);
}

void derive_example(Derivation& d) {
    const auto between = [](double s) {  // the angle between the two directions, 0 to π
        const BigReal angle = modulo_turn(real(s)), back = exact_pi() * 2.0 - angle;
        return angle < back ? angle : back;
    };
    const auto row = [&](double s, auto quantity) { return d.number(quantity(s)); };
    const auto score = [](double s) { return cosine(real(s)); };
    const auto change = [](double s) { return 1.0 - cosine(real(s)); };
    const BigReal six = row(6, between), seven = row(7, between);
    const BigReal score_6 = row(6, score), score_7 = row(7, score);
    const BigReal change_6 = row(6, change), change_7 = row(7, change);
    d.conclude(six < seven && score_6 > score_7 && change_6 < change_7);
    const BigReal three = row(3, between), four = row(4, between);
    const BigReal score_3 = row(3, score), score_4 = row(4, score);
    d.conclude(three > four && score_3 < score_4 && between(1) < between(2) && between(2) < three);
}

constexpr Computation computations[] = {
    {"001-angle-difference", derive_difference},
    {"001-changed-equation", derive_changed_equation},
    {"001-figure-1", derive_figure_1},
    {"001-figure-2", derive_figure_2},
    {"001-cost-frequencies", derive_frequencies},
    {"001-cost-interpolation", derive_interpolation},
    {"001-cost-scores", derive_scores},
    {"001-cost-neighbours", derive_neighbours},
    {"001-cost-softmax", derive_softmax_cost},
    {"001-c3-lengths", derive_lengths},
    {"001-c3-R5-dimensions", derive_dimensions},
    {"001-c3-R5-rises", derive_exact_rises},
    {"001-c3-random", derive_random},
    {"001-c3-pairs", derive_already_monotone},
    {"001-cost-first-change", derive_first_change},
    {"001-cost-distinct-rows", derive_distinct_rows},
    {"001-cost-total-rotation", derive_total_rotation},
    {"001-cost-beyond", derive_beyond},
    {"001-cost-two-lengths", derive_two_lengths},
    {"001-example", derive_example},
};

}  // namespace

std::span<const Computation> article_001_scaled() { return computations; }

}  // namespace rope::ledger
