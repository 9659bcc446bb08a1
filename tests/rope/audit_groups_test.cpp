// Audits with several batch entries and heads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "io/error_message.hpp"
#include "rope/audited.hpp"
#include "rope/specs.hpp"
#include "rope/verdicts.hpp"

namespace rope::audit_groups_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr AuditGroups two_by_three{.batch = 2, .heads = 3};

Report judged(Answers answers) {
    SessionOptions options;
    options.only = laws_and_conformance();
    options.only.insert(options.only.begin(), {"linearity", "structure"});
    return audit(std::move(answers), options);
}

std::vector<std::string> causes(const Report& report) {
    std::vector<std::string> all;
    for (const Explanation& one : report.diagnosis) all.push_back(one.what);
    return all;
}

const Spec sectioned = on_axes(spec_of(24, 1e6), {AxisScheme::sectioned, {6, 3, 3}});

TEST(AuditGroups, AskForASequenceOfEachGroupAtEveryPlace) {
    const Audit audit = plan_audit(spec_of(8, 10000), {0, 1, 2, 9, 300}, 7, two_by_three);
    ASSERT_EQ(audit.rows(), 5 * (8 + 3) + 6 * 5u);
    for (std::uint64_t group = 0; group < 6; ++group) {
        std::set<std::uint64_t> rows;
        for (std::uint64_t place = 0; place < 5; ++place) {
            const std::uint64_t row = audit.row_of(group, place);
            EXPECT_EQ(audit.place_of(row), place);
            EXPECT_EQ((row - audit.matrix_rows()) / 5, group);
            rows.insert(row);
        }
        EXPECT_EQ(rows.size(), 5u);
        // heads of one batch entry have one order; each batch entry has another
        const std::uint64_t first = audit.matrix_rows() + 5 * group;
        EXPECT_EQ(audit.place_of(first), group < 3 ? 1u : 2u);
    }
}

TEST(AuditGroups, HaveDifferentVectorsThatNoFormatRounds) {
    const Audit audit = plan_audit(spec_of(16, 10000), {0, 1, 2}, 7, two_by_three);
    std::set<Vector> vectors;
    for (std::uint64_t row = audit.matrix_rows(); row < audit.rows(); ++row)
        vectors.insert(asked(audit, row, {}).x);
    EXPECT_EQ(vectors.size(), 18u);
    for (const Vector& x : vectors)
        for (const double value : x) {
            EXPECT_GE(std::abs(value), 1);
            EXPECT_LE(std::abs(value), 2);
            EXPECT_EQ(round_to(Format::bfloat16, value), value);
        }
}

TEST(AuditGroups, AreADumpOfTheirSequences) {
    const Spec& spec = sectioned;
    const Answers answers = answers_of(audit_of(spec, two_by_three), [](const AskedRow& row) {
        return Vector(24, static_cast<double>(row.index));
    });
    const RotatedDump dump = audited_vectors(answers);
    const Audit& audit = answers.audit;
    ASSERT_EQ(dump.positions.size(), 6 * audit.places());
    ASSERT_EQ(dump.more_positions.size(), 2u);
    for (std::uint64_t row = 0; row < dump.positions.size(); ++row) {
        const std::uint64_t of_audit = audit.matrix_rows() + row;
        EXPECT_EQ(dump.grid.batch.of(row), row / audit.places() / 3);
        EXPECT_EQ(dump.grid.head.of(row), row / audit.places() % 3);
        EXPECT_EQ(dump.positions[row], audit.positions[0][audit.place_of(of_audit)]);
        EXPECT_EQ(dump.more_positions[1][row], audit.positions[2][audit.place_of(of_audit)]);
        EXPECT_EQ(dump.before.at(row, 23), audit.x(of_audit, 23));
        EXPECT_EQ(dump.after.at(row, 5), static_cast<double>(dump.grid.sequence.of(row)));
    }
}

TEST(AuditGroups, HaveALimit) {
    const auto refusal = [](const AuditGroups& groups, std::uint32_t head_dim) {
        return error_message<InputError>([&] {
            plan_audit(spec_of(head_dim, 10000), audited_positions(spec_of(64, 1e4), 4100), 1,
                       groups);
        });
    };
    EXPECT_EQ(refusal({.batch = 64, .heads = 64}, 64), "[no error]");
    EXPECT_THAT(refusal({.batch = 65, .heads = 64}, 64),
                HasSubstr("65 batch entries of 64 heads; "));
    EXPECT_THAT(refusal({.batch = 65, .heads = 64}, 64), HasSubstr("1 to 4096 heads in all"));
    EXPECT_THAT(refusal({.batch = 1, .heads = 4096}, 1024),
                HasSubstr("dimensions it may have 1 to"));
    EXPECT_THAT(refusal({.batch = 0, .heads = 1}, 64), HasSubstr("0 batch entries"));
    EXPECT_THAT(refusal({.batch = std::uint64_t{1} << 63, .heads = 2}, 64),
                HasSubstr("9223372036854775808 batch entries"));
}

TEST(AuditGroups, OfRightProgramsPassInEveryFormatAndShape) {
    for (const Spec& spec :
         {spec_of(32, 500000), partial(40, 16), sectioned, spec_of(32, 10000, yarn(4, 1024))})
        for (const AuditGroups& groups :
             {two_by_three, AuditGroups{.batch = 3}, AuditGroups{.heads = 5},
              AuditGroups{.batch = 2, .heads = 2, .order = SequenceOrder::shared},
              AuditGroups{.batch = 70}})
            for (const Format format : {Format::float32, Format::bfloat16, Format::float16})
                EXPECT_THAT(violated(judged(answers_of(audit_of(spec, groups),
                                                       rotates_in(spec, format), format))),
                            IsEmpty())
                    << spec.head_dim << ' ' << groups.batch << ' ' << groups.heads;
}

// Only group 0 has unit vectors.
Report judged_by_group_0(const AuditGroups& groups, const Program& program) {
    return judged(answers_of(audit_of(spec_of(32, 10000), groups), program, Format::float32,
                             Matrices::from_group_0));
}

TEST(AuditGroups, FailOnlyLinearityIfNoUnitVectorIsWrong) {
    const Program rotate = rotates_in(spec_of(32, 10000), Format::float32);
    const Report both = judged_by_group_0(two_by_three, [&](const AskedRow& row) {
        return row.batch == 1 && row.head == 2 ? row.x : rotate(row);
    });
    EXPECT_THAT(violated(both), ElementsAre("linearity"));
    EXPECT_THAT(causes(both), ElementsAre(HasSubstr("batch entry 1 of 2, head 2 of 3: ")));
}

TEST(AuditGroups, AreSeenByEveryCheckOfAnswers) {
    const Spec spec = partial(40, 16);
    const Program rotate = rotates_in(spec, Format::float32);
    const auto violated_by = [&](std::size_t dimension, double value) {
        return violated(judged(answers_of(
            audit_of(spec, two_by_three),
            [&](const AskedRow& row) {
                Vector y = rotate(row);
                if (row.batch == 1 && row.head == 0) y[dimension] += value;
                return y;
            },
            Format::float32, Matrices::from_group_0)));
    };
    EXPECT_THAT(violated_by(20, 0), IsEmpty());
    EXPECT_THAT(violated_by(20, 0x1p-23), ElementsAre("pass-through"));
    EXPECT_THAT(violated_by(3, 0x1p-18), ElementsAre("linearity"));
    EXPECT_THAT(violated_by(3, std::numeric_limits<double>::quiet_NaN()), ElementsAre("linearity"));
}

}  // namespace rope::audit_groups_test
