// Article 001, (c3): the readings that look at whole vectors, R5 to R10. d = 128, base 10000.
#include <array>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/abel_bound.hpp"
#include "rope/ledger/quantity/rotation.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

void derive_literal_from_one(Derivation& d) {
    d.say("Leave out s = 0, where (c1) decides, and take q = k = 1. |r̂ − r| per pair is 1 − B̂(s).");
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b1 = d.number("1 − B̂(1), base θ", 1.0 - mean_score(base, 1), "0.029786190534881");
    const BigReal b2 = d.number("1 − B̂(2), base θ", 1.0 - mean_score(base, 2), "0.103408428862129");
    const BigReal s1 =
        d.number("1 − B̂(1), scaled θ", 1.0 - mean_score(scaled, 1), "1.837579411356698e-8");
    const BigReal s2 =
        d.number("1 − B̂(2), scaled θ", 1.0 - mean_score(scaled, 2), "7.3503170277e-8");
    d.refute("It grows from s = 1 to s = 2 already, for base and scaled θ.", b2 > b1 && s2 > s1);
}

void derive_sum(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.say(
        "With q = k = 1, r̂ is B(s) = Σcos sθ_i. Its slope is −Σθ_i sin sθ_i, which is first 0 at "
        "u* for base θ.");
    const BigReal u =
        d.number("u*, a real distance", first_minimum(base), "5.6198237463056488324", "positions");
    d.say(
        "Base θ meets whole distances only, and the sum's tail falls on for a while. Scaled θ "
        "stretches everything by 2n/π.");
    const auto base_rise = static_cast<double>(first_rise(base, 100).value());
    d.number("s*, base θ", base_rise, "12", "positions");
    const BigReal stretched =
        d.number("u*·2n/π for n = 2048, as a multiple of n", u * 2.0 / exact_pi(), "3.5777");
    const auto rise = static_cast<double>(first_rise(scaled, 8192).value());
    const double s = d.number("s*, scaled θ", rise, "7328", "positions");
    d.number("B̂(7327), scaled θ: the least before it rises", mean_score(scaled, 7327),
             "0.735232081709718246");
    d.confirm("Scaled θ keeps B falling over its context, and up to u*·2n/π.",
              s > 2048 && real(s - 2) < stretched * 2048.0 && stretched * 2048.0 < real(s + 1));
    d.refute("Beyond, it rises; with base θ it does so within 12 positions.", base_rise <= 12);
}

void derive_abel(Derivation& d) {
    d.say(
        "RoFormer's Σ|S_j|, S_j = Σ_{l<j} e^{isθ_l}, bounds the score of any q and k up to a "
        "factor. Search for its first rise.");
    const double base =
        d.number("s*, base θ", static_cast<double>(first_bound_rise(base_rope(), 2048).value_or(0)),
                 "19", "positions");
    const double scaled = d.number(
        "rises within 2048 with scaled θ, at s (0: none)",
        static_cast<double>(first_bound_rise(scaled_rope(), 2048).value_or(0)), "0", "positions");
    d.confirm("With scaled θ it falls at each of 2048 steps.", scaled == 0);
    d.refute("With base θ it rises at s = 19.", base == 19);
}

// r̂(s) per pair for k = 1 and q turned by r: it is best at s = r.
BigReal peaked(const FrequencyPlan& plan, std::uint64_t s, std::uint64_t r) {
    return mean_score(plan, s > r ? s - r : r - s);
}

void derive_any_vectors(Derivation& d) {
    d.say(
        "Choose k as q turned by 5 positions: then the score is B̂(s − 5), which is greatest at "
        "s = 5.");
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const BigReal b0 = d.number("r̂ at s = 0, base θ", peaked(base, 0, 5), "0.737265812028750");
    const BigReal b1 = d.number("r̂ at s = 1, base θ", peaked(base, 1, 5), "0.759156726010507");
    const BigReal b5 = d.number("r̂ at s = 5, base θ", peaked(base, 5, 5), "1");
    const BigReal s0 =
        d.number("1 − r̂ at s = 0, scaled θ", 1.0 - peaked(scaled, 0, 5), "4.59394544e-7");
    const BigReal s1 =
        d.number("1 − r̂ at s = 1, scaled θ", 1.0 - peaked(scaled, 1, 5), "2.94012582e-7");
    d.refute(
        "It rises from s = 0 to s = 1, with base and scaled θ: no θ makes r̂ fall for all "
        "q and k.",
        b1 > b0 && b5 > b1 && s1 < s0);
}

void derive_phases(Derivation& d) {
    d.say(
        "In one pair r̂ = |q||k|cos(φ + sθ), with φ between q and k. It falls from 0 to N only if "
        "φ lies in [0, π − Nθ], and |r̂| only if φ lies in [0, π/2 − Nθ], modulo π.");
    const BigReal turned = scaled_rope().pairs.front().inv_freq * 2048.0;
    const BigReal falling = d.number("width for r̂, pair 0, scaled θ, N = 2048", exact_pi() - turned,
                                     "1.570796326794896619", "rad");
    const BigReal modulus = d.number("width for |r̂|", exact_pi() / 2.0 - turned, "0", "rad");
    d.say("For base θ pair 0 turns by N radians, more than π after 3 positions.");
    const BigReal base = d.number("width for r̂, pair 0, base θ, N = 4", exact_pi() - 4.0,
                                  "-0.858407346410206762", "rad");
    d.refute("|r̂| falls for one phase of all, φ = 0, and r̂ for a quarter of them at best.",
             modulus == real(0) && falling < exact_pi() && base < real(0));
}

void derive_mean_square(Derivation& d) {
    d.say(
        "Let the entries of q and k be independent with mean 0 and variance 1. Then E r̂ = 0, and "
        "E r̂² = Σ_ab R_ab², the sum of the squares of all entries of R(s).");
    const auto squares = [](const FrequencyPlan& plan, double s) {
        BigReal sum = real(0);
        for (const PlannedFrequency& pair : plan.pairs) {
            const Matrix2 r = rotation(s * pair.inv_freq);
            sum = sum + r.a * r.a + r.b * r.b + r.c * r.c + r.d * r.d;
        }
        return BigReal(sum, Precision{280});  // the residue of 64 sums is cut off
    };
    const BigReal near = d.number("E r̂² at s = 1, base θ", squares(base_rope(), 1), "128");
    const BigReal far = d.number("E r̂² at s = 2048, base θ", squares(base_rope(), 2048), "128");
    const BigReal scaled =
        d.number("E r̂² at s = 2048, scaled θ", squares(scaled_rope(), 2048), "128");
    d.refute("It is d at every distance: cos² + sin² = 1, for any θ.",
             near == far && far == scaled);
}

void derive_rms(Derivation& d) {
    d.say(
        "For such q and k the root mean square of r̂ − r over that of r is √(2(1 − B̂(s))): it "
        "grows exactly where B̂ falls.");
    const auto ratio = [](const FrequencyPlan& plan) {
        return root(2.0 * (1.0 - mean_score(plan, 2048)));
    };
    const BigReal scaled = d.number("ratio at s = 2048, scaled θ", ratio(scaled_rope()), "0.370");
    const BigReal base = d.number("ratio at s = 2048, base θ", ratio(base_rope()), "1.327");
    const auto rise = static_cast<double>(first_rise(scaled_rope(), 8192).value());
    const double s = d.number("s*, scaled θ", rise, "7328", "positions");
    d.confirm("It grows over the context of 2048 with scaled θ, though to little.",
              s > 2048 && scaled < base);
    d.refute("It is the opposite of what (c3) words, and ends at s*.", s == 7328);
}

constexpr Entry c3_sums_entries[] = {
    {"001-c3-R0-from-1", "§3, (c3)",
     "Reading R0′: |r̂ − r| falls from distance 1 on, with q = k = 1.", Status::false_as_stated,
     derive_literal_from_one},
    {"001-c3-R5", "§3, (c3)", "Reading R5: with q = k = 1, the sum r̂ over all pairs falls.",
     Status::on_a_range, derive_sum, "rope-check plot-decay"},
    {"001-c3-R6", "§3, (c3)", "Reading R6: RoFormer's bound of the score falls.",
     Status::on_a_range, derive_abel, "rope-check plot-decay"},
    {"001-c3-R7", "§3, (c3)", "Reading R7: r̂ falls for all fixed q and k.", Status::false_as_stated,
     derive_any_vectors},
    {"001-c3-R8", "§3, (c3)", "Reading R8: |r̂| falls, or |r̂ − r| grows, for all q and k.",
     Status::false_as_stated, derive_phases},
    {"001-c3-R9", "§3, (c3)", "Reading R9: on average over q and k, the score falls.",
     Status::false_as_stated, derive_mean_square},
    {"001-c3-R10", "§3, (c3)", "Reading R10: the root mean square of r̂ − r grows with distance.",
     Status::on_a_range, derive_rms},
};

}  // namespace

std::span<const Entry> c3_sums() { return c3_sums_entries; }

}  // namespace rope::ledger
