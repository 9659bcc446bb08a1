// The first failure of each claim, compared with closed forms and published integers.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rope/checks/check.hpp"
#include "rope/checks/decay.hpp"
#include "rope/exact/phase.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/seeded.hpp"
#include "rope/session/judge.hpp"
#include "rope/specs.hpp"

namespace rope::claims_test {

using enum PairQuantity;

FrequencyPlan plan_of(const Spec& spec) { return plan_frequencies(spec, exact_precision); }

std::uint64_t first(const Spec& spec, PairQuantity quantity, std::uint64_t last = 100000) {
    const auto found = first_violation(plan_of(spec), quantity, last);
    return found ? found->distance : 0;
}

Finding settle(const Spec& spec, const char* claim, std::uint64_t context = 64) {
    const auto subject = emulate(spec, find_pipeline("exact"), context);
    return judge(spec, *subject, {1, {claim}}).findings.at(0);
}

// A field of a claim; 0 if it is null.
std::uint64_t field(const Finding& finding, const char* key) {
    for (const Field& field : finding.fields)
        if (field.name == key) {
            const auto* whole = std::get_if<std::uint64_t>(&field.value);
            return whole == nullptr ? 0 : *whole;
        }
    ADD_FAILURE() << finding.check << " has no " << key;
    return 0;
}

TEST(Claims, C3FirstFailsWhereTheClosedFormsSay) {
    EXPECT_EQ(first(spec_of(128, 1e4, he_xu()), modulus, 2048), 0U);
    for (const std::uint64_t n : {1ULL, 7ULL, 3000ULL, 4096ULL}) {
        const Spec spec = spec_of(64, 1e4, he_xu(), n);
        EXPECT_EQ(first(spec, angle), 4 * n);  // the angle is 2π exactly
        EXPECT_EQ(first(spec, cosine), 2 * n + 1);
        EXPECT_EQ(first(spec, modulus), n + 1);
    }
}

// Cases that the search's fast start skips; a rational turn in whole 1/(2·denominator).
std::uint64_t first_step_by_step(const TurnRate& rate, PairQuantity quantity, std::uint64_t last) {
    const Phase half = rate.denominator == 0 ? half_turn : Phase{rate.denominator};
    const auto value = [&](std::uint64_t s) {
        const Phase phase =
            rate.denominator == 0 ? phase_at(rate, s) : 2 * s * rate.numerator % (2 * half);
        if (quantity == angle) return phase;
        const Phase from_whole = phase < half ? phase : half - (phase - half);
        return quantity == cosine ? from_whole : std::min(from_whole, half - from_whole);
    };
    for (std::uint64_t s = 1; s <= last; ++s)
        if (value(s) <= value(s - 1)) return s;
    return 0;
}

TEST(Claims, C3FirstFailsWhereASearchOfEveryStepFindsIt) {
    Seeded random(1);
    for (int k = 0; k < 300; ++k) {
        const double theta = std::exp(random.within(-9, 2)) * (k % 5 == 0 ? -1 : 1);
        FrequencyPlan plan;
        plan.pairs.push_back({BigReal(theta, exact_precision), std::nullopt});
        if (k % 3 == 0) plan.pairs[0].turn = RationalTurn{1, 1 + static_cast<std::uint64_t>(k)};
        for (const PairQuantity quantity : {angle, cosine, modulus})
            for (const std::uint64_t last : {1U, 2U, 1000U, 30000U}) {
                const auto found = first_violation(plan, quantity, last);
                EXPECT_EQ(found ? found->distance : 0,
                          first_step_by_step(turn_rate(plan.pairs[0]), quantity, last))
                    << theta << ' ' << last;
            }
    }
}

TEST(Claims, AreSearchedInBoundedTimeForAnyContext) {
    const Spec longest = spec_of(4, 1e4, he_xu(), max_context);
    EXPECT_EQ(first(longest, angle, 4 * max_context), 4 * max_context);
    EXPECT_EQ(first(longest, modulus, 4 * max_context), max_context + 1);
    const Spec wide = spec_of(2048, 1e4, {}, max_context);
    for (const char* claim : {"score-decay", "roformer-decay"})
        EXPECT_EQ(field(settle(wide, claim), "searched_to"), most_searched / 1024) << claim;
}

TEST(Claims, SayWhyTheyFail) {
    const Spec base = spec_of(128, 1e4);
    EXPECT_EQ(settle(base, "c3-R1").note,
              "pair 0 completes a turn, and its angle starts over: 0.716815 at s = 7, after 6 at "
              "s = 6");
    EXPECT_EQ(settle(base, "c3-R2").note,
              "pair 0 is past half a turn, where its cosine rises again: -0.653644 at s = 4, after "
              "-0.989992 at s = 3");
    EXPECT_EQ(settle(base, "c3-R3").note,
              "pair 0 is past a quarter turn, where its |cosine| rises again: 0.989992 at s = 3, "
              "after 0.416147 at s = 2");
    EXPECT_TRUE(settle(base, "score-decay").note.starts_with("the mean cosine B(s)/B(0) is "));
    EXPECT_TRUE(settle(base, "roformer-decay").note.starts_with("RoFormer's bound is "));
    EXPECT_EQ(settle(spec_of(128, 1e4, he_xu()), "c3-R1").note, "");  // it holds up to the context
}

TEST(Claims, AnUnrotatedPairNeverAdvances) {
    const FrequencyPlan still{{{BigReal(0, exact_precision), std::nullopt}}};
    for (const PairQuantity quantity : {angle, cosine, modulus}) {
        const auto found = first_violation(still, quantity, 10);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->distance, 1U);
    }
}

// θ_0 = 1/c rotates fastest and fails first: R1 ⌈2πc⌉, R2 ⌊πc + ½⌋ + 1, R3 ⌊πc/2 + ½⌋ + 1
TEST(Claims, PositionInterpolationScalesTheFirstViolations) {
    constexpr double pi = std::numbers::pi;
    Seeded random(1);
    for (int k = 0; k < 40; ++k) {
        const double c = random.within(1, 500);
        const Spec spec = spec_of(2 * static_cast<std::uint32_t>(1 + random.below(64)),
                                  random.within(10, 1e6), linear(c));
        EXPECT_EQ(static_cast<double>(first(spec, angle)), std::ceil(2 * pi * c)) << c;
        EXPECT_EQ(static_cast<double>(first(spec, cosine)), std::floor(pi * c + 0.5) + 1) << c;
        EXPECT_EQ(static_cast<double>(first(spec, modulus)), std::floor(pi * c / 2 + 0.5) + 1) << c;
    }
}

TEST(Claims, C3FindingsCarryTheirRangeAndWitness) {
    const Spec base = spec_of(128, 1e4), scaled = spec_of(128, 1e4, he_xu());
    const struct {
        const char* id;
        std::uint64_t base, scaled;
    } table[] = {{"c3-R0", 1, 1},
                 {"c3-R1", 7, 8192},
                 {"c3-R2", 4, 4097},
                 {"c3-R3", 3, 2049},
                 {"c3-R4", 4, 4097}};
    for (const auto& [id, base_first, scaled_first] : table) {
        const Finding violated = settle(base, id, 2048), finding = settle(scaled, id, 2048);
        EXPECT_EQ(field(violated, "first_violation"), base_first) << id;
        EXPECT_EQ(field(finding, "first_violation"), scaled_first) << id;
        EXPECT_EQ(field(finding, "searched_to"), 8 * 2048U) << id;
        EXPECT_EQ(violated.verdict, Verdict::violated) << id;
        EXPECT_EQ(finding.verdict, scaled_first <= 2048 ? Verdict::violated : Verdict::holds) << id;
        ASSERT_TRUE(finding.worst) << id;
        const auto at = static_cast<double>(scaled_first);
        EXPECT_EQ(finding.worst->positions, (std::vector{at - 1, at})) << id;
    }
}

struct Rise {
    std::uint32_t d;
    double base;
    std::uint64_t at;
};

TEST(Claims, TheScoreFirstRises) {
    // clang-format off
    const Rise table[] = {
        {2, 1e4, 4}, {4, 1e4, 4}, {16, 1e4, 4}, {32, 1e4, 5}, {64, 1e4, 6}, {96, 1e4, 12}, {128, 1e4, 12}, {256, 1e4, 25},
        {2, 5e5, 4}, {4, 5e5, 4}, {16, 5e5, 4}, {32, 5e5, 5}, {64, 5e5, 6}, {96, 5e5, 6}, {128, 5e5, 12}, {256, 5e5, 18},
    };
    // clang-format on
    for (const auto& [d, base, at] : table)
        EXPECT_EQ(field(settle(spec_of(d, base), "score-decay"), "first_rise"), at)
            << d << ' ' << base;
    const auto scaled = [](std::uint32_t d, double base, std::uint64_t n) {
        return field(settle(spec_of(d, base, he_xu(), n), "score-decay"), "first_rise");
    };
    EXPECT_EQ(scaled(128, 1e4, 2048), 7328U);
    EXPECT_EQ(scaled(128, 1e4, 4096), 14655U);
    EXPECT_EQ(scaled(64, 1e4, 2048), 6590U);
    EXPECT_EQ(scaled(128, 5e5, 8192), 27993U);
}

// B = cos(sπ/2n) is 0 at s = n; beyond 2n it rises.
TEST(Claims, TheScoreOfOnePairIsNotNegativeWhereItIsZero) {
    for (const std::uint64_t n : {1U, 2U, 7U, 1024U, 3000U}) {
        for (const Spec& spec : {spec_of(2, 1e4, he_xu(), n), spec_of(4, 1, he_xu(), n)}) {
            const Finding finding = settle(spec, "score-decay");
            EXPECT_EQ(field(finding, "first_negative"), n + 1) << n;
            EXPECT_EQ(field(finding, "first_rise"), 2 * n + 1) << n;
        }
    }
}

TEST(Claims, ACosineThatStaysDoesNotAdvance) {
    const Spec resonance = spec_of(2, 1e4, Scaling{.rope_type = "resonance"});
    ASSERT_EQ(plan_of(resonance).pairs[0].turn->denominator, 6U);
    EXPECT_EQ(first(resonance, cosine), 4U);
    EXPECT_EQ(first(resonance, modulus), 2U);  // |cos| is ½ at s = 1 and 2
}

// |S_j| = j at every distance if no pair rotates relative to another.
TEST(Claims, AreNotAboutAConstantCurve) {
    const Scaling still{.rope_type = "proportional", .partial_rotary_factor = 0.1};
    const struct {
        const char* claim;
        Spec spec;
        Verdict verdict;
        const char* note;
    } table[] = {
        {"roformer-decay", spec_of(2, 1e4), Verdict::not_applicable,
         "RoFormer's bound is constant: all pairs have the same frequency"},
        {"roformer-decay", spec_of(2, 1e4, he_xu()), Verdict::not_applicable, nullptr},
        {"roformer-decay", spec_of(128, 1), Verdict::not_applicable, nullptr},
        {"roformer-decay", spec_of(4, 1e4, still), Verdict::not_applicable, nullptr},
        {"score-decay", spec_of(4, 1e4, still), Verdict::not_applicable,
         "the mean cosine B(s)/B(0) is constant: no pair rotates"},
        {"score-decay", spec_of(2, 1e4), Verdict::violated, nullptr},
        {"score-decay", spec_of(128, 1), Verdict::violated, nullptr},
        {"roformer-decay", spec_of(4, 1e4), Verdict::violated, nullptr},
    };
    for (const auto& [claim, spec, verdict, note] : table) {
        const Finding finding = settle(spec, claim);
        EXPECT_EQ(finding.verdict, verdict) << claim << ' ' << spec.rotary_dim;
        EXPECT_EQ(field(finding, "first_rise") == 0, verdict == Verdict::not_applicable) << claim;
        if (note != nullptr) {
            EXPECT_EQ(finding.note, note) << claim;
        }
    }
}

TEST(Claims, TheScoreFirstTurnsNegative) {
    EXPECT_EQ(field(settle(spec_of(128, 1e4), "score-decay"), "first_negative"), 1707U);
    EXPECT_EQ(field(settle(spec_of(128, 5e5, {}, 4096), "score-decay"), "first_negative"), 18438U);
}

TEST(Claims, RoFormersBoundFirstRises) {
    for (const auto& [d, base, at] : {Rise{64, 1e4, 12}, Rise{128, 1e4, 19}, Rise{256, 1e4, 38},
                                      Rise{512, 1e4, 63}, Rise{768, 1e4, 101}})
        EXPECT_EQ(field(settle(spec_of(d, base), "roformer-decay"), "first_rise"), at) << d;
}

// Computed with NumPy: means of Σ_j |S_j(s)| over s = [2^k, 2^(k+1)) to s = 16384.
TEST(Claims, RoFormersBoundFallsFromOctaveToOctave) {
    for (const auto& [d, base, to] :
         {Rise{8, 100, 16}, Rise{16, 100, 64}, Rise{16, 1e4, 16}, Rise{64, 1e4, 4096},
          Rise{128, 1e4, 16384}, Rise{64, 1.0001, 16384}})  // means equal in float32
        EXPECT_EQ(field(settle(spec_of(d, base), "roformer-decay"), "octaves_falling_to"), to)
            << d << ' ' << base;
}

}  // namespace rope::claims_test
