#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "plots/csv/csv.hpp"
#include "plots/judged/judged.hpp"
#include "plots/parts/text.hpp"
#include "plots/stored.hpp"
#include "plots/svg/raster.hpp"
#include "plots/svg/svg.hpp"
#include "plots/text_boxes.hpp"
#include "plots/xml_checker.hpp"
#include "rope/session/session.hpp"
#include "rope/specs.hpp"

namespace rope::plots {
namespace precision_test {

MappedReport judged(const char* pipeline, std::uint64_t context, std::uint32_t d = 128) {
    MappedReport mapped{.label = pipeline, .report = {}, .errors = {}};
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.errors = {&mapped.errors};
    mapped.report = verify(spec_of(d, 1e4), find_pipeline(pipeline), context, options);
    return mapped;
}

Figure figure_of(const MappedReport& mapped) { return precision_figure({&mapped, 1}); }

FieldValue& field_of(MappedReport& mapped, const std::string& name) {
    return std::ranges::find(mapped.report.findings.at(0).fields, name, &Field::name)->value;
}

TEST(PrecisionFigure, SaysInItsTitleWhatTheReportSays) {
    MappedReport passing = judged("hf-fp32", 4096);
    field_of(passing, "worst_error") = 1.23456e-4;
    EXPECT_EQ(figure_of(passing).title, "hf-fp32: passes, largest error 0.00012");
    EXPECT_EQ(figure_of(judged("bf16-angles", 4096)).title,
              "bf16-angles: position*inv_freq was rounded to 8 bits before cos; keep the angle in "
              "float32");
    MappedReport diagnosed = judged("hf-fp32", 64);
    diagnosed.report.diagnosis.resize(2);
    diagnosed.report.diagnosis[0].what = "rope_theta is 10000 instead of 500000";
    diagnosed.report.diagnosis[1].what = "positions are off by 1";
    EXPECT_EQ(figure_of(diagnosed).title,
              "hf-fp32: rope_theta is 10000 instead of 500000; positions are off by 1");
}

TEST(PrecisionFigure, SaysOfSeveralSubjectsWhatIsTrueOfAll) {
    std::vector<MappedReport> two(2, judged("bf16-angles", 64));
    EXPECT_EQ(precision_figure(two).title,
              "2 subjects: position*inv_freq was rounded to 8 bits before cos; keep the angle in "
              "float32");
    two[1] = judged("hf-fp32", 64);
    EXPECT_EQ(precision_figure(two).title, "2 subjects: 1 passes, 1 fails");
    two[0] = judged("ggml", 64);
    EXPECT_EQ(precision_figure(two).title, "2 subjects: all pass");
}

// Every number is the report's: change it, and the figure changes.
TEST(PrecisionFigure, DrawsTheNumbersOfTheReport) {
    MappedReport mapped = judged("bf16-angles", 4096);
    Finding& finding = mapped.report.findings.at(0);
    finding.violations = Violations{9, 300, 7};
    field_of(mapped, "first_beyond_1e_3") = std::uint64_t{200};
    field_of(mapped, "worst_error") = 0.125;
    field_of(mapped, "worst_error_position") = std::uint64_t{4000};
    field_of(mapped, "worst_error_pair") = std::uint64_t{50};
    const Panel panel = figure_of(mapped).panels.at(0);
    ASSERT_EQ(panel.rules.size(), 2U);
    EXPECT_EQ(panel.rules[0].x, 200);
    EXPECT_EQ(panel.rules[0].label, "error above 10⁻³ from position 200");
    EXPECT_EQ(panel.rules[1].x, 300);
    EXPECT_EQ(panel.rules[1].label, "error above its tolerance from position 300");
    ASSERT_EQ(panel.markers.size(), 1U);
    EXPECT_NEAR(panel.markers[0].x, 4000, 3);
    EXPECT_EQ(panel.markers[0].y, 50);
    EXPECT_EQ(panel.markers[0].tag, "worst error 0.12 at position 4,000, pair 50");
    finding.violations.reset();
    field_of(mapped, "first_beyond_1e_3") = std::monostate{};
    EXPECT_TRUE(figure_of(mapped).panels[0].rules.empty());
}

TEST(PrecisionFigure, MarksTheMiddleOfAColumnOfOnePosition) {
    MappedReport mapped = judged("hf-fp32", 10, 4);
    field_of(mapped, "worst_error_position") = std::uint64_t{7};
    const Panel panel = figure_of(mapped).panels.at(0);
    EXPECT_EQ(panel.markers.at(0).x, 7.5);
    // and has its tick there
    for (const Tick& tick : panel.x.ticks) EXPECT_EQ(fixed(tick.value - 0.5, 0), tick.label);
    EXPECT_EQ(panel.x.ticks.front().value, 0.5);
    EXPECT_LT(panel.x.ticks.back().value, panel.x.last);
}

// Both were at 2⁰.
TEST(PrecisionFigure, HasATickAndAColumnForPositions0And1) {
    MappedReport mapped = judged("hf-fp32", 2048, 4);
    std::vector<double> places;
    for (const std::uint64_t position : {0U, 1U, 2U}) {
        field_of(mapped, "worst_error_position") = position;
        const Panel panel = figure_of(mapped).panels.at(0);
        const Tick& tick = panel.x.ticks.at(position);
        EXPECT_EQ(tick.label,
                  position == 0 ? "0" : "2" + superscript(static_cast<long>(position) - 1));
        EXPECT_EQ(panel.markers.at(0).x, tick.value);
        EXPECT_EQ(panel.heatmap->edges.at(position), static_cast<double>(position));
        EXPECT_GT(tick.value, panel.x.first);
        places.push_back(tick.value);
    }
    EXPECT_LT(places[0], 1);
    EXPECT_GT(places[1], 1);
}

TEST(PrecisionFigure, ColoursTheErrorsOfItsCells) {
    MappedReport mapped = judged("hf-fp32", 64, 4);
    std::ranges::fill(mapped.errors.worst, 1e-4F);
    const Heatmap before = *figure_of(mapped).panels[0].heatmap;
    mapped.errors.worst[mapped.errors.columns() + 3] = 1;  // pair 1
    const Heatmap after = *figure_of(mapped).panels[0].heatmap;
    EXPECT_EQ(before.rows, (std::vector<std::string>{"pair 0", "pair 1"}));
    const Picture plain = picture_of(before, 8, 1), one = picture_of(after, 8, 1);
    ASSERT_EQ(plain.height, 2U);
    ASSERT_EQ(plain.pixels.size(), one.pixels.size());
    for (std::size_t k = 0; k < one.pixels.size(); ++k) {
        const bool is_cell = k < one.width && after.columns[k] == 3;  // pair 1 is on top
        EXPECT_EQ(one.pixels[k], is_cell ? 249 : plain.pixels[0]) << k;
    }
}

TEST(PrecisionFigure, ShowsWhatIsNotFiniteAndWhereNothingIs) {
    Heatmap heatmap{{0, 1, 2, 3, 4}, {0, 1, 2, 3}, {"pair 0"}, {}, 1e-8, 1, ""};
    heatmap.values = {std::numeric_limits<float>::infinity(), -1, 0, 5};
    const Picture picture = picture_of(heatmap, 2, 0.5);
    ASSERT_EQ(picture.pixels.size(), 4U);
    const auto color = [&](std::size_t k) { return picture.palette[picture.pixels[k]]; };
    EXPECT_EQ(color(0).red, 0xdc);
    EXPECT_EQ(color(1).opacity, 0);
    EXPECT_EQ(picture.pixels[2], 0);    // no error
    EXPECT_EQ(picture.pixels[3], 249);  // more than 1
}

TEST(PrecisionFigure, BrightensWithTheError) {
    Heatmap heatmap{{0, 1}, {0}, {"pair 0"}, {0}, 1e-8, 1, ""};
    const std::vector<Color> palette = picture_of(heatmap, 1, 1).palette;
    const auto luminance = [](const Color& c) {
        return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    };
    for (std::size_t k = 10; k < 250; k += 10)
        EXPECT_GT(luminance(palette[k]), luminance(palette[k - 10])) << k;
}

TEST(PrecisionFigure, IsLegibleSmallAndTheSameTwice) {
    const MappedReport small = judged("exact", 1, 2), few = judged("hf-fp32", 10, 2),
                       wide = judged("bf16-angles", 4096, 2048), usual = judged("hf-fp32", 131072);
    for (const MappedReport* mapped : {&small, &few, &wide, &usual}) {
        const std::string svg = to_svg(figure_of(*mapped));
        EXPECT_EQ(XmlChecker::complaint(svg), "");
        EXPECT_EQ(TextBoxes::complaint(svg), "");
        EXPECT_LT(svg.size(), 300'000U);
        EXPECT_EQ(svg, to_svg(figure_of(*mapped)));
    }
    const std::vector<MappedReport> all = {small, few, usual};
    const std::string svg = to_svg(precision_figure(all));
    EXPECT_EQ(TextBoxes::complaint(svg), "");
    EXPECT_NE(svg.find("3 subjects: 2 pass, 1 not applicable"), svg.npos);
}

TEST(PrecisionFigure, ListsItsCellsAsCsv) {
    MappedReport mapped = judged("hf-fp32", 3, 4);
    mapped.errors.worst = {0, 0.5F, -1, 0.25F, std::numeric_limits<float>::infinity(), 1e-3F};
    EXPECT_EQ(to_csv(figure_of(mapped)),
              "\"from\",\"to\",\"pair 0\",\"pair 1\"\n0,1,0,0.25\n1,2,0.5,\n2,3,,0.001\n");
    const std::vector<MappedReport> two = {mapped, mapped};
    EXPECT_EQ(to_csv(precision_figure(two)).substr(0, 65),
              "\"subject\",\"from\",\"to\",\"pair 0\",\"pair 1\"\n\"hf-fp32\",0,1,0,0.25\n\"hf-");
}

}  // namespace precision_test
}  // namespace rope::plots
