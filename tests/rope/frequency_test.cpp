#include "rope/spec/frequency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/golden_specs.hpp"
#include "rope/oracle.hpp"
#include "rope/specs.hpp"
#include "tests/io/error_message.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::frequency_test {

std::vector<BigReal> exact(const Spec& spec) {
    validate(spec);
    std::vector<BigReal> theta;
    for (const auto& pair : plan_frequencies(spec, exact_precision).pairs)
        theta.push_back(pair.inv_freq);
    return theta;
}

// |a/b − 1|
double relative(const BigReal& a, const BigReal& b) { return std::abs((a / b - 1.0).to_double()); }

// The number of factors in a power does not matter.
TEST(Frequency, ExactPowersEqualMpfrs) {
    for (const double base : {1.0, 1.5, 1e4, 5e5, 1e15})
        for (const std::uint32_t d : {2U, 6U, 128U, 65536U}) {
            const auto powers = base_powers(BigReal(base, exact_precision), spec_of(d, base));
            for (std::uint32_t i = 0; i < d / 2; i += 1 + d / 200) {
                BigReal want(0, {400});
                mpfr_set_ui(want.raw(), 2UL * i, MPFR_RNDN);
                mpfr_div_ui(want.raw(), want.raw(), d, MPFR_RNDN);
                mpfr_pow(want.raw(), BigReal(base, {64}).raw(), want.raw(), MPFR_RNDN);
                ASSERT_LE(relative(powers[i], want), 0x1p-318) << base << ' ' << d << ' ' << i;
            }
        }
}

// transformers: 1.0 / (base ** (arange(0, dim, 2) / dim)), every step in float32
TEST(Frequency, Float32RoundsAfterEveryStep) {
    for (const std::uint32_t d : {64U, 80U, 96U, 128U}) {
        const auto pairs = plan_frequencies(spec_of(d, 5e5), float32_precision).pairs;
        for (std::uint32_t i = 0; i < d / 2; ++i) {
            oracle::Real want(24), base(24);
            mpfr_set_ui(base, 500000, MPFR_RNDN);
            mpfr_set_ui(want, 2UL * i, MPFR_RNDN);
            mpfr_div_ui(want, want, d, MPFR_RNDN);
            mpfr_pow(want, base, want, MPFR_RNDN);
            mpfr_ui_div(want, 1, want, MPFR_RNDN);
            EXPECT_EQ(pairs[i].inv_freq.to_double(), mpfr_get_d(want, MPFR_RNDN)) << d << ' ' << i;
        }
    }
}

TEST(Frequency, HeXuSpreadsAQuarterTurnOverTheContext) {
    const auto theta = exact(spec_of(128, 1e4, he_xu()));
    EXPECT_DOUBLE_EQ(theta[0].to_double(), 7.66990393942820614859e-4);
    EXPECT_DOUBLE_EQ(theta[63].to_double(), 8.85706689355039773e-8);
    EXPECT_DOUBLE_EQ(exact(spec_of(128, 1e4, he_xu(), 4096))[0].to_double(),
                     3.83495196971410307e-4);
    for (const std::uint64_t n : {1ULL, 7ULL, 3000ULL, 1ULL << 32}) {
        const auto scaled = exact(spec_of(128, 1e4, he_xu(), n)), base = exact(spec_of(128, 1e4));
        for (std::size_t i = 0; i < base.size(); ++i)
            EXPECT_LT(relative(scaled[i] * static_cast<double>(2 * n),
                               BigReal::pi(exact_precision) * base[i]),
                      0x1p-310);
    }
}

// inv_freq as transformers computes it, recorded bit for bit.

using nlohmann::json;

int worst_ulps(const Spec& spec, Precision precision, const json& hex) {
    const FrequencyPlan plan = plan_frequencies(spec, precision);
    EXPECT_EQ(plan.pairs.size(), hex.size());
    int worst = 0;
    for (std::size_t i = 0; i < hex.size(); ++i)
        worst =
            std::max(worst, ulps(mpfr_get_flt(plan.pairs[i].inv_freq.raw(), MPFR_RNDN), hex[i]));
    return worst;
}

TEST(FrequencyGolden, EveryGoldenOfTransformers) {
    const json recordings = recorded_json("hf_rope_init/cases.json");
    EXPECT_EQ(recordings["cases"].size(), 39);
    for (const json& golden : recordings["cases"]) {
        const std::string id = golden["id"];
        Spec spec = golden_spec(golden["config"],
                                2 * golden["rotary_dim_frequencies"].get<std::uint32_t>());
        ASSERT_EQ(spec.scaling.rope_type, golden["rope_type"].get<std::string>()) << id;
        if (!golden["seq_len"].is_null()) spec.seq_len = golden["seq_len"];
        validate(spec);
        const json& hex = golden["inv_freq_f32_hex"];
        // recorded: torch's distance from the correctly rounded formula in the worst pair
        const int recorded = golden["max_ulp_vs_50digit_formula"];
        EXPECT_EQ(worst_ulps(spec, exact_precision, hex), recorded) << id;
        // The same steps as torch's; only torch's pow is not correctly rounded, so that a later
        // step may round to the other side.
        EXPECT_LE(worst_ulps(spec, float32_precision, hex), recorded + 1) << id;
        EXPECT_NEAR(plan_frequencies(spec, exact_precision).attention_factor,
                    golden["attention_factor"].get<double>(), 1e-12)
            << id;
    }
}

// Published snapshots and closed forms of the scaled rope types.

FrequencyPlan exact_plan(const Spec& spec) {
    validate(spec);
    return plan_frequencies(spec, exact_precision);
}

double inv_freq(const FrequencyPlan& plan, std::size_t i) {
    return plan.pairs[i].inv_freq.to_double();
}

// base^(-2i/d) = inv_freq, solved for the base
double base_of(const FrequencyPlan& plan, std::size_t i) {
    const double d = 2.0 * static_cast<double>(plan.pairs.size());
    return std::pow(inv_freq(plan, i), -d / (2.0 * static_cast<double>(i)));
}

// b' = b·s^(d/(d−2))
TEST(Ntk, HasThePublishedBases) {
    const auto base = [](double factor) {
        return base_of(exact_plan(spec_of(128, 10000, ntk(factor))), 63);
    };
    EXPECT_NEAR(base(2) / 20221.2616897379, 1, 1e-12);
    EXPECT_NEAR(base(4) / 40889.9424324862, 1, 1e-12);
    EXPECT_NEAR(base(8) / 82684.6226405622, 1, 1e-12);
    EXPECT_NEAR(base(32) / 338096.945982444, 1, 1e-12);
}

// ggml.c, rope_yarn: ramp_mix = rope_yarn_ramp(low, high, i)·ext_factor
TEST(Yarn, KeepsTheShareOfFastPairsGivenByTheExtFactor) {
    constexpr double d = 128, base = 10000, factor = 4, original = 4096;
    const auto corr = [&](double turns) {
        return d * std::log(original / (2 * std::numbers::pi * turns)) / (2 * std::log(base));
    };
    const double low = std::max(0.0, std::floor(corr(32)));
    const double high = std::min(d - 1, std::ceil(corr(1)));
    for (const double ext_factor : {1.0, 0.5, 0.125}) {
        Spec spec = spec_of(128, base, yarn(factor, 4096));
        spec.scaling.ext_factor = ext_factor;
        const FrequencyPlan plan = exact_plan(spec);
        for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
            const double extrapolated = std::pow(base, -2.0 * static_cast<double>(i) / d);
            const double ramp = (static_cast<double>(i) - low) / std::max(0.001, high - low);
            const double mix = (1 - std::clamp(ramp, 0.0, 1.0)) * ext_factor;
            const double want = extrapolated / factor * (1 - mix) + extrapolated * mix;
            EXPECT_NEAR(plan.pairs[i].inv_freq.to_double() / want, 1, 1e-14)
                << ext_factor << " " << i;
        }
        EXPECT_EQ(plan.attention_factor,
                  exact_plan(spec_of(128, base, yarn(factor, 4096))).attention_factor);
    }
}

// variants: the three magnitudes of yarn
TEST(Yarn, HasThreeMagnitudes) {
    const auto factor_of = [](double factor) {
        return exact_plan(spec_of(128, 10000, yarn(factor, 4096))).attention_factor;
    };
    EXPECT_NEAR(factor_of(16), 1.2772588722, 5e-11);
    EXPECT_NEAR(factor_of(32), 1.3465735903, 5e-11);
    EXPECT_NEAR(factor_of(64), 1.4158883083, 5e-11);
    EXPECT_EQ(factor_of(1), 1);

    Spec spec = spec_of(64, 10000, yarn(40, 4096));
    spec.scaling.mscale = spec.scaling.mscale_all_dim = 0.707;
    EXPECT_EQ(exact_plan(spec).attention_factor, 1);
    EXPECT_NEAR(exact_plan(spec).softmax_scale_factor, 1.58962616512, 5e-12);
    spec.scaling.mscale = spec.scaling.mscale_all_dim = 1;
    EXPECT_NEAR(exact_plan(spec).softmax_scale_factor, 1.8738542071, 5e-11);
    spec.scaling.attention_factor = 1.25;  // replaces all
    EXPECT_EQ(exact_plan(spec).attention_factor, 1.25);
}

// Frequencies without positions are checked by the angles that they give.

FrequencyDump dump_of(const Spec& spec, Format format) {
    FrequencyDump dump{{}, format, "inv_freq"};
    for (const PlannedFrequency& pair : plan_frequencies(spec, exact_precision).pairs)
        dump.inv_freq.push_back(round_to(format, pair.inv_freq.to_double()));
    return dump;
}

std::string judged(const Spec& spec, const FrequencyDump& dump) {
    return marks(spec, *frequency_rows(spec, dump, 4096)).substr(0, 3);
}

TEST(Frequencies, OfTheSpecHoldInFloat32AndInDouble) {
    for (const Spec& spec :
         {spec_of(64, 10000), spec_of(128, 500000, llama3(8)), spec_of(96, 10000, linear(4))})
        for (const Format format : {Format::float32, Format::float64})
            EXPECT_EQ(judged(spec, dump_of(spec, format)), ". .");
}

TEST(Frequencies, OfAnotherBaseOrRoundedToBfloat16Fail) {
    const Spec spec = spec_of(64, 10000);
    EXPECT_EQ(judged(spec, dump_of(spec_of(64, 10001), Format::float32)).front(), 'X');
    for (const Format format : {Format::bfloat16, Format::float16})
        EXPECT_EQ(judged(spec, dump_of(spec, format)).front(), 'X');
}

TEST(Frequencies, BreakNoLaw) {
    const Spec spec = spec_of(64, 10000);
    FrequencyDump dump = dump_of(spec_of(64, 20000), Format::float32);
    dump.inv_freq[3] = -0.25;
    dump.inv_freq[4] = 0;
    const std::string found = marks(spec, *frequency_rows(spec, dump, 512));
    EXPECT_EQ(found.substr(4).find('X'), found.npos) << found;
}

// Values of uninitialised memory fail and are named, not refused.
TEST(Frequencies, ThatAreNotFiniteViolateEveryCheckAndAreNamed) {
    const Spec spec = spec_of(64, 10000);
    for (const double odd :
         {std::nan(""), -std::numeric_limits<double>::infinity(), 0x1p32, -1e300}) {
        FrequencyDump dump = dump_of(spec, Format::float32);
        dump.inv_freq[3] = odd;
        const std::string found = marks(spec, *frequency_rows(spec, dump, 512));
        EXPECT_EQ(std::ranges::count(found, 'X'), 8) << found;
        const Diagnosis diagnosis = diagnose(spec, dump);
        ASSERT_EQ(diagnosis.explanations.size(), 1);
        EXPECT_EQ(diagnosis.explanations[0].mistake, "inv-freq-entry");
    }
}

// Their angles determine them only up to whole turns.
TEST(Frequencies, OfMoreThanHalfATurnAreNamedByTheirValue) {
    const Spec spec = spec_of(64, 10000);
    for (const double odd : {7.5, -5.0, 1e9, 1e10}) {
        FrequencyDump dump = dump_of(spec, Format::float64);
        dump.inv_freq[3] = odd;
        const Diagnosis diagnosis = diagnose(spec, dump);
        ASSERT_EQ(diagnosis.explanations.size(), 1) << odd;
        const auto& parameters = diagnosis.explanations[0].parameters;
        EXPECT_EQ(parameters.back(), (std::pair<std::string, FieldValue>{"inv_freq", odd}));
    }
}

TEST(Frequencies, AreRefusedWhereTheyTurnNothing) {
    const Spec spec = spec_of(4, 10000);
    const auto refusal = [&](std::vector<double> inv_freq, std::uint64_t context) {
        return error_message<InputError>([&] {
            frequency_rows(spec, {std::move(inv_freq), Format::float32, "x.npy"}, context);
        });
    };
    EXPECT_EQ(refusal({1}, 8), "x.npy has 1 frequencies; rotary_dim 4 needs 2");
    EXPECT_EQ(refusal({1, 0.01}, 0), "context is 0; it must be from 1 to 4294967296");
}

}  // namespace rope::frequency_test
