// Subjects made with each arithmetic, in float32 and float64: each is explained by its class
// and by no earlier one, and no class explains values that no arithmetic gives.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "rope/checks/comparison.hpp"
#include "rope/rows/dump.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::profile_test {

float fl(double x) { return static_cast<float>(x); }

// The angle of pair i at position m.
using Angle = std::function<double(const Spec&, std::uint32_t i, double m)>;

double product(float theta, double m) { return static_cast<double>(fl(m) * theta); }
float exponent(const Spec& spec, std::uint32_t i) { return fl(2 * i) / fl(spec.rotary_dim); }

double in_float64(const Spec& spec, std::uint32_t i, double m) {
    return m * std::pow(spec.rope_theta, -2.0 * i / spec.rotary_dim);
}
double rounded_once(const Spec& spec, std::uint32_t i, double m) {
    return product(fl(in_float64(spec, i, 1)), m);
}
double by_power(const Spec& spec, std::uint32_t i, double m) {
    const float power = fl(std::pow(spec.rope_theta, static_cast<double>(exponent(spec, i))));
    return product(1 / power, m);
}
double by_logarithm(const Spec& spec, std::uint32_t i, double m) {
    const float x = fl(std::log(spec.rope_theta)) * exponent(spec, i);
    return product(fl(std::exp(-static_cast<double>(x))), m);
}
double by_recurrence(const Spec& spec, std::uint32_t i, double m) {
    const float scale = fl(std::pow(spec.rope_theta, -2.0 / spec.rotary_dim));
    float angle = fl(m);
    for (std::uint32_t k = 0; k < i; ++k) angle *= scale;
    return static_cast<double>(angle);
}
Angle scaled(const Angle& angle, double scale) {
    return [=](const Spec& spec, std::uint32_t i, double m) { return scale * angle(spec, i, m); };
}

// Equally spaced positions below the context, at most 8192.
std::vector<double> counting(std::uint64_t context) {
    std::vector<double> positions;
    const std::uint64_t step = (context + 8191) / 8192;
    for (std::uint64_t m = 0; m < context; m += step) positions.push_back(static_cast<double>(m));
    return positions;
}

OwnTable table_of(const Spec& spec, const Angle& angle, std::vector<double> positions,
                  Format format = Format::float32) {
    OwnTable table = table_of_angles(std::move(positions), spec.pairs(), Format::float32,
                                     [&](double m, std::uint32_t i) { return angle(spec, i, m); });
    table.format = format;
    for (auto* values : {&table.cos, &table.sin})
        for (double& value : *values) value = round_to(format, value);
    return table;
}

Profile profile_of(const Spec& spec, const RowSource& rows) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    return *make_comparison(spec, plan, rows, 1).profile;
}
std::string class_of(const Spec& spec, const RowSource& rows) {
    const Profile profile = profile_of(spec, rows);
    return profile.explains ? std::string(to_string(profile.arithmetic)) : "none";
}
std::string class_of(const Spec& spec, const Angle& angle, std::uint64_t context = 131072) {
    return class_of(spec, *table_rows(spec, table_of(spec, angle, counting(context))));
}

struct Way {
    const char* name;
    Angle angle;
};
const Way ways[] = {{"exact", in_float64},
                    {"double", rounded_once},
                    {"pow", by_power},
                    {"exp", by_logarithm},
                    {"iterative", by_recurrence}};

TEST(Profile, NamesTheArithmeticThatMadeATable) {
    const Spec spec = spec_of(128, 10000);
    for (const Way& way : ways) EXPECT_EQ(class_of(spec, way.angle), way.name);
}

// Each bound holds for bases, widths and scalings, so no correct implementation fails.
TEST(Profile, ExplainsEveryRightTableInEveryFormat) {
    const std::vector<double> positions{0, 1, 2, 3, 5, 100, 4095, 4097, 65521, 1048575};
    for (const double base : {10000.0, 12345.678, 5e5, 5e6})
        for (const std::uint32_t d : {2U, 4U, 64U, 80U, 96U, 128U, 192U, 256U})
            for (const Way& way : ways)
                for (const Format format : {Format::float32, Format::bfloat16, Format::float16}) {
                    const Spec spec = spec_of(d, base);
                    const OwnTable table = table_of(spec, way.angle, positions, format);
                    const std::string found = marks(spec, *table_rows(spec, table));
                    EXPECT_EQ(found.find('X'), found.npos)
                        << found << " " << way.name << " d=" << d << " base=" << base << " "
                        << to_string(format);
                }
}

// A limit that admits the next class's typical subject would give every subject that name.
TEST(Profile, OfEachClassIsBeyondTheOneBefore) {
    for (const double base : {10000.0, 5e5}) {
        const Spec spec = spec_of(128, base);
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        for (std::size_t a = 1; a < arithmetics.size(); ++a) {
            const auto rows = table_rows(spec, table_of(spec, ways[a].angle, counting(65536)));
            const std::vector<double> k = profile_of(spec, *rows).k;
            const std::vector<double> own = angle_k(arithmetics[a], spec, plan);
            const std::vector<double> before = angle_k(arithmetics[a - 1], spec, plan);
            bool is_beyond = false;
            for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
                EXPECT_LE(k[i], own[i]) << ways[a].name << " pair " << i;
                is_beyond = is_beyond || k[i] > before[i];
            }
            EXPECT_TRUE(is_beyond) << ways[a].name << " base=" << base;
        }
    }
}

// An error of 1.1 times a class's bound belongs to the next class; beyond the last class there is
// none.
TEST(Profile, OfASlowestPairBeyondAClassIsTheNext) {
    const Spec spec = spec_of(128, 10000);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    for (std::size_t a = 1; a < arithmetics.size(); ++a) {
        const std::vector<double> k = angle_k(arithmetics[a], spec, plan);
        for (const double share : {0.9, 1.1}) {
            FrequencyDump dump{{}, Format::float64, "inv_freq"};
            for (std::uint32_t i = 0; i < spec.pairs(); ++i)
                dump.inv_freq.push_back(in_float64(spec, i, 1));
            dump.inv_freq.back() *= 1 + share * k.back() * 0x1p-24;
            const std::string next = arithmetics[a] == least_exact
                                         ? "none"
                                         : std::string(to_string(next_less_exact(arithmetics[a])));
            EXPECT_EQ(class_of(spec, *frequency_rows(spec, dump, 2048)),
                      share < 1 ? std::string(to_string(arithmetics[a])) : next);
        }
    }
}

// 1.4e-5 is 235 units of 2^-24 in every pair, also in pair 0, which all arithmetic computes
// exactly.
TEST(Profile, OfFrequenciesTooHighByACommonFactorIsNoneAtAnyContext) {
    const Spec spec = spec_of(128, 10000);
    for (const Way& way : ways)
        for (const std::uint64_t context : {2U, 5U, 40U, 2048U, 131072U})
            EXPECT_EQ(class_of(spec, scaled(way.angle, 1.000014), context), "none")
                << way.name << " " << context;
    FrequencyDump dump{{}, Format::float32, "inv_freq"};
    for (std::uint32_t i = 0; i < spec.pairs(); ++i)
        dump.inv_freq.push_back(round_to(Format::float32, 1.000014 * in_float64(spec, i, 1)));
    EXPECT_EQ(class_of(spec, *frequency_rows(spec, dump, 1 << 20)), "none");
}

TEST(Profile, OfAnotherBaseIsNotFound) {
    const Spec spec = spec_of(128, 10000), other = spec_of(128, 10000.1);
    const auto rows = table_rows(spec, table_of(other, by_power, counting(4096)));
    EXPECT_EQ(class_of(spec, *rows), "none");
}

// A kernel that reduces its angles rounds each once more, also in pair 0, at any distance; larger
// errors in a pair do not pass.
TEST(Profile, OfReducedAnglesIsAsNarrowFarOut) {
    const Spec spec = spec_of(64, 10000);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    std::vector<double> positions = counting(4096);
    positions.insert(positions.end(), {131071, 16777215});
    for (const double sign : {1.0, -1.0})
        for (const Way& way : {ways[0], ways[1], ways[2]}) {
            const Angle angle = [&](const Spec& asked, std::uint32_t i, double m) {
                const double whole = 2 * std::numbers::pi;
                const double phi = std::fmod(way.angle(asked, i, m), whole);
                return fl(phi < 0 ? phi + whole : phi);
            };
            std::vector<double> at;
            for (const double m : positions) at.push_back(sign * m);
            const auto rows = table_rows(spec, table_of(spec, angle, at));
            const Comparison comparison = make_comparison(spec, plan, *rows, 1);
            EXPECT_TRUE(comparison.profile->explains && comparison.profile->reduced) << way.name;
            EXPECT_LT(comparison.tolerance(16777215, 0), 6e-7);
            const auto off =
                table_rows(spec, table_of(spec, scaled(angle, 1 + 0x1p-19), counting(64)));
            EXPECT_EQ(class_of(spec, *off), "none") << way.name;
        }
}

// One value without an explanation does not change the class of the rest.
TEST(Profile, OfADamagedTableIsThatOfTheRest) {
    const Spec spec = spec_of(128, 10000);
    OwnTable table = table_of(spec, by_power, counting(4096));
    table.cos[100 * spec.pairs() + 7] = std::nan("");
    const Profile profile = profile_of(spec, *table_rows(spec, table));
    EXPECT_FALSE(profile.explains);
    EXPECT_EQ(profile.arithmetic, Arithmetic::pow);
}

// float32 has no odd positions beyond 2^24; pair 0 is off by one only there.
TEST(Profile, AllowsARoundedPositionFrom16777216On) {
    const Spec spec = spec_of(64, 10000);
    const auto rows = [&](std::vector<double> positions) {
        return table_rows(spec, table_of(spec, by_power, std::move(positions)));
    };
    EXPECT_NE(class_of(spec, *rows({0, 1, 16777215, 16777217, 33554435})), "none");
    const OwnTable off = table_of(spec, scaled(by_power, 1 + 0x1p-24), {0, 1, 4096, 16777215});
    EXPECT_EQ(class_of(spec, *table_rows(spec, off)), "none");
}

}  // namespace rope::profile_test
