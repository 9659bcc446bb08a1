#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plots/csv/csv.hpp"
#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"
#include "plots/svg/svg.hpp"
#include "rope/checks/decay.hpp"

namespace rope::plots {
namespace curve_test {

double wave(std::uint64_t s) { return std::sin(std::sqrt(static_cast<double>(s))); }

Series computed(Mark mark, std::uint64_t last) {
    Series series{"wave", mark, 0};
    series.curve = {last, [](std::uint64_t first, std::span<double> y) {
                        EXPECT_EQ(first % 64, 0U);
                        EXPECT_EQ(y.size() % 64, 0U);
                        EXPECT_LE(y.size(), 4096U);
                        for (double& value : y) value = wave(first++);
                    }};
    return series;
}

Series kept(Mark mark, std::uint64_t last) {
    Series series{"wave", mark, 0};
    for (std::uint64_t s = 1; s <= last; ++s) {
        series.x.push_back(static_cast<double>(s));
        series.y.push_back(wave(s));
    }
    return series;
}

constexpr std::uint64_t lengths[] = {0,   1,    2,    62,   63,   64,   65,   127,
                                     128, 4094, 4095, 4096, 4097, 8191, 8192, 100'003};

Figure figure_of(Series series) {
    Figure figure;
    figure.panels.resize(1);
    figure.panels[0].x = {"s", Scale::log2, 1, 100'003, {}};
    figure.panels[0].y = {"y", Scale::linear, -1, 1, {}};
    figure.panels[0].series = {std::move(series)};
    return figure;
}

TEST(Curve, IsReadAsItsPoints) {
    for (const std::uint64_t last : lengths) {
        const Series read = stored(computed(Mark::line, last)), expected = kept(Mark::line, last);
        EXPECT_EQ(read.x, expected.x) << last;
        EXPECT_EQ(read.y, expected.y) << last;
    }
}

TEST(Curve, IsDrawnAndListedAsStoredPointsAre) {
    for (const Mark mark : {Mark::line, Mark::band, Mark::dots}) {
        for (const std::uint64_t last : lengths) {
            const Figure anew = figure_of(computed(mark, last)), once = figure_of(kept(mark, last));
            EXPECT_EQ(to_svg(anew), to_svg(once)) << last;
            EXPECT_EQ(to_csv(anew), to_csv(once)) << last;
            EXPECT_EQ(to_csv(plotted_points(anew)), to_csv(plotted_points(once))) << last;
        }
    }
}

TEST(Csv, IsWrittenInPartsOfBoundedSize) {
    const Figure figure = figure_of(computed(Mark::line, 100'003));
    std::string joined;
    write_csv(figure, [&](std::string_view part) {
        EXPECT_LT(part.size(), 70'000U);
        joined += part;
    });
    EXPECT_EQ(joined, to_csv(figure));
    EXPECT_GT(joined.size(), 1'000'000U);
}

std::vector<NamedSpec> unlike_specs() {
    Spec narrow;
    narrow.head_dim = narrow.rotary_dim = 6;
    std::vector<NamedSpec> specs = base_and_scaled(Spec{});
    specs.push_back({"narrow", narrow});
    return specs;
}

// a row of a CSV evaluates each of them in turn
TEST(Decays, FollowTheirSpecInAnyOrder) {
    constexpr std::uint64_t last = 10'000;
    const std::vector<NamedSpec> specs = unlike_specs();
    const Figure figure = decay_figure(specs, last);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const auto [mean_cos, roformer] =
            decay_curves(plan_frequencies(specs[i].spec, exact_precision), last);
        PointReader mean(figure.panels[0].series[i]), bound(figure.panels[1].series[i]);
        PointReader other(figure.panels[1].series[(i + 1) % specs.size()]);
        for (std::uint64_t s = 1; s <= last; ++s) {
            ASSERT_EQ(mean.y(), mean_cos[s]) << s;
            ASSERT_EQ(bound.y(), roformer[s]) << s;
            for (PointReader* reader : {&mean, &other, &bound}) reader->advance();
        }
        EXPECT_TRUE(mean.ended() && bound.ended());
    }
}

TEST(Decays, KnowTheShapeOfTheMeanCosine) {
    const std::vector<NamedSpec> specs = unlike_specs();
    for (const std::uint64_t last : {2U, 11U, 12U, 63U, 64U, 5000U}) {
        const std::vector<Decay> decays = decays_of(specs, last);
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const FrequencyPlan plan = plan_frequencies(specs[i].spec, exact_precision);
            const std::vector<double> curve = decay_curves(plan, last).mean_cos;
            const auto least = std::ranges::min_element(curve);
            const auto rise = std::ranges::adjacent_find(
                curve, [](double a, double b) { return b - a > 0x1p-47; });
            const Decay& shape = decays[i];
            EXPECT_EQ(shape.least, *least);
            EXPECT_EQ(shape.least_at, static_cast<std::uint64_t>(least - curve.begin()));
            ASSERT_EQ(shape.first_rise.has_value(), rise != curve.end());
            if (shape.first_rise) {
                EXPECT_EQ(*shape.first_rise, static_cast<std::uint64_t>(rise - curve.begin()) + 1);
            }
        }
    }
}

}  // namespace curve_test
}  // namespace rope::plots
