// The worst of all pairs of positions is found without looking at each: here each is looked at.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "rope/checks/columns.hpp"
#include "rope/checks/relative_position.hpp"
#include "rope/exact/phase.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/table/exact_rows.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Deviation deviation(double x, double y, double position) {
    return {x, y, 2 * x + (x * x + y * y), position};
}

// ---- points -----------------------------------------------------------------------------------

using Points = std::vector<Deviation>;

struct Cloud {
    const char* name;
    Deviation (*point)(Seeded& random, double position);
};

// v = e^{iφ}·(1 + r)
Deviation polar(double phi, double r, double position) {
    const double half = std::sin(phi / 2);
    return deviation((1 + r) * (-2 * half * half) + r, (1 + r) * std::sin(phi), position);
}
double spread(Seeded& random, double size) { return random.within(-size, size); }

// Re v ≥ 0, as hulls need it
const std::vector<Cloud> near_one{
    {"float32", [](Seeded& r, auto m) { return deviation(spread(r, 1e-7), spread(r, 1e-7), m); }},
    {"angles", [](Seeded& r, auto m) { return polar(spread(r, 1e-4), spread(r, 3e-8), m); }},
    {"moduli", [](Seeded& r, auto m) { return polar(spread(r, 3e-8), spread(r, 0.1), m); }},
    {"wide", [](Seeded& r, auto m) { return polar(spread(r, 1.3), spread(r, 0.2), m); }},
    {"arc", [](Seeded& r, auto m) { return polar(spread(r, 1), 0, m); }},
    {"lattice",
     [](Seeded& r, auto m) {
         return deviation(static_cast<double>(r.below(4)) * 0.125,
                          static_cast<double>(r.below(4)) * 0.125, m);
     }},
    {"offset", [](Seeded& r, auto m) { return polar(1 + spread(r, 1e-7), spread(r, 1e-7), m); }},
};

const std::vector<Cloud> anywhere{
    {"circle", [](Seeded& r, auto m) { return polar(spread(r, std::numbers::pi), 0, m); }},
    {"disc", [](Seeded& r, auto m) { return polar(spread(r, std::numbers::pi), spread(r, 1), m); }},
    {"far", [](Seeded& r, auto m) { return deviation(spread(r, 50), spread(r, 50), m); }},
    {"back", [](Seeded& r, auto m) { return polar(3 + spread(r, 0.3), spread(r, 1e-3), m); }},
    {"zeros",
     [](Seeded& r, auto m) { return r.below(2) == 0 ? deviation(-1, 0, m) : polar(2, 0, m); }},
    {"real", [](Seeded& r, auto m) { return deviation(spread(r, 3), 0, m); }},
};

Points draw(const Cloud& cloud, Seeded& random, std::size_t count) {
    Points points;
    for (std::uint64_t m = 0; m < count; ++m) {
        points.push_back(cloud.point(random, static_cast<double>(m)));
        if (random.below(8) == 0) points.push_back(points[random.below(points.size())]);
    }
    return points;
}

// Every size from 1 to 4, and a few larger.
template <class Test>
void for_random_points(const std::vector<Cloud>& clouds, Test test) {
    Seeded random(1);
    for (const Cloud& cloud : clouds)
        for (std::size_t count : {1U, 2U, 3U, 4U, 7U, 20U, 100U, 400U})
            for (int round = 0; round < 5; ++round) {
                SCOPED_TRACE(cloud.name + std::string(" of ") + std::to_string(count));
                test(draw(cloud, random, count));
            }
}

Points hull_of(const Points& points) {
    Hull hull;
    for (const Deviation& point : points) hull.insert(point);
    return hull.vertices();
}

// How far p is to the right of a → b, in units that rounding is small in.
double outside(const Deviation& a, const Deviation& b, const Deviation& p) {
    const double across = (b.u - a.u) * (p.y - a.y), along = (b.y - a.y) * (p.u - a.u);
    const double size = std::abs(across) + std::abs(along);
    return size == 0 ? 0 : (along - across) / size;
}

TEST(RelativeError, IsTheDistanceOfTheProductFromOne) {
    constexpr double oracle = 8 * std::numeric_limits<long double>::epsilon();
    Seeded random(1);
    for (int round = 0; round < 1000; ++round) {
        const double size = std::exp2(random.within(-30, 1));
        const Deviation a = deviation(spread(random, size), spread(random, size), 0);
        const Deviation b = deviation(spread(random, size), spread(random, size), 1);
        using Complex = std::complex<long double>;
        const Complex v(1 + static_cast<long double>(a.x), a.y),
            w(1 + static_cast<long double>(b.x), b.y);
        const auto want = static_cast<double>(std::abs(std::conj(v) * w - Complex(1)));
        EXPECT_NEAR(relative_error(a, b), want, 1e-15 * (size + size * size) + oracle);
        EXPECT_EQ(relative_error(a, b), relative_error(b, a));
    }
}

TEST(Hull, HoldsEveryPointAndIsConvex) {
    for_random_points(near_one, [](const Points& points) {
        const Points ring = hull_of(points);
        ASSERT_GE(ring.size(), 1u);
        for (std::size_t k = 0; k < ring.size(); ++k)
            for (const Deviation& point : points)
                EXPECT_LE(outside(ring[k], ring[(k + 1) % ring.size()], point), 1e-12) << k;
    });
}

TEST(Hull, IsMadeOfItsPoints) {
    for_random_points(near_one, [](const Points& points) {
        for (const Deviation& vertex : hull_of(points))
            EXPECT_TRUE(std::ranges::any_of(points, [&](const Deviation& point) {
                return point.x == vertex.x && point.y == vertex.y &&
                       point.position == vertex.position;
            }));
    });
}

TEST(Hull, HasTheWorstPairOfAllPoints) {
    for_random_points(near_one, [](const Points& points) {
        const double want = worst_pair_by_search(points).error;
        EXPECT_NEAR(worst_pair_by_search(hull_of(points)).error, want, 1e-9 * want + 0x1p-50);
    });
}

TEST(WorstPairAnywhere, IsTheWorstOfASearch) {
    const auto compare = [](const Points& points) {
        const double want = worst_pair_by_search(points).error;
        const WorstPair found = worst_pair_anywhere(points);
        EXPECT_NEAR(found.error, want, 1e-12 * want + 1e-14);
    };
    for_random_points(near_one, compare);
    for_random_points(anywhere, compare);
}

// As float64 tables with an offset do; each bound is then as large as the worst, but for rounding.
TEST(WorstPairAnywhere, OfManyPointsThatAgreeIsNoSearch) {
    Seeded random(1);
    Points points;
    for (std::uint64_t m = 0; m < 131072; ++m)
        points.push_back(
            polar(2 + spread(random, 3e-16), spread(random, 3e-16), static_cast<double>(m)));
    EXPECT_LE(worst_pair_anywhere(points).error, 1e-14);  // a search would take a minute
}

TEST(WorstPairAnywhere, OfNothingIsNoError) {
    EXPECT_EQ(worst_pair_anywhere({}).error, 0);
    EXPECT_EQ(worst_pair_by_search({}).error, 0);
}

TEST(WorstPairAnywhere, OfOnePointIsThatPointWithItself) {
    const WorstPair found = worst_pair_anywhere({deviation(0, 1, 5)});
    EXPECT_EQ(found.error, 1);  // |v|² − 1
    EXPECT_EQ(found.m, 5u);
    EXPECT_EQ(found.n, 5u);
}

TEST(WorstPairAnywhere, IsNanWhereAnyPointIs) {
    Seeded random(1);
    for (const Deviation& bad :
         {deviation(nan, 0, 7), deviation(0, nan, 7), deviation(HUGE_VAL, 0, 7)}) {
        Points points = draw(anywhere[0], random, 100);
        points[50] = bad;
        const WorstPair found = worst_pair_anywhere(points);
        EXPECT_TRUE(std::isnan(found.error));
        EXPECT_EQ(found.m, 7u);
    }
}

// ---- the check --------------------------------------------------------------------------------

// One pair's rows as deviations from the exact rows of the subject's own frequency.
Points read_column(const Comparison& comparison, std::uint32_t pair) {
    RealRows own(std::span(comparison.effective).subspan(pair, 1),
                 {comparison.effective_rates[pair]});
    const auto reader = comparison.subject.read({pair, 1});
    Points points;
    std::vector<std::uint64_t> rows;
    std::vector<double> positions;
    for (std::uint64_t begin = 0; begin < comparison.subject.rows(); begin += tile_rows) {
        rows.clear();
        positions.clear();
        for (std::uint64_t r = begin; r < std::min(begin + tile_rows, comparison.subject.rows());
             ++r) {
            rows.push_back(r);
            positions.push_back(comparison.subject.position_of(r, 0));
        }
        double c[tile_rows], s[tile_rows], effective_c[tile_rows], effective_s[tile_rows];
        reader->fill(rows, c, s);
        own.fill(positions, effective_c, effective_s);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const double re = c[r] * effective_c[r] + s[r] * effective_s[r];
            const double im = s[r] * effective_c[r] - c[r] * effective_s[r];
            points.push_back(deviation(re / comparison.effective_amplitude - 1,
                                       im / comparison.effective_amplitude, positions[r]));
        }
    }
    return points;
}

std::vector<WorstPair> check(const Comparison& comparison) {
    const std::uint32_t pairs = comparison.spec.pairs();
    RelativePosition relative_position(comparison, {0, pairs});
    RealRows own(comparison.effective, comparison.effective_rates);
    const auto reader = comparison.subject.read({0, pairs});
    std::vector<double> c(tile_rows * pairs), s = c, effective_c = c, effective_s = c;
    std::vector<std::uint64_t> rows;
    std::vector<double> positions;
    for (std::uint64_t begin = 0; begin < comparison.subject.rows(); begin += tile_rows) {
        rows.clear();
        positions.clear();
        for (std::uint64_t r = begin; r < std::min(begin + tile_rows, comparison.subject.rows());
             ++r) {
            rows.push_back(r);
            positions.push_back(comparison.subject.position_of(r, 0));
        }
        reader->fill(rows, c.data(), s.data());
        own.fill(positions, effective_c.data(), effective_s.data());
        relative_position.observe({positions,
                                   {0, pairs},
                                   c.data(),
                                   s.data(),
                                   nullptr,
                                   nullptr,
                                   effective_c.data(),
                                   effective_s.data()});
    }
    return relative_position.worst_pairs();
}

// A subject in a comparison against the Spec, from its own plan.
struct Judged {
    Spec spec;
    FrequencyPlan plan;
    std::unique_ptr<RowSource> subject;
    Comparison comparison;

    Judged(const Spec& asked, std::unique_ptr<RowSource> rows)
        : spec(asked),
          plan(plan_frequencies(spec, exact_precision)),
          subject(std::move(rows)),
          comparison(make_comparison(spec, plan, *subject, 1)) {}
};

// v is known to 2^-48, and E is about as exact as two of them.
double tolerance(double error) { return 1e-9 * error + 0x1p-46 * (1 + error); }

double error_at(const Points& points, const WorstPair& pair) {
    double worst = 0;  // of all rows at these positions
    for (const Deviation& a : points)
        for (const Deviation& b : points)
            if (a.position == pair.m && b.position == pair.n)
                worst = std::max(worst, relative_error(a, b));
    return worst;
}

void expect_the_worst_of_all_pairs(const Judged& judged) {
    const std::vector<WorstPair> found = check(judged.comparison);
    ASSERT_EQ(found.size(), judged.spec.pairs());
    for (std::uint32_t i = 0; i < judged.spec.pairs(); ++i) {
        SCOPED_TRACE("pair " + std::to_string(i));
        const Points points = read_column(judged.comparison, i);
        const double want = worst_pair_by_search(points).error;
        EXPECT_NEAR(found[i].error, want, tolerance(want));
        EXPECT_NEAR(found[i].error, error_at(points, found[i]), tolerance(want));
        EXPECT_LE(found[i].m, found[i].n);
    }
}

Spec wide_head(std::uint32_t dim) {
    Spec spec;
    spec.head_dim = spec.rotary_dim = dim;
    return spec;
}

// cos and sin of angle(m, i)
template <class Angle>
std::unique_ptr<RowSource> dump(const Spec& spec, std::uint64_t rows, Format format, Angle angle) {
    return table_rows(spec, table_of_angles(spec.pairs(), rows, format, angle));
}

class EveryPipeline : public testing::TestWithParam<Pipeline> {};

TEST_P(EveryPipeline, ReportsTheWorstOfAllPairsInEachFrequency) {
    const Spec spec = wide_head(128);
    expect_the_worst_of_all_pairs({spec, emulate(spec, GetParam(), 2048)});
}

std::string test_name(std::string_view pipeline) {
    std::string name(pipeline);
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(WorstPair, EveryPipeline,
                         testing::ValuesIn(pipelines().begin(), pipelines().end()),
                         [](const auto& row) { return test_name(row.param.name); });

// More rows than a column that leaves the half plane keeps.
class GrosslyWrong : public testing::TestWithParam<const char*> {};

TEST_P(GrosslyWrong, ReportsTheWorstOfAllPairsOfMoreRowsThanItKeeps) {
    const Spec spec = wide_head(4);
    expect_the_worst_of_all_pairs({spec, emulate(spec, find_pipeline(GetParam()), 12000)});
}

INSTANTIATE_TEST_SUITE_P(WorstPair, GrosslyWrong,
                         testing::Values("bf16-angles", "bf16-positions", "tf32"),
                         [](const auto& row) { return test_name(row.param); });

TEST(WorstPair, OfDumpsIsTheWorstOfAllPairs) {
    const Spec spec = wide_head(32);
    const double d = 32;
    const auto theta = [&](double i) { return std::pow(10000, -2 * i / d); };
    const std::uint64_t rows = 700;
    Seeded random(1);
    const auto judge = [&](const char* name, auto angle) {
        for (const Format format : {Format::float64, Format::float32, Format::bfloat16}) {
            SCOPED_TRACE(name + (" in " + std::string(to_string(format))));
            expect_the_worst_of_all_pairs({spec, dump(spec, rows, format, angle)});
        }
    };
    judge("sound", [&](double m, double i) { return m * theta(i); });
    judge("offset", [&](double m, double i) { return (m + 1) * theta(i); });
    judge("far offset", [&](double m, double i) { return (m + 1000) * theta(i); });
    judge("backwards", [&](double m, double i) { return -m * theta(i); });
    judge("modulo", [&](double m, double i) { return std::fmod(m, 100) * theta(i); });
    judge("squared", [&](double m, double i) { return m * m * theta(i); });
    judge("noise", [&](double m, double i) { return m * theta(i) + random.within(-1e-3, 1e-3); });
    judge("wide noise",
          [&](double m, double i) { return m * theta(i) + random.within(-1.2, 1.2); });
    judge("garbage", [&](double, double) { return random.within(0, 7); });
    judge("constant", [&](double, double) { return 2.0; });
}

TEST(WorstPair, OfRowsInNoCircleIsTheWorstOfAllPairs) {
    const Spec spec = wide_head(16);
    Seeded random(1);
    OwnTable table;
    table.pairs = spec.pairs();
    for (std::uint64_t row = 0; row < 500; ++row) {
        table.positions.push_back(
            static_cast<double>(random.below(1000)));  // unordered and with repeats
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            table.cos.push_back(random.within(-2, 2));
            table.sin.push_back(random.within(-2, 2));
        }
    }
    expect_the_worst_of_all_pairs({spec, table_rows(spec, table)});
}

class LongContext : public testing::TestWithParam<const char*> {};

TEST_P(LongContext, NoRandomPairExceedsTheWitnessWhichAttainsIt) {
    const Spec spec = wide_head(16);
    const std::uint64_t context = 131072;
    const Judged judged(spec, emulate(spec, find_pipeline(GetParam()), context));
    const std::vector<WorstPair> found = check(judged.comparison);
    Seeded random(1);
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        SCOPED_TRACE("pair " + std::to_string(i));
        const Points points = read_column(judged.comparison, i);
        const auto [m, n, error] = found[i];
        ASSERT_LT(n, context);
        EXPECT_NEAR(relative_error(points[static_cast<std::size_t>(m)],
                                   points[static_cast<std::size_t>(n)]),
                    error, tolerance(error));
        double worst = 0;
        for (int pair = 0; pair < 1'000'000; ++pair)
            worst = std::max(worst, relative_error(points[random.below(context)],
                                                   points[random.below(context)]));
        EXPECT_LE(worst, error + tolerance(error));
        EXPECT_GT(worst, error / 2);
    }
}

INSTANTIATE_TEST_SUITE_P(WorstPair, LongContext, testing::Values("hf-fp32", "bf16-positions"),
                         [](const auto& row) { return test_name(row.param); });

}  // namespace
}  // namespace rope
