// Article 001, (c3): "the further apart, the smaller", literally and in the readings that look at
// each pair. s* is the first distance at which a reading fails.
#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

double first_failure(const FrequencyPlan& plan, PairQuantity quantity) {
    constexpr std::uint64_t last = 1 << 16;
    return static_cast<double>(first_violation(plan, quantity, last).value().distance);
}

void derive_literal(Derivation& d) {
    d.say(
        "By (c1) the transform leaves the score of two tokens at the same place alone: r̂ = r at "
        "distance 0, so |r̂ − r| starts at 0, and nothing is smaller.");
    const BigReal base = d.number("|r̂ − r| at s = 1 for q = k = 1, per pair, base θ",
                                  1.0 - mean_score(base_rope(), 1), "0.029786190534880865");
    const BigReal scaled =
        d.number("the same, scaled θ", 1.0 - mean_score(scaled_rope(), 1), "1.837579411356698e-8");
    d.refute(
        "From s = 0 to s = 1 it grows for base and scaled θ alike: no θ satisfies (c1) and "
        "(c3) together.",
        base > real(0) && scaled > real(0));
}

struct Reading {
    PairQuantity quantity;
    const char* why;
    const char *base_fails, *scaled_fails;
};

void derive_reading(Derivation& d, const Reading& reading) {
    d.say(reading.why);
    const double base = d.number("s*, base θ", first_failure(base_rope(), reading.quantity),
                                 reading.base_fails, "positions");
    const double scaled =
        d.number("s*, scaled θ for n = 2048", first_failure(scaled_rope(), reading.quantity),
                 reading.scaled_fails, "positions");
    d.confirm("With scaled θ it holds over the context of 2048.", scaled > 2048);
    d.refute("It fails at s* = " + decimal(scaled) + " with scaled θ, and within " + decimal(base) +
                 " positions with base θ.",
             base <= 2048);
}

void derive_angle(Derivation& d) {
    derive_reading(d, {PairQuantity::angle,
                       "Read as in the figures: sθ, less whole turns, must grow in each pair. It "
                       "stops where the fastest pair, pair 0, completes a turn: at ⌈2π/θ₀⌉.",
                       "7", "8192"});
}
void derive_cosine(Derivation& d) {
    derive_reading(d, {PairQuantity::cosine,
                       "With q = k, |r̂ − r| of a pair is |q|²(1 − cos sθ). It grows while cos sθ "
                       "falls, for half a turn of pair 0: up to ⌊π/θ₀ + ½⌋.",
                       "4", "4097"});
}
void derive_modulus(Derivation& d) {
    derive_reading(d, {PairQuantity::modulus,
                       "With q = k, |r̂| of a pair is |q|²|cos sθ|. It falls for a quarter turn of "
                       "pair 0: up to ⌊π/(2θ₀) + ½⌋, which is what the scale is made for.",
                       "3", "2049"});
}
void derive_weighted(Derivation& d) {
    derive_reading(d, {PairQuantity::cosine,
                       "With q = k, r̂ is Σ|q_i|²cos sθ_i. It falls for every q exactly where each "
                       "cosine falls: otherwise let q have only the pair that rises.",
                       "4", "4097"});
}

constexpr Entry c3_readings_entries[] = {
    {"001-c3-R0", "§3, (c3)", "|r̂ − r| falls as |i − j| grows, for all q and k.",
     Status::false_as_stated, derive_literal},
    {"001-c3-R1", "§3, (c3)", "Reading R1: the angle modulo 2π grows in every pair.",
     Status::on_a_range, derive_angle, "rope-check plot-angles"},
    {"001-c3-R2", "§3, (c3)", "Reading R2: with q = k, |r̂ − r| grows in every pair.",
     Status::on_a_range, derive_cosine},
    {"001-c3-R3", "§3, (c3)", "Reading R3: with q = k, |r̂| falls in every pair.",
     Status::on_a_range, derive_modulus},
    {"001-c3-R4", "§3, (c3)", "Reading R4: with q = k, r̂ falls for every q.", Status::on_a_range,
     derive_weighted, "rope-check plot-decay"},
};

}  // namespace

std::span<const Entry> c3_readings() { return c3_readings_entries; }

}  // namespace rope::ledger
