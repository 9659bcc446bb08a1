
#include "rope/claims/ledger.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "base/utf8.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger::ledger_test {

const std::vector<Derivation>& all_derived() {
    static const std::vector<Derivation> all = [] {
        std::vector<Derivation> derived_now;
        for (const Entry* entry : all_entries()) derived_now.push_back(derive(*entry));
        return derived_now;
    }();
    return all;
}

std::string words_of(const Derivation& claim) {
    std::string text;
    for (const Step& step : claim.steps()) {
        if (!step.holds) text += "\n  does not hold: " + step.sentence;
        for (const Number& number : step.numbers)
            if (!number.agrees())
                text += "\n  " + number.label + ": " + number.text() + ", recorded " +
                        std::string(number.recorded.text());
    }
    return text;
}

TEST(Ledger, ComputationSupportsEveryStatus) {
    for (const Derivation& claim : all_derived())
        EXPECT_TRUE(claim.is_supported()) << claim.entry().id << words_of(claim);
}

TEST(Ledger, NoNumberMayBeOffByTwoUnitsOfItsLastDigit) {
    for (const Derivation& claim : all_derived()) {
        const Entry& entry = claim.entry();
        std::vector<Step> steps = claim.steps();
        std::size_t numbers = 0;
        for (Step& step : steps)
            for (Number& number : step.numbers) {
                const BigReal right = number.computed, off = number.recorded.last_place() * 2.0;
                for (const BigReal& wrong : {right + off, right - off, real(NAN)}) {
                    number.computed = wrong;
                    EXPECT_FALSE(supports(steps, entry.status)) << entry.id << ": " << number.label;
                }
                number.computed = right;
                ++numbers;
            }
        EXPECT_GT(numbers, 0U) << entry.id << " computes nothing";
        EXPECT_TRUE(supports(steps, entry.status)) << entry.id;
    }
}

TEST(Ledger, NamesEachEntryOnceAndAfterItsWork) {
    std::set<std::string_view> ids;
    for (const Entry* entry : all_entries()) {
        const std::string_view id = entry->id;
        EXPECT_TRUE(ids.insert(id).second) << id << " is there twice";
        EXPECT_LE(id.size(), 28U) << id;
        EXPECT_FALSE(entry->section.empty()) << id;
        EXPECT_FALSE(entry->quote.empty()) << id;
        EXPECT_LE(code_points(entry->statement), 100U) << id;
        EXPECT_TRUE(entry->work->key.size() > 3 || id.starts_with(entry->work->key)) << id;
    }
}

// A page is read from top to bottom: a sentence, its numbers, and then the conclusion.
TEST(Ledger, NumbersFollowASentenceThatIntroducesThem) {
    for (const Derivation& claim : all_derived())
        for (const Step& step : claim.steps()) {
            EXPECT_TRUE(step.kind == Line::Kind::sentence || step.numbers.empty())
                << claim.entry().id << ": " << step.sentence;
            EXPECT_TRUE(step.sentence.ends_with('.') || step.sentence.ends_with(':'))
                << claim.entry().id << ": " << step.sentence;
        }
}

TEST(Same, IsFalseForNaNAndForDifferentLengths) {
    const Vector one = vector_of({1, 2});
    EXPECT_TRUE(same(one, vector_of({1, 2})));
    EXPECT_FALSE(same(one, vector_of({1, NAN})) || same(one, vector_of({1})));
    EXPECT_FALSE(same(real(NAN), real(NAN)));
}

// The requirements of a status, on derivations made for this test.
std::vector<Step> with_evidence(bool for_it, bool against_it, bool holds = true, int computed = 1) {
    using enum Line::Kind;
    static Entry entry;
    entry.lines = {{sentence, "A number."}, {Line::Kind::number, "one", "1"}};
    if (for_it) entry.lines.push_back({in_favour, "for"});
    if (against_it) entry.lines.push_back({against, "against"});
    Derivation d(entry);
    d.number(computed);
    if (for_it) d.conclude(holds);
    if (against_it) d.conclude(holds);
    d.finish();
    return d.steps();
}

TEST(Supports, AsksForTheEvidenceOfTheStatus) {
    using enum Status;
    const std::vector<Step> nothing = with_evidence(false, false),
                            favour = with_evidence(true, false),
                            against = with_evidence(false, true), both = with_evidence(true, true);
    for (const Status status :
         {definition, theorem, computed, on_a_range, under_one_reading, false_as_stated, empirical})
        EXPECT_FALSE(supports(nothing, status));
    for (const Status status : {definition, theorem})
        EXPECT_TRUE(supports(favour, status) && !supports(against, status) &&
                    !supports(both, status));
    for (const Status status : {on_a_range, under_one_reading})
        EXPECT_TRUE(supports(both, status) && !supports(favour, status) &&
                    !supports(against, status));
    EXPECT_TRUE(supports(against, false_as_stated) && !supports(favour, false_as_stated));
    for (const Status status : {computed, empirical})
        EXPECT_TRUE(supports(favour, status) && !supports(against, status));
}

TEST(Supports, RefusesAConditionThatDoesNotHold) {
    EXPECT_FALSE(supports(with_evidence(true, false, false), Status::theorem));
    EXPECT_FALSE(supports(with_evidence(false, true, false), Status::false_as_stated));
}

TEST(Supports, RefusesANumberThatIsOff) {
    EXPECT_FALSE(supports(with_evidence(true, false, true, 2), Status::theorem));
}

// A text and its computation with different steps.
TEST(Derivation, RefusesAComputationThatDiffersFromTheText) {
    using enum Line::Kind;
    Entry entry{.work = nullptr,
                .id = "x",
                .section = {},
                .status = Status::theorem,
                .lines = {{sentence, "A number."}, {number, "one", "1"}, {in_favour, "so"}}};
    entry.compute = [](Derivation& d) { d.conclude(true); };
    EXPECT_THROW(derive(entry), std::logic_error);
    entry.compute = [](Derivation& d) { d.number(1); };
    EXPECT_THROW(derive(entry), std::logic_error);
    entry.compute = [](Derivation& d) {
        d.number(1);
        d.conclude(true);
        d.conclude(true);
    };
    EXPECT_THROW(derive(entry), std::logic_error);
}

BigReal third() { return real(1) / 3.0; }

// The text that a derivation prints for a number.
TEST(Number, ShowsTheRecordedDigitsUnlessTheyAreWrong) {
    const auto shown = [](const BigReal& computed, const char* recorded) {
        return Number{"", computed, Figure(recorded), ""}.text();
    };
    EXPECT_EQ(shown(third(), "0.3333"), "0.3333");
    EXPECT_EQ(shown(third(), "3.3e-1"), "3.3e-1");
    EXPECT_EQ(shown(real(2048), "2048"), "2048");
    EXPECT_EQ(shown(real(2049.25), "2049"), "2049.25");
    EXPECT_EQ(shown(real(0.25), "0.26"), "0.25");
    EXPECT_EQ(shown(real(HUGE_VAL), "1.0"), "inf");
}

TEST(Figure, IsMetWithinHalfAUnitOfItsLastDigit) {
    EXPECT_TRUE(Figure("0.3333").is_met_by(third()));
    EXPECT_FALSE(Figure("0.3332").is_met_by(third()));
    EXPECT_FALSE(Figure("0.3334").is_met_by(third()));
    EXPECT_TRUE(Figure("4.3e3").is_met_by(real(4349)));
    EXPECT_FALSE(Figure("4.3e3").is_met_by(real(4351)));
    EXPECT_TRUE(Figure("-1.5e-3").is_met_by(real(-0.0015)));
}

TEST(Figure, IsMetExactlyIfItIsWhole) {
    EXPECT_TRUE(Figure("2049").is_met_by(real(2049)));
    EXPECT_FALSE(Figure("2049").is_met_by(real(2049.25)));
}

TEST(Figure, IsNotMetByNaN) {
    for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        EXPECT_FALSE(Figure("1").is_met_by(real(x)));
        EXPECT_FALSE(Figure("1.0").is_met_by(real(x)));
    }
}

TEST(Shapes, BroadcastFromTheLastAxis) {
    EXPECT_EQ(broadcast({2, 3, 4}, {4}), (Shape{2, 3, 4}));
    EXPECT_EQ(broadcast({3, 1}, {2, 1, 4}), (Shape{2, 3, 4}));
    EXPECT_EQ(broadcast({2, 3}, {2, 4}), std::nullopt);
    EXPECT_EQ(broadcast({2, 3}, {2}), std::nullopt);
}

TEST(Shapes, KeepTheirNumbersInAView) {
    EXPECT_TRUE(can_view({2, 3, 8}, {6, 4, 2}));
    EXPECT_FALSE(can_view({2, 3, 8}, {6, 4}));
    EXPECT_TRUE(can_view({2, 3, 8}, {0, 24}));
    EXPECT_FALSE(can_view({2, 3, 8}, {0, 9}));
}

TEST(Shapes, AreCutToNoMoreThanTheyHave) {
    EXPECT_EQ(cut({10, 4}, 0, 3), (Shape{3, 4}));
    EXPECT_EQ(cut({10, 4}, 0, 30), (Shape{10, 4}));
}

TEST(Shapes, MultiplyAsMatricesIfTheInnerSidesAgree) {
    EXPECT_EQ(matrix_product({1, 2}, {2, 3}), (Shape{1, 3}));
    EXPECT_EQ(matrix_product({2, 1}, {2, 3}), std::nullopt);
}

}  // namespace rope::ledger::ledger_test
