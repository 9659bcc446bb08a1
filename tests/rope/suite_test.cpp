// The conformance suite contains everything that its manifest lists, right implementations pass it,
// and the answer of each mistake fails it.
#include "rope/suite/suite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "rope/diagnose/explain.hpp"

namespace rope::suite_test {

const std::vector<SuiteCase>& cases() {
    static const std::vector<SuiteCase> all = suite_cases();
    return all;
}

template <typename Test>
void of_every_case(const Test& test) {
    for (std::size_t place = 0; place < cases().size(); ++place) {
        SCOPED_TRACE(cases()[place].id);
        test(cases()[place], SuiteValues(cases()[place], place));
    }
}

TEST(Suite, HasEveryRopeTypeLayoutAxisSchemeDirectionAndPartialWidth) {
    std::set<std::pair<std::string, PairLayout>> types;
    std::set<std::pair<AxisScheme, PairLayout>> schemes;
    std::set<std::pair<Direction, PairLayout>> directions;
    std::set<std::string> ids;
    std::set<double> positions;
    int partial = 0, at_the_end = 0;
    for (const SuiteCase& one : cases()) {
        const Spec& spec = one.spec;
        validate(spec);
        EXPECT_TRUE(ids.insert(one.id).second) << one.id;
        types.emplace(spec.scaling.rope_type, spec.layout);
        schemes.emplace(spec.axes.scheme, spec.layout);
        directions.emplace(spec.direction, spec.layout);
        partial += spec.rotary_dim < spec.head_dim && spec.rotary_offset == 0;
        at_the_end += spec.rotary_offset > 0;
        EXPECT_EQ(one.positions.size(), axis_count(spec.axes)) << one.id;
        for (const auto& axis : one.positions) positions.insert(axis.begin(), axis.end());
    }
    EXPECT_EQ(types.size(), 3 * variants().size());
    EXPECT_EQ(schemes.size(), 3 * 10);
    EXPECT_EQ(directions.size(), 3 * 2);
    EXPECT_EQ(partial, 3);
    EXPECT_EQ(at_the_end, 3);
    for (const double m : {0., 1., 255., 256., 257., 2047., 2048., 2049., 4096., 65519., 131071.,
                           1048575., 2147483647.})
        EXPECT_TRUE(positions.contains(m)) << m;
}

TEST(Suite, EveryInputIsANumberOfEveryFormatAndItsProductsAreNormal) {
    of_every_case([](const SuiteCase&, const SuiteValues& values) {
        for (const SuiteOutput output : suite_outputs)
            for (const double x : values.input(output)) {
                for (const Format format : suite_formats) ASSERT_EQ(round_to(format, x), x);
                ASSERT_GE(std::abs(x), 0x1p-6);
                ASSERT_LE(std::abs(x), 6);
            }
    });
}

// R(m)x with libm in T, from the suite's arrays; back: R(m)ᵀx.
template <typename T>
std::vector<double> rotated(const SuiteCase& one, const SuiteValues& values, SuiteOutput output) {
    const std::vector<double>& x = values.input(output);
    std::vector<double> y = x;
    const std::vector<SuitePair> pairs = suite_pairs(one.spec);
    const T a = static_cast<T>(values.plan().attention_factor);
    for (std::size_t row = 0; row < one.rows(); ++row)
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const T m = static_cast<T>(one.positions[pairs[i].axis][row]);
            const T phi = m * static_cast<T>(values.plan().pairs[i].inv_freq.to_double());
            const bool back = output == SuiteOutput::dx;
            const T c = a * std::cos(phi), s = a * (back ? -std::sin(phi) : std::sin(phi));
            const auto from = back ? pairs[i].writes : pairs[i].reads;
            const auto to = back ? pairs[i].reads : pairs[i].writes;
            const std::size_t at = row * one.spec.head_dim;
            const T x1 = static_cast<T>(x[at + from[0]]), x2 = static_cast<T>(x[at + from[1]]);
            y[at + to[0]] = static_cast<double>(x1 * c - x2 * s);
            y[at + to[1]] = static_cast<double>(x2 * c + x1 * s);
        }
    return y;
}

TEST(Suite, LibmInFloat64AndFloat32PassesWithItsArithmeticsTolerance) {
    of_every_case([](const SuiteCase& one, const SuiteValues& values) {
        for (const SuiteOutput output : suite_outputs) {
            const SuiteTest wide(one, values, output, Format::float64);
            EXPECT_LE(wide.worst(rotated<double>(one, values, output), Arithmetic::exact).ratio, 1);
            const std::vector<double> y = rotated<float>(one, values, output);
            for (const Format format : {Format::float32, Format::bfloat16, Format::float16}) {
                std::vector<double> cast = y;
                for (double& value : cast) value = round_to(format, value);
                const SuiteTest test(one, values, output, format);
                EXPECT_LE(test.worst(cast, Arithmetic::rounded).ratio, 1) << to_string(format);
            }
            EXPECT_FALSE(wide.worst(y, Arithmetic::exact).holds());
        }
    });
}

// ⟨R(m)q, dy⟩ = ⟨q, R(m)ᵀdy⟩, row by row
TEST(Suite, TheGradientIsTheAdjointOfTheRotation) {
    of_every_case([](const SuiteCase& one, const SuiteValues& values) {
        const std::vector<double>&q = values.input(SuiteOutput::q_rot),
              &dy = values.input(SuiteOutput::dx);
        const std::vector<double> y = values.answer(SuiteOutput::q_rot, Format::float64),
                                  dx = values.answer(SuiteOutput::dx, Format::float64);
        for (std::size_t row = 0; row < one.rows(); ++row) {
            double forth = 0, back = 0, size = 0;
            for (std::size_t k = row * one.spec.head_dim; k < (row + 1) * one.spec.head_dim; ++k) {
                forth += y[k] * dy[k];
                back += q[k] * dx[k];
                size += std::abs(y[k] * dy[k]) + std::abs(q[k] * dx[k]);
            }
            EXPECT_NEAR(forth, back, size * 0x1p-50) << "row " << row;
        }
    });
}

TEST(Suite, EachWrongAnswerIsRejectedWithAnyAllowedArithmetic) {
    std::set<std::string_view> shown;
    for (const WrongAnswer& wrong : wrong_answers(cases())) {
        SCOPED_TRACE(std::string(wrong.mistake) + ": " + std::string(wrong.what));
        std::size_t place = 0;
        while (cases()[place].id != wrong.of_case) ++place;
        const SuiteValues values(cases()[place], place);
        const SuiteTest test(cases()[place], values, wrong.output, Format::float32);
        EXPECT_TRUE(test.worst(test.want(), Arithmetic::exact).holds());
        for (const Arithmetic arithmetic : arithmetics)
            EXPECT_FALSE(test.worst(wrong.y, arithmetic).holds()) << to_string(arithmetic);
        shown.insert(find_mistake(wrong.mistake).id);
    }
    // mistakes of calls, which no suite contains
    shown.insert({"state", "input"});
    for (const Mistake& mistake : mistakes()) EXPECT_TRUE(shown.contains(mistake.id)) << mistake.id;
}

TEST(Suite, ADimensionThatDoesNotRotateMustNotChange) {
    of_every_case([](const SuiteCase& one, const SuiteValues& values) {
        if (one.id != "partial-interleaved") return;
        const SuiteTest test(one, values, SuiteOutput::q_rot, Format::bfloat16);
        std::vector<double> y = test.want();
        y[one.spec.head_dim + 12] += 0x1p-20;
        const SuiteWorst worst = test.worst(y, least_exact);
        EXPECT_FALSE(worst.holds());
        EXPECT_EQ(worst.row, 1U);
        EXPECT_EQ(worst.dimension, 12U);
        y = test.want();
        y[3] = std::nan("");
        EXPECT_FALSE(test.worst(y, least_exact).holds());
    });
}

}  // namespace rope::suite_test
