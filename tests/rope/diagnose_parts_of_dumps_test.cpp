// Faults of a part of a dump, of its order, and of where positions come from: each is named with
// the part that it is of, and nothing is said of rows that it does not explain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/spec/lanes.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace diagnose_parts_of_dumps_test {

struct Place {
    std::uint64_t batch, head, index;
    double m;
};

// [batches, heads, length, lanes], and how an implementation turns it.
struct Shape {
    std::uint64_t batches = 1, heads = 4, length = 300;
    std::function<std::uint64_t(std::uint64_t batch, std::uint64_t index)> position =
        [](std::uint64_t, std::uint64_t index) { return index; };
};

const Spec spec = spec_of(32, 10000);

RotatedDump turned(
    const Shape& shape, const std::function<double(const Place&)>& place,
    const std::function<double(std::uint32_t pair, double theta)>& change =
        [](std::uint32_t, double theta) { return theta; },
    const std::vector<std::uint64_t>& order = {},
    const std::function<double(double angle)>& rounded = [](double angle) { return angle; }) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Seeded random(5);
    const std::uint64_t lanes = spec.head_dim;
    const std::uint64_t rows = shape.batches * shape.heads * shape.length;
    std::vector<double> before(rows * lanes), after(rows * lanes);
    std::vector<double> positions(rows);
    for (double& x : before) x = static_cast<float>(random.within(-2, 2));
    for (std::uint64_t row = 0; row < rows; ++row) {
        const std::uint64_t index = row % shape.length, head = row / shape.length % shape.heads,
                            batch = row / shape.length / shape.heads;
        positions[row] = static_cast<double>(shape.position(batch, index));
        const double m = place({batch, head, index, positions[row]});
        std::vector<double> cos(spec.pairs()), sin(spec.pairs());
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double angle = rounded(m * change(i, plan.pairs[i].inv_freq.to_double()));
            cos[i] = std::cos(angle);
            sin[i] = std::sin(angle);
        }
        const std::uint64_t from =
            order.empty() ? row : (batch * shape.heads + order[head]) * shape.length + index;
        const auto x = before.begin() + static_cast<std::ptrdiff_t>(from * lanes);
        const std::vector<double> y =
            rotate(spec, {x, x + static_cast<std::ptrdiff_t>(lanes)}, cos, sin);
        for (std::uint64_t lane = 0; lane < lanes; ++lane)
            after[row * lanes + lane] = static_cast<float>(y[lane]);
    }
    RotatedDump dump{
        std::move(positions), {before, lanes}, {after, lanes}, Format::float32, "", {}};
    dump.grid = {{shape.batches, shape.heads * shape.length},
                 {shape.heads, shape.length},
                 {shape.length, 1}};
    return dump;
}

// "position-offset offset=2 heads=0"
std::string text_of(const Explanation& one) {
    std::string text = one.mistake;
    for (const auto& [key, value] : one.parameters) {
        text += " " + key + "=";
        if (const auto* number = std::get_if<double>(&value))
            text += std::to_string(std::lround(*number));
        if (const auto* count = std::get_if<std::uint64_t>(&value)) text += std::to_string(*count);
        if (const auto* word = std::get_if<std::string>(&value)) text += *word;
    }
    return text;
}

std::vector<std::string> named(const RotatedDump& dump) {
    std::vector<std::string> names;
    for (const Explanation& one : diagnose(spec, dump).explanations) names.push_back(text_of(one));
    std::ranges::sort(names);
    return names;
}

using Names = std::vector<std::string>;

// x1 = x1·c − x2·s; x2 = x2·c + x1·s of lanes `step` apart, three positions on, or x2 first.
std::vector<double> sheared(const RotatedDump& dump, bool first, std::size_t step) {
    std::vector<double> after;
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        std::vector<double> x(spec.head_dim);
        dump.before.read(row, 0, spec.head_dim, x.data());
        for (std::size_t i = 0; i < spec.pairs(); ++i) {
            const double angle = (dump.positions[row] + 3) *
                                 std::pow(spec.rope_theta, -2.0 * static_cast<double>(i) / 32);
            double &x1 = x[step == 1 ? 2 * i : i], &x2 = (&x1)[step];
            const double s = std::sin(angle);
            double &written = first ? x1 : x2, &other = first ? x2 : x1;
            written = static_cast<float>(written * std::cos(angle) + (first ? -s : s) * other);
            other = static_cast<float>(other * std::cos(angle) + (first ? s : -s) * written);
        }
        after.insert(after.end(), x.begin(), x.end());
    }
    return after;
}

// 300 rows: the first head stands for its positions if one does
TEST(OneHead, OffByTwoIsNotSaidOfEveryRow) {
    EXPECT_EQ(named(turned({}, [](const Place& at) { return at.m + (at.head == 0 ? 2 : 0); })),
              Names{"position-offset offset=2 heads=0"});
}

TEST(OneHead, ThatDoesNotTurnIsNamed) {
    EXPECT_EQ(named(turned({}, [](const Place& at) { return at.head == 3 ? 0 : at.m; })),
              Names{"not-rotated heads=3"});
    EXPECT_EQ(named(turned({1, 4, 48}, [](const Place& at) { return at.head == 3 ? 0 : at.m; })),
              Names{"not-rotated heads=3"});
}

TEST(OneHead, OffBesideAFaultOfAllIsNamedWithIt) {
    const auto later = [](const Place& at) { return at.m + (at.head == 1 ? 5 : 0); };
    EXPECT_EQ(named(turned({}, later, [](std::uint32_t, double theta) { return -theta; })),
              (Names{"direction", "position-offset offset=5 heads=1"}));
}

TEST(OneBatchEntry, IsNamed) {
    EXPECT_EQ(
        named(turned({3, 2, 100}, [](const Place& at) { return at.batch == 1 ? at.m + 1 : at.m; })),
        Names{"position-offset offset=1 batch=1"});
}

TEST(Heads, InAnotherOrderAreNamed) {
    EXPECT_EQ(named(turned(
                  {2, 4, 40}, [](const Place& at) { return at.m; },
                  [](std::uint32_t, double theta) { return theta; }, {0, 2, 1, 3})),
              Names{"head-order heads=0, 2, 1, 3"});
}

TEST(Positions, AlongTheHeadsAxisAreNamed) {
    EXPECT_EQ(
        named(turned({1, 8, 300}, [](const Place& at) { return static_cast<double>(at.head); })),
        Names{"position-source source=head number"});
}

// Flat numbers of rows and heads, in either order.
TEST(Positions, CountedThroughHeadsAndRowsAreNamedByOneRule) {
    const auto number = [](std::uint64_t major, std::uint64_t count, std::uint64_t minor) {
        return static_cast<double>(major * count + minor);
    };
    EXPECT_EQ(
        named(turned({1, 8, 64}, [&](const Place& at) { return number(at.head, 64, at.index); })),
        Names{"position-source source=row of the heads heads=1–7"});
    EXPECT_EQ(
        named(turned({1, 8, 64}, [&](const Place& at) { return number(at.index, 8, at.head); })),
        Names{"position-source source=head of the rows"});
    EXPECT_EQ(
        named(turned({2, 3, 50}, [&](const Place& at) { return number(at.index, 3, at.head); })),
        Names{"position-source source=head of the rows"});
}

TEST(Positions, CountedThroughHeadsRowsAndEntriesAreNamedByOneRule) {
    const auto of_heads = [](const Place& at) {
        return static_cast<double>((at.batch * 3 + at.head) * 50 + at.index);
    };
    const auto of_rows = [](const Place& at) {
        return static_cast<double>((at.batch * 50 + at.index) * 3 + at.head);
    };
    // head 0 of entry 0 is right by this rule, too
    const std::string rows = "position-source source=row of the batch's heads";
    EXPECT_EQ(named(turned({2, 3, 50}, of_heads)),
              (Names{rows + " batch=0 heads=1–2", rows + " batch=1"}));
    const Names names = named(turned({2, 3, 50}, of_rows));
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(names[0], "position-source source=head of the batch's rows");
}

TEST(Positions, CountedThroughHeadsFromAStartAreNamedWithIt) {
    EXPECT_EQ(named(turned({1, 4, 64},
                           [](const Place& at) {
                               return static_cast<double>(at.head * 64 + at.index + 5);
                           })),
              (Names{"position-offset offset=5", "position-source source=row of the heads"}));
}

// One row is not where the rule puts it.
TEST(Positions, CountedThroughHeadsButOneAreNotSaidToBeOfThatHead) {
    const auto but_one = [](const Place& at) {
        const bool is_odd = at.head == 5 && at.index == 33;
        return static_cast<double>(at.index * 8 + at.head + (is_odd ? 11 : 0));
    };
    EXPECT_EQ(named(turned({1, 8, 64}, but_one)),
              (Names{"position-scale scale=8 heads=0",
                     "position-source source=head of the rows heads=1–4, 6–7"}));
}

TEST(Positions, OfSequenceZeroAreNamedWhereTheyAreWrong) {
    Shape shape{2, 2, 300};
    shape.position = [](std::uint64_t batch, std::uint64_t index) {
        return index + 37 * batch * (index > 9 ? 1 : 0);
    };
    EXPECT_EQ(named(turned(shape, [](const Place& at) { return static_cast<double>(at.index); })),
              Names{"position-source source=row number batch=1"});
}

TEST(Positions, OfPackedDocumentsIgnoredAreNamed) {
    Shape shape;
    shape.position = [](std::uint64_t, std::uint64_t index) { return index % 130; };
    EXPECT_EQ(named(turned(shape, [](const Place& at) { return static_cast<double>(at.index); })),
              Names{"position-source source=row number"});
}

// the first and the last part of eight of a sequence, as context parallelism deals them out
TEST(Positions, OfAZigzagShardIgnoredAreNoWrap) {
    Shape shape{1, 4, 256};
    shape.position = [](std::uint64_t, std::uint64_t index) {
        return index < 128 ? index : index + 768;
    };
    const RotatedDump local =
        turned(shape, [](const Place& at) { return static_cast<double>(at.index); });
    const Diagnosis found = diagnose(spec, local);
    EXPECT_EQ(named(local), Names{"position-source source=row number"});
    EXPECT_EQ(found.explanations[0].equivalent,
              (std::vector<std::string>{"position-wrap period=768",
                                        "position-offset offset=-768 from=896"}));
}

TEST(Positions, OfAShardDealtOutInOrderAreRowNumbersFromItsStart) {
    Shape shape{1, 4, 256};
    shape.position = [](std::uint64_t, std::uint64_t index) {
        return index < 128 ? index + 128 : index + 640;
    };
    EXPECT_EQ(
        named(turned(shape, [](const Place& at) { return static_cast<double>(at.index + 256); })),
        (Names{"position-offset offset=256", "position-source source=row number"}));
}

// rank 1 of 4, to which every fourth token is dealt
TEST(Positions, OfAStripedShardIgnoredAreNoQuotientAndNoScale) {
    Shape shape{1, 4, 128};
    shape.position = [](std::uint64_t, std::uint64_t index) { return 4 * index + 1; };
    const auto moved_by = [&](double k) {
        return turned(shape, [k](const Place& at) { return static_cast<double>(at.index) + k; });
    };
    const Names source{"position-source source=row number"};
    EXPECT_EQ(named(moved_by(0)), source);
    EXPECT_EQ(diagnose(spec, moved_by(0)).explanations[0].equivalent,
              Names{"position-collapse divisor=4"});
    EXPECT_EQ(named(moved_by(1)), (Names{"position-offset offset=1", source[0]}));
    EXPECT_EQ(named(moved_by(128)), (Names{"position-offset offset=128", source[0]}));
}

TEST(Positions, OfOneHeadOfAStripedShardIgnoredAreNamedWithIt) {
    Shape shape{1, 4, 128};
    shape.position = [](std::uint64_t, std::uint64_t index) { return 4 * index; };
    const RotatedDump one = turned(
        shape, [](const Place& at) { return at.head == 2 ? static_cast<double>(at.index) : at.m; });
    EXPECT_EQ(named(one), Names{"position-source source=row number heads=2"});
    EXPECT_EQ(diagnose(spec, one).explanations[0].equivalent,
              (Names{"position-scale scale=0.25", "position-collapse divisor=4"}));
}

TEST(Positions, DividedAreNoRowNumbersWhereIdsAreNotInSuchSteps) {
    Shape shape{1, 4, 128};
    shape.position = [](std::uint64_t, std::uint64_t index) { return 3 * index + 1; };
    EXPECT_EQ(named(turned(shape, [](const Place& at) { return std::floor(at.m / 4); })),
              Names{"position-collapse divisor=4"});
}

// a decode step of four entries by one scalar offset, that of the longest
TEST(BatchEntries, AtOnePositionAreNamedWithTheOneWhoseItIs) {
    Shape shape{4, 3, 1};
    shape.position = [](std::uint64_t batch, std::uint64_t) { return 50 - 7 * batch; };
    EXPECT_EQ(named(turned(shape, [](const Place&) { return 50.0; })),
              Names{"position-collapse position=50"});
    EXPECT_EQ(named(turned(shape, [](const Place& at) { return at.batch == 0 ? at.m : 70.0; })),
              Names{"position-collapse position=70 batch=1–3"});
    EXPECT_EQ(named(turned(shape, [](const Place& at) { return at.batch == 0 ? at.m : 0.0; })),
              Names{"not-rotated batch=1–3"});
}

// 16 bits and 40 rows: a scale of He & Xu times 1/0.044 is as near
TEST(Positions, ByAFactorOfUnitsAreNamedByItAndNotByTwoScales) {
    RotatedDump dump =
        turned({2, 4, 40}, [](const Place& at) { return at.m * std::numbers::pi / 180; });
    std::vector<double> after(dump.after.size());
    for (std::size_t row = 0; row < dump.positions.size(); ++row)
        for (std::size_t lane = 0; lane < spec.head_dim; ++lane)
            after[row * spec.head_dim + lane] = round_to(Format::float16, dump.after.at(row, lane));
    dump.after = {after, spec.head_dim};
    dump.format = Format::float16;
    EXPECT_EQ(diagnose(spec, dump).explanations.at(0).what,
              "positions are multiplied by π/180: radians were taken for degrees");
    EXPECT_EQ(diagnose(spec, dump).explanations.size(), 1u);
}

TEST(Positions, ByEveryFactorOfUnitsAreNamedByIt) {
    constexpr double pi = std::numbers::pi;
    for (const auto& [factor, name] : {std::pair{180 / pi, "180/π: angles are in degrees"},
                                       {2 * pi, "2π: turns were converted to radians twice"},
                                       {pi, "π: cospi and sinpi were given radians"},
                                       {pi / 180, "π/180: radians were taken for degrees"},
                                       {0.5 / pi, "1/2π: angles are in turns"}}) {
        const auto times = [&](const Place& at) { return at.m * factor; };
        EXPECT_EQ(diagnose(spec, turned({}, times)).explanations.at(0).what,
                  std::string("positions are multiplied by ") + name);
    }
}

TEST(Rows, OfOnePositionAreScaledSoonerThanMovedByAPartOfIt) {
    Shape shape{1, 4, 1};
    shape.position = [](std::uint64_t, std::uint64_t) { return 37; };
    const RotatedDump twice = turned(shape, [](const Place&) { return 74.0; });
    EXPECT_EQ(named(twice), Names{"rotated-twice"});
    EXPECT_THAT(diagnose(spec, twice).explanations.at(0).equivalent,
                testing::IsSupersetOf({"position-scale scale=2", "position-offset offset=37"}));
    EXPECT_EQ(diagnose(spec, turned(shape, [](const Place&) { return 37.0 / 4; }))
                  .explanations.at(0)
                  .what,
              "positions are multiplied by 0.25");
    EXPECT_EQ(named(turned(shape, [](const Place&) { return 38.0; })),
              Names{"position-offset offset=1"});
}

// rows to 511, and then 1000: where between them it began is not known
TEST(Rows, ThatAreZeroAfterAGapAreSaidToBeSo) {
    Shape shape{1, 4, 100};
    shape.position = [](std::uint64_t, std::uint64_t index) {
        return index < 80 ? index : index + 920;
    };
    RotatedDump dump = turned(shape, [](const Place& at) { return at.m; });
    std::vector<double> after;
    for (std::size_t row = 0; row < dump.positions.size(); ++row)
        for (std::size_t lane = 0; lane < spec.head_dim; ++lane)
            after.push_back(dump.positions[row] < 1000 ? dump.after.at(row, lane) : 0);
    dump.after = {after, spec.head_dim};
    EXPECT_EQ(diagnose(spec, dump).explanations.at(0).what,
              "rows are correct to position 79, and zero from position 1000 on");
}

TEST(Rows, ReversedAreNotADirection) {
    EXPECT_EQ(named(turned({}, [](const Place& at) { return 299 - at.m; })),
              Names{"position-source source=reversed"});
}

TEST(Rows, SwappedAreNamed) {
    const auto swapped = [](const Place& at) { return at.m == 75 ? 108 : at.m == 108 ? 75 : at.m; };
    EXPECT_EQ(named(turned({}, swapped)), Names{"rows-swapped rows=75 108"});
    const auto later = [&](const Place& at) { return swapped(at) + 3; };
    EXPECT_EQ(named(turned({}, later)),
              (Names{"position-offset offset=3", "rows-swapped rows=75 108"}));
}

// Its line ends with the first row that is off it.
TEST(Rows, SwappedAmongTheFirstAreNamedBesideAnother) {
    const auto swapped = [](const Place& at) { return at.m == 1 ? -31 : at.m == 31 ? -1 : -at.m; };
    EXPECT_EQ(named(turned({}, swapped)), (Names{"direction", "rows-swapped rows=1 31"}));
    const auto twice = [&](const Place& at) { return -2 * swapped(at); };
    EXPECT_EQ(named(turned({}, twice)), (Names{"rotated-twice", "rows-swapped rows=1 31"}));
}

TEST(Rows, SwappedUnderNarrowAnglesAreNamedWithThese) {
    const auto swap = [](const Place& at) { return at.m == 79 ? 145 : at.m == 145 ? 79 : at.m; };
    const auto as_it_is = [](std::uint32_t, double theta) { return theta; };
    const auto narrow = [](double angle) { return round_to(Format::bfloat16, angle); };
    EXPECT_EQ(named(turned({}, swap, as_it_is, {}, narrow)),
              (Names{"angle-precision format=bfloat16", "rows-swapped rows=79 145"}));
}

TEST(Frequencies, UnderAnotherBaseWithOneOddEntryAreNamedBoth) {
    const auto odd = [](std::uint32_t pair, double theta) {
        return pair == 15 ? 0.6 : std::pow(theta, std::log(500000) / std::log(10000));
    };
    EXPECT_EQ(named(turned(
                  {}, [](const Place& at) { return at.m; }, odd)),
              (Names{"base rope_theta=500000", "inv-freq-entry pair=15 inv_freq=1"}));
}

TEST(Rows, ShiftedFromAPositionAreNamedFromTheFirstOfThem) {
    EXPECT_EQ(
        named(turned({1, 1, 4000}, [](const Place& at) { return at.m + (at.m >= 1701 ? 1 : 0); })),
        Names{"position-offset offset=1 from=1701"});
}

TEST(Rows, NotRotatedFromBetweenTwoOfTheDumpAreSaidToBeSo) {
    const Shape sparse{1, 1, 60, [](std::uint64_t, std::uint64_t index) { return 8 * index; }};
    const auto until_130 = [](const Place& at) { return at.m >= 130 ? 0 : at.m; };
    const Diagnosis diagnosis = diagnose(spec, turned(sparse, until_130));
    ASSERT_EQ(diagnosis.explanations.size(), 1u);
    EXPECT_EQ(diagnosis.explanations[0].what,
              "rows are not rotated from position 136 on (the last before it, 128, is right)");
}

TEST(Positions, ThatWrapAsInt8AreNamed) {
    EXPECT_EQ(named(turned(
                  {}, [](const Place& at) { return at.m - 256 * std::floor((at.m + 128) / 256); })),
              Names{"position-wrap period=256 type=int8"});
}

TEST(Vectors, RotatedTwiceAreNamed) {
    EXPECT_EQ(named(turned({}, [](const Place& at) { return 2 * at.m; })), Names{"rotated-twice"});
}

// one lane is stored before the other reads it, in either order and layout, beside another fault
TEST(Vectors, RotatedInPlaceAreNamed) {
    for (const bool first : {true, false})
        for (const std::size_t step : {std::size_t{1}, std::size_t{spec.head_dim / 2}}) {
            RotatedDump dump = turned({1, 4, 60}, [](const Place& at) { return at.m + 3; });
            std::vector<double> after = sheared(dump, first, step);
            dump.after = {after, spec.head_dim};
            Names names{"position-offset offset=3",
                        std::string("rotated-in-place written_first=") +
                            (first ? "first dimension" : "second dimension")};
            if (step == 1) names.insert(names.begin(), "pair-layout layout=interleaved");
            EXPECT_EQ(named(dump), names);
        }
}

// A float32 2π leaves the angle of a pair whose θ is exact 1e-5 off: twice m·θ at half the
// position, or row numbers times eight, only allow it more.
TEST(Angles, ThatAreReducedCoarselyAreNoTwoMistakesThatCancel) {
    const auto reduced = [](double angle) {
        const double turn = 0x1.921fb6p2;
        return angle - turn * std::round(angle / turn);
    };
    const auto as_it_is = [](std::uint32_t, double theta) { return theta; };
    for (const std::uint64_t step : {1U, 8U}) {
        Shape shape{1, 4, 300};
        shape.position = [step](std::uint64_t, std::uint64_t index) { return step * index; };
        EXPECT_EQ(named(turned(
                      shape, [](const Place& at) { return at.m; }, as_it_is, {}, reduced)),
                  Names{});
    }
}

// lanes that the Spec rotates are q's to the bit: no other exponent leaves them so
TEST(Lanes, ThatAreCopiedInSixteenBitsTellTheRotaryDim) {
    RotatedDump dump = turned({1, 4, 60}, [](const Place& at) { return -at.m; });
    std::vector<double> before, after;
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        std::vector<double> x(spec.head_dim);
        dump.before.read(row, 0, spec.head_dim, x.data());
        for (double& value : x) value = round_to(Format::bfloat16, value);
        before.insert(before.end(), x.begin(), x.end());
        for (std::size_t i = 0; i < spec.pairs() / 2; ++i) {
            const double angle =
                -dump.positions[row] * std::pow(10000, -static_cast<double>(i) / 8);
            const double x1 = x[2 * i], x2 = x[2 * i + 1], c = std::cos(angle), s = std::sin(angle);
            x[2 * i] = x1 * c - x2 * s;
            x[2 * i + 1] = x2 * c + x1 * s;
        }
        for (double& value : x) value = round_to(Format::bfloat16, value);
        after.insert(after.end(), x.begin(), x.end());
    }
    dump.before = {before, spec.head_dim};
    dump.after = {after, spec.head_dim};
    dump.format = Format::bfloat16;
    EXPECT_EQ(named(dump), (Names{"direction", "pair-layout layout=interleaved",
                                  "rotary-dim rotary_dim=16 lanes=prefix"}));
}

TEST(Frequencies, WithOneOddEntryAreNotByNoRule) {
    const auto odd = [](std::uint32_t pair, double theta) { return pair == 7 ? -0.25 : theta; };
    EXPECT_EQ(named(turned(
                  {}, [](const Place& at) { return at.m; }, odd)),
              Names{"inv-freq-entry pair=7 inv_freq=0"});
}

// No pair is on a line of its own, so that the others must tell where the rows are.
TEST(Frequencies, WithOneOddEntryBesideAWrapAreNamedBoth) {
    const auto odd = [](std::uint32_t pair, double theta) { return pair == 7 ? 3 : theta; };
    EXPECT_EQ(named(turned(
                  {}, [](const Place& at) { return std::fmod(at.m, 24); }, odd)),
              (Names{"inv-freq-entry pair=7 inv_freq=3", "position-wrap period=24"}));
}

TEST(Frequencies, WithOneZeroEntryBesideNarrowAnglesAreNamedBoth) {
    const auto odd = [](std::uint32_t pair, double theta) { return pair == 5 ? 0 : theta; };
    const auto narrow = [](double angle) { return round_to(Format::bfloat16, angle); };
    EXPECT_EQ(named(turned(
                  {}, [](const Place& at) { return at.m; }, odd, {}, narrow)),
              (Names{"angle-precision format=bfloat16", "inv-freq-entry pair=5 inv_freq=0"}));
}

TEST(Heads, RotatedByTheirNumberAreNamedBesideOneThatIsNot) {
    const auto one_off = [](const Place& at) {
        return static_cast<double>(at.head) - (at.head == 3 ? 1 : 0);
    };
    EXPECT_EQ(named(turned({2, 4, 40}, one_off)),
              (Names{"position-collapse position=2 heads=3",
                     "position-source source=head number heads=0–2"}));
}

TEST(Heads, RotatedByTheirNumberAreNamedBesideABatchEntryThatTurnsBack) {
    const auto one_back = [](const Place& at) {
        return static_cast<double>(at.head) * (at.batch == 1 ? -1 : 1);
    };
    EXPECT_EQ(named(turned({2, 4, 40}, one_back)),
              (Names{"direction batch=1", "position-source source=head number"}));
}

TEST(Heads, ThatNothingExplainsAreSaidNotToBe) {
    Seeded random(1);
    const RotatedDump dump = turned(
        {}, [&](const Place& at) { return at.head == 2 ? random.within(0, 1000) : at.m + 3; });
    const Diagnosis diagnosis = diagnose(spec, dump);
    ASSERT_EQ(diagnosis.explanations.size(), 1U);
    EXPECT_EQ(text_of(diagnosis.explanations[0]), "position-offset offset=3 heads=0–1, 3");
    ASSERT_FALSE(diagnosis.observations.empty());
    EXPECT_NE(diagnosis.observations[0].find("head 2 of 4"), std::string::npos);
}

}  // namespace diagnose_parts_of_dumps_test
}  // namespace rope
