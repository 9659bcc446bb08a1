#include "rope/checks/decay.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/decimal.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/checks/check.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"

namespace rope {

void DecayBlocks::take(std::span<const TurnRate> rates) {
    rates_.assign(rates.begin(), rates.end());
    near_base_cos_.clear();
    base_cos_.resize(rates.size());
    base_sin_.resize(rates.size());
    turn_.resize(rates.size());
    block_cos_.resize(rates.size());
    block_sin_.resize(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) {
        std::array<std::uint64_t, size> turn;
        for (std::size_t s = 0; s < size; ++s)
            turn[s] = static_cast<std::uint64_t>(phase_at(rates[i], s) >> 64);
        kernels().cos_sin_of_turns(size, turn.data(), base_cos_[i].data(), base_sin_[i].data());
    }
}

void DecayBlocks::turn_to(std::uint64_t first) {
    for (std::size_t i = 0; i < rates_.size(); ++i)
        turn_[i] = static_cast<std::uint64_t>(phase_at(rates_[i], first) >> 64);
    kernels().cos_sin_of_turns(turn_.size(), turn_.data(), block_cos_.data(), block_sin_.data());
}

void DecayBlocks::fill(std::uint64_t first, double* mean_cos, double* roformer) {
    turn_to(first);
    kernels().sums->decay(rates_.size(), size, block_cos_.data(), block_sin_.data(),
                          base_cos_.front().data(), base_sin_.front().data(), mean_cos, roformer);
}

void DecayBlocks::fill(std::uint64_t first, float* mean_cos, float* roformer) {
    if (near_base_cos_.empty()) {
        near_base_cos_.assign(base_cos_.front().begin(), base_cos_.back().end());
        near_base_sin_.assign(base_sin_.front().begin(), base_sin_.back().end());
    }
    turn_to(first);
    near_block_cos_.assign(block_cos_.begin(), block_cos_.end());
    near_block_sin_.assign(block_sin_.begin(), block_sin_.end());
    kernels().sums->near_decay(rates_.size(), size, near_block_cos_.data(), near_block_sin_.data(),
                               near_base_cos_.data(), near_base_sin_.data(), mean_cos, roformer);
}

void DecayBlocks::fill_mean_cos(std::uint64_t first, double* mean_cos) {
    turn_to(first);
    kernels().sums->mean_cosines(rates_.size(), block_cos_.data(), block_sin_.data(),
                                 base_cos_.front().data(), base_sin_.front().data(), mean_cos);
}

double DecayBlocks::mean_cos_error() const {
    // P values, and a partial sum of up to P, rounded P times and divided by P
    return cos_sin_error + static_cast<double>(rates_.size()) * 0x1p-53;
}

double DecayBlocks::roformer_error() const {
    // error of |S_j| ≤ j·√2·(cos_sin_error + j·2^-53); the mean over j, and the roundings of the
    // sum
    const double pairs = static_cast<double>(rates_.size());
    return pairs * (cos_sin_error + 2 * pairs * 0x1p-53);
}

// With u = 2^-24 and lengths in the plane: 0.8u for a rounded cosine and sine, 3u for a product, in
// all < 5u; < 5ju + uj²/2 + uj/2 for S_j and < 2ju for its modulus; u·P²/6 for the sum of moduli.
double DecayBlocks::near_roformer_error() const {
    const double pairs = static_cast<double>(rates_.size());
    return (pairs + 1) * (pairs + 16) * 0x1p-25;
}

DecayCurves decay_curves(const FrequencyPlan& plan, std::uint64_t last) {
    DecayBlocks blocks(plan);
    DecayCurves curves;
    const std::uint64_t padded = (last / DecayBlocks::size + 1) * DecayBlocks::size;
    curves.mean_cos.resize(padded);
    curves.roformer.resize(padded);
    for (std::uint64_t s = 0; s < padded; s += DecayBlocks::size)
        blocks.fill(s, &curves.mean_cos[s], &curves.roformer[s]);
    curves.mean_cos.resize(last + 1);
    curves.roformer.resize(last + 1);
    return curves;
}

double equal_score(const Spec& spec, double mean_cos) {
    const double rotating = static_cast<double>(spec.rotary_dim) / spec.head_dim;
    return rotating * mean_cos + (1 - rotating);
}

BigReal cosine_sum(const FrequencyPlan& plan, const BigReal& s) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs) sum = sum + cosine(s * pair.inv_freq);
    return sum;
}

BigReal sum_of_moduli(const FrequencyPlan& plan, const BigReal& s) {
    BigReal sum = real(0), re = real(0), im = real(0), c = real(0), sn = real(0), modulus = real(0);
    for (const PlannedFrequency& pair : plan.pairs) {
        const BigReal angle = s * pair.inv_freq;
        mpfr_sin_cos(sn.raw(), c.raw(), angle.raw(), MPFR_RNDN);
        re = re + c;
        im = im + sn;
        mpfr_hypot(modulus.raw(), re.raw(), im.raw(), MPFR_RNDN);
        sum = sum + modulus;
    }
    return sum;
}

namespace {

// Returns 0 for a tie. P < 2^17 pairs with angles below 2^76, each with a relative error of 2^-310,
// give sums with an error of P²·2^76·2^-310 < 2^-200.
int sign(const BigReal& x) { return absolute(x) < real(0x1p-200) ? 0 : mpfr_sgn(x.raw()); }

// Returns an integer that increases exactly when the pair's quantity advances:
//   angle     the phase
//   cosine    the distance to the nearest whole turn, as cos decreases when it grows
//   modulus   the distance to the nearest half turn, as |cos| decreases when it grows
Phase progress(Phase phase, PairQuantity quantity) {
    if (quantity == PairQuantity::angle) return phase;
    if (quantity == PairQuantity::modulus) {
        const Phase folded = phase & (half_turn - 1);
        return std::min(folded, half_turn - folded);
    }
    return std::min(phase, Phase{0} - phase);
}

// Returns an s up to which every step advances: with P ≤ step < P + 1, s·(P + 1) is within the
// first quarter, half or whole turn, where the quantity increases with the phase.
std::uint64_t surely_advancing(const TurnRate& rate, PairQuantity quantity) {
    Phase step = phase_at(rate, 1), reach = ~Phase{0};
    if (quantity != PairQuantity::angle) {
        step = std::min(step, Phase{0} - step);
        reach = quantity == PairQuantity::cosine ? half_turn : half_turn / 2;
    }
    if (step == 0 || step == ~Phase{0}) return 0;
    constexpr Phase most = std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::min(reach / (step + 1), most));
}

// Returns the first s in (0, last] at which this pair does not advance, or 0.
std::uint64_t first_in_pair(const TurnRate& rate, PairQuantity quantity, std::uint64_t last) {
    const std::uint64_t begin = std::min(surely_advancing(rate, quantity), last);
    Phase before = progress(phase_at(rate, begin), quantity);
    for (std::uint64_t s = begin + 1; s <= last; ++s) {
        const Phase now = progress(phase_at(rate, s), quantity);
        // each phase is rounded to 2^-128 turn: equal ones may differ by one
        if (now <= before || now - before == 1) return s;
        before = now;
    }
    return 0;
}

// Returns the last searched distance: the context, or 8·max_position_embeddings within
// most_searched if that is more.
std::uint64_t search_limit(const Comparison& comparison) {
    const std::uint64_t pairs = std::max(16U, comparison.spec.pairs());
    return std::max(comparison.context(),
                    std::min(8 * comparison.spec.max_position_embeddings, most_searched / pairs));
}

// Returns "-0.653644 at s = 4, after -0.989992 at s = 3".
std::string step_in_words(double before, double at, std::uint64_t s) {
    const auto brief = [](double x) -> std::string {
        char text[40];
        const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, 6);
        return {text, end.ptr};
    };
    return brief(at) + " at s = " + decimal(s) + ", after " + brief(before) +
           " at s = " + decimal(s - 1);
}

// Return a claim's fields: the first s at which something happens, and the last s searched.
Field first_event(const char* event, const std::optional<std::uint64_t>& s) {
    return {std::string("first_") + event, s ? FieldValue(*s) : FieldValue(), FieldRole::event,
            event};
}

Field searched_to(std::uint64_t last) { return {"searched_to", last, FieldRole::domain}; }

double value_of(const TurnRate& rate, PairQuantity quantity, std::uint64_t s) {
    const Phase phase = phase_at(rate, s);
    if (quantity == PairQuantity::angle) return radians(phase);
    const auto turn = static_cast<std::uint64_t>(phase >> 64);
    double c, sn;
    kernels().cos_sin_of_turns(1, &turn, &c, &sn);
    return quantity == PairQuantity::modulus ? std::abs(c) : c;
}

void report(Finding& finding, const Comparison& comparison, const char* reading,
            std::optional<std::uint64_t> first) {
    finding.verdict = first && *first <= comparison.context() ? Verdict::violated : Verdict::holds;
    finding.samples = search_limit(comparison) * comparison.spec.pairs();
    finding.fields.push_back(first_event("violation", first));
    finding.fields.push_back(searched_to(search_limit(comparison)));
    finding.fields.push_back({"reading", std::string(reading), FieldRole::reading});
}

// Returns "pair 0 is past half a turn at s = 4, where its cosine rises again: …".
std::string cause(PairQuantity quantity, const PlannedFrequency& frequency,
                  const FirstViolation& first, double before, double got) {
    const std::string pair = "pair " + decimal(first.pair);
    if (frequency.inv_freq == BigReal(0, exact_precision)) return pair + " does not rotate";
    const char* why = quantity == PairQuantity::angle
                          ? " completes a turn, and its angle starts over"
                      : quantity == PairQuantity::cosine
                          ? " is past half a turn, where its cosine rises again"
                          : " is past a quarter turn, where its |cosine| rises again";
    return pair + why + ": " + step_in_words(before, got, first.distance);
}

void judge_reading(const Comparison& comparison, Finding& finding, PairQuantity quantity,
                   const char* words) {
    const auto first = first_violation(comparison.rates, quantity, search_limit(comparison));
    report(finding, comparison, words, first ? std::optional(first->distance) : std::nullopt);
    if (!first) return;
    const TurnRate rate = comparison.rates[first->pair];
    const double got = value_of(rate, quantity, first->distance);
    const double before = value_of(rate, quantity, first->distance - 1);
    finding.observed = std::abs(got - before);
    const auto distance = static_cast<double>(first->distance);
    finding.worst = Witness{{distance - 1, distance}, first->pair, got, before};
    if (finding.verdict == Verdict::violated)
        finding.note = cause(quantity, comparison.plan.pairs[first->pair], *first, before, got);
}

// Reports the verdict over [0, context] with the rise as witness and, if violated, the name of the
// curve and the reason. If `constant` says why the curve is constant, the claim is not applicable.
void report_rise(const Comparison& comparison, const std::optional<Rise>& rise,
                 const char* constant, const char* curve, const char* why, Finding& finding) {
    finding.samples = search_limit(comparison);
    finding.verdict =
        rise && rise->distance <= comparison.context() ? Verdict::violated : Verdict::holds;
    finding.fields.push_back(
        first_event("rise", rise ? std::optional(rise->distance) : std::nullopt));
    if (constant != nullptr) {
        finding.verdict = Verdict::not_applicable;
        finding.note = std::string(curve) + " is constant: " + constant;
    }
    if (!rise) return;
    finding.observed = rise->at - rise->before;
    const auto first = static_cast<double>(rise->distance);
    finding.worst = Witness{{first - 1, first}, std::nullopt, rise->at, rise->before};
    if (finding.verdict == Verdict::violated)
        finding.note = std::string(curve) + " is " +
                       step_in_words(rise->before, rise->at, rise->distance) + ": " + why;
}

// Returns the first distance at which a cosine does not decrease, less `steps`; `last` if there is
// none.
std::uint64_t surely_falling(const Comparison& comparison, std::uint64_t last,
                             std::uint64_t steps) {
    const auto first = first_violation(comparison.rates, PairQuantity::cosine, last);
    return first ? first->distance - std::min(first->distance, steps) : last;
}

// Returns the mean of A(s) over octave ≤ s < 2·octave.
template <class Number>
double octave_mean(DecayBlocks& blocks, std::uint64_t octave) {
    std::array<Number, DecayBlocks::size> unused, curve;
    double sum = 0;
    for (std::uint64_t s = octave; s < 2 * octave; ++s) {
        const std::uint64_t k = s % curve.size();
        if (k == 0 || s == octave) blocks.fill(s - k, unused.data(), curve.data());
        sum += curve[k];
    }
    return sum / static_cast<double>(octave);
}

// Returns the end of the octaves, up to `last`, of which each has a lower mean of A(s) than the one
// before; float32 sums decide nearly all of them.
std::uint64_t octaves_falling_to(DecayBlocks& blocks, std::uint64_t surely_falling,
                                 std::uint64_t last) {
    const double error = blocks.roformer_error(), near = blocks.near_roformer_error() + error;
    double before = HUGE_VAL;
    std::uint64_t octave = 1;
    for (; 2 * octave - 1 <= last; octave *= 2) {
        const double now = octave_mean<float>(blocks, octave);
        const auto falls = [&] {
            if (std::abs(before - now) > 2 * near) return before > now;
            return octave_mean<double>(blocks, octave / 2) - octave_mean<double>(blocks, octave) >
                   2 * error;
        };
        if (2 * octave - 1 > surely_falling && !falls()) break;
        before = now;
    }
    return octave > 1 ? octave : 0;
}

// Returns B(s)/B(0) at one distance.
double mean_cosine(std::span<const TurnRate> rates, std::uint64_t s) {
    std::vector<std::uint64_t> turns;
    for (const TurnRate& rate : rates)
        turns.push_back(static_cast<std::uint64_t>(phase_at(rate, s) >> 64));
    std::vector<double> cosines(turns.size()), sines(turns.size());
    kernels().cos_sin_of_turns(turns.size(), turns.data(), cosines.data(), sines.data());
    return std::accumulate(cosines.begin(), cosines.end(), 0.0) /
           static_cast<double>(cosines.size());
}

// Reports the score at the end of the context, n = max_position_embeddings, for the base, and for
// He & Xu's scaled frequencies θ·π/(2n).
void report_at_end(const Comparison& comparison, Finding& finding) {
    const Spec& spec = comparison.spec;
    if (spec.scaling.rope_type != "default" || spec.axes.scheme != AxisScheme::single) return;
    Spec scaled = spec;
    scaled.scaling = {.rope_type = "he_xu"};
    const auto rates = turn_rates(plan_frequencies(scaled, exact_precision).pairs);
    const auto score = [&](std::span<const TurnRate> of) {
        return equal_score(spec, mean_cosine(of, spec.max_position_embeddings));
    };
    finding.fields.push_back({"score_at_end", score(comparison.rates), FieldRole::place});
    finding.fields.push_back({"score_at_end_scaled", score(rates), FieldRole::place});
}

}  // namespace

int exact_step(const FrequencyPlan& plan, DecayCurve curve, std::uint64_t s) {
    const auto sum = curve == DecayCurve::mean_cos ? cosine_sum : sum_of_moduli;
    const auto distance = static_cast<double>(s);
    return sign(sum(plan, real(distance)) - sum(plan, real(distance - 1)));
}

std::optional<Rise> first_rise(DecayBlocks& blocks, const FrequencyPlan& plan, DecayCurve curve,
                               std::uint64_t last, std::uint64_t falls_to) {
    const bool is_mean = curve == DecayCurve::mean_cos;
    const double error = is_mean ? blocks.mean_cos_error() : blocks.roformer_error();
    std::array<double, DecayBlocks::size> unused, values;
    double before = 0;
    for (std::uint64_t s = falls_to; s <= last; ++s) {
        const std::uint64_t k = s % values.size();
        if (k == 0 || s == falls_to) {
            if (is_mean)
                blocks.fill_mean_cos(s - k, values.data());
            else
                blocks.fill(s - k, unused.data(), values.data());
        }
        const double now = values[k];
        if (s > falls_to &&
            (std::abs(now - before) > 2 * error ? now > before : exact_step(plan, curve, s) > 0))
            return Rise{s, before, now};
        before = now;
    }
    return std::nullopt;
}

std::optional<FirstViolation> first_violation(const FrequencyPlan& plan, PairQuantity quantity,
                                              std::uint64_t last) {
    return first_violation(turn_rates(plan.pairs), quantity, last);
}

std::optional<FirstViolation> first_violation(std::span<const TurnRate> rates,
                                              PairQuantity quantity, std::uint64_t last) {
    std::optional<FirstViolation> first;
    for (std::uint32_t i = 0; i < rates.size(); ++i) {
        // a later pair counts only if it violates at a smaller s
        const std::uint64_t limit = first ? first->distance - 1 : last;
        if (const std::uint64_t s = first_in_pair(rates[i], quantity, limit))
            first = FirstViolation{s, i};
    }
    return first;
}

// He & Xu's (c3), "|r̂ − r| decreases as |i − j| grows", taken literally and in four possible
// readings.  (Easy Derivation of Rotary Position Embeddings, property c3)

void judge_c3_literal(const Comparison& comparison, Finding& finding) {
    // q = k = 1: |r̂ − r| = |B(s) − B(0)| is 0 at s = 0, its minimum by (c1)
    const double got = std::abs(mean_cosine(comparison.rates, 1) - 1);
    report(finding, comparison, "|r̂ − r| decreasing for every q, k, from s = 0", 1);
    finding.observed = got;
    finding.worst = Witness{{0, 1}, std::nullopt, got, 0};
    finding.note = "no θ can satisfy it: by (c1) |r̂ − r| is 0 at s = 0 and cannot decrease";
}

void judge_c3_angle(const Comparison& comparison, Finding& finding) {
    judge_reading(comparison, finding, PairQuantity::angle, "angle mod 2π increasing, every pair");
}
void judge_c3_cosine(const Comparison& comparison, Finding& finding) {
    judge_reading(comparison, finding, PairQuantity::cosine,
                  "|r̂ − r| increasing, every pair, q = k");
}
void judge_c3_modulus(const Comparison& comparison, Finding& finding) {
    judge_reading(comparison, finding, PairQuantity::modulus, "|r̂| decreasing, every pair, q = k");
}
void judge_c3_weighted_cosine(const Comparison& comparison, Finding& finding) {
    // r̂ = Σ|q_i|²cos(sθ_i) decreases for every q if and only if each cosine does: choose q with
    // only the pair that does not
    judge_reading(comparison, finding, PairQuantity::cosine, "r̂ decreasing for every q = k");
}

// R6: RoFormer's bound A(s) = (2/d)Σ_j|S_j|, S_j = Σ_{i<j} e^{isθ_i}, decreases with distance
// (§3.4.3: |score| ≤ max|h_{i+1} − h_i|·Σ|S_j|; the bound is a theorem, the decay a trend).
void judge_roformer_decay(const Comparison& comparison, Finding& finding) {
    const std::uint64_t last = search_limit(comparison);
    const std::vector<TurnRate>& rates = comparison.rates;
    // |S_j| = j at every s
    const bool is_constant = std::ranges::all_of(
        rates, [&](const TurnRate& rate) { return rate.fraction == rates.front().fraction; });
    std::optional<Rise> rise;
    std::uint64_t octaves = 0;
    if (!is_constant) {
        DecayBlocks blocks(rates);
        // d|S_j|²/ds = −Σ (θ_i − θ_k)·sin s(θ_i − θ_k) ≤ 0 until a pair passes half a turn
        const std::uint64_t falls_to = surely_falling(comparison, last, 2);
        octaves = octaves_falling_to(blocks, falls_to, last);
        rise = first_rise(blocks, comparison.plan, DecayCurve::roformer, last, falls_to);
    }
    report_rise(comparison, rise, is_constant ? "all pairs have the same frequency" : nullptr,
                "RoFormer's bound", "it falls in trend, not at every step", finding);
    finding.fields.push_back(searched_to(last));
    finding.fields.push_back({"octaves_falling_to", octaves});
}

// R5: B(s) = Σ_i cos(sθ_i), the score of q = k = 1, decreases. Also finds the first negative B(s)
// (Men et al., Base of RoPE Bounds Context Length, arXiv 2405.14591).
void judge_score_decay(const Comparison& comparison, Finding& finding) {
    const std::uint64_t last = search_limit(comparison);
    const bool is_constant = std::ranges::all_of(
        comparison.rates, [](const TurnRate& rate) { return rate.fraction == Phase{0}; });
    std::optional<Rise> rise;
    std::optional<std::uint64_t> negative;
    if (!is_constant) {
        DecayBlocks blocks(comparison.rates);
        rise = first_rise(blocks, comparison.plan, DecayCurve::mean_cos, last,
                          surely_falling(comparison, last, 1));
        negative = first_negative(CosineSum(comparison.plan, 0), last);
    }
    report_rise(comparison, rise, is_constant ? "no pair rotates" : nullptr,
                "the mean cosine B(s)/B(0)", "fast pairs turn back up before slow ones have fallen",
                finding);
    finding.fields.push_back(first_event("negative", negative));
    finding.fields.push_back(searched_to(last));
    report_at_end(comparison, finding);
}

}  // namespace rope
