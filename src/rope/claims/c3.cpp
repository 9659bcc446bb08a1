// He & Xu's (c3): "|r̂ − r| decreases as |i − j| grows", literally and in four readings that could
// be meant.  (Easy Derivation of Rotary Position Embeddings, property c3)
#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/claims/claims.hpp"
#include "rope/claims/decay.hpp"
#include "rope/claims/monotonicity.hpp"
#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {

std::uint64_t search_limit(const Comparison& comparison) {
    const std::uint64_t pairs = std::max(16U, comparison.spec.pairs());
    return std::max(comparison.context(),
                    std::min(8 * comparison.spec.max_position_embeddings, most_searched / pairs));
}

namespace {

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

// "pair 0 is past half a turn at s = 4, where its cosine rises again: …"
std::string cause(PairQuantity quantity, const PlannedFrequency& frequency,
                  const FirstViolation& first, double before, double got) {
    const std::string pair = "pair " + decimal(first.pair);
    if (frequency.inv_freq == BigReal(0, exact_precision)) return pair + " does not turn";
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

}  // namespace

void judge_c3_literal(const Comparison& comparison, Finding& finding) {
    // q = k = 1: |r̂ − r| = |B(s) − B(0)| is 0 at s = 0, where (c1) puts its minimum
    const DecayCurves curves = decay_curves(comparison.rates, 1);
    const double got = std::abs(curves.mean_cos[1] - curves.mean_cos[0]);
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
    // r̂ = Σ|q_i|²cos(sθ_i) decreases for every q exactly when each cosine does: let q have the
    // one pair that does not
    judge_reading(comparison, finding, PairQuantity::cosine, "r̂ decreasing for every q = k");
}

}  // namespace rope
