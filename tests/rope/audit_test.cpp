#include "rope/suite/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "io/error_message.hpp"
#include "rope/audited.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/specs.hpp"
#include "rope/verdicts.hpp"

namespace rope::audit_test {

using ::testing::HasSubstr;

Report judge_audit(const Spec& spec, const Answers& answers) {
    auto ids = laws_and_conformance();
    ids.insert(ids.begin(), {"linearity", "structure"});
    return judge(spec, *audited_rows(answers), {1, ids});
}

std::string failures(const Report& report) { return join(violated(report), std::identity(), " "); }

std::string failures(const Spec& spec, const Program& program, Format format = Format::float32) {
    return failures(judge_audit(spec, answers_of(audit_of(spec), program, format)));
}

std::vector<Spec> sound_specs() {
    return {spec_of(2, 10000),
            spec_of(64, 1e8),
            interleaved(spec_of(48, 500000)),
            partial(40, 16),
            on_axes(spec_of(32, 10000), {AxisScheme::halves}),
            on_axes(spec_of(24, 1e6), {AxisScheme::sectioned, {6, 3, 3}}),
            spec_of(64, 10000, yarn(4, 2048))};
}

TEST(AuditPlan, AsksForUnitVectorsAndThenForProbesThatNoFormatRounds) {
    const Spec spec = spec_of(6, 10000);
    const Audit audit = plan_audit(spec, {0, 7}, 3);
    ASSERT_EQ(audit.rows(), 2 * (6 + 3));
    for (std::uint32_t row = 0; row < 6; ++row)
        for (std::uint32_t dimension = 0; dimension < 6; ++dimension)
            EXPECT_EQ(audit.x(row, dimension), row == dimension ? 1 : 0);
    for (std::uint64_t row = 6; row < 9; ++row)
        for (std::uint32_t dimension = 0; dimension < 6; ++dimension) {
            const double x = audit.x(row, dimension);
            EXPECT_EQ(audit.x(row + 9, dimension), x);
            EXPECT_NE(x, 0);
            for (const Format format : {Format::bfloat16, Format::float16, Format::tf32})
                EXPECT_EQ(round_to(format, x), x);
        }
}

TEST(AuditPlan, PutsEveryPositionOnEveryAxisAndOnNoTwoAtOnce) {
    const Spec spec = on_axes(spec_of(24, 10000), {AxisScheme::sectioned, {4, 4, 4}});
    const Audit audit = plan_audit(spec, {0, 1, 2, 3, 255, 257, 4097}, 1);
    ASSERT_EQ(audit.positions.size(), 3u);
    const std::set<double> all(audit.positions[0].begin(), audit.positions[0].end());
    for (const auto& axis : audit.positions)
        EXPECT_EQ(std::set<double>(axis.begin(), axis.end()), all);
    for (std::size_t place = 0; place < 7; ++place) {
        EXPECT_NE(audit.positions[0][place], audit.positions[1][place]);
        EXPECT_NE(audit.positions[1][place], audit.positions[2][place]);
        EXPECT_NE(audit.positions[0][place], audit.positions[2][place]);
    }
}

TEST(AuditPlan, ChoosesDiagnosticPositionsThatReachTheContextsEnd) {
    const auto chosen = audited_positions(spec_of(128, 10000), 131072);
    EXPECT_LE(chosen.size(), max_audited_positions);
    for (const std::uint64_t m :
         {0u, 1u, 2u, 255u, 257u, 1000u, 2047u, 2049u, 4097u, 65519u, 65521u, 131071u})
        EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), m)) << m;
    for (std::uint64_t power = 64; power < 131072; power *= 2)
        for (const std::uint64_t m : {power - 1, power, power + 1})
            EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), m)) << m;
    for (std::size_t m = 0; m < 16; ++m) EXPECT_EQ(chosen[m], m) << "small ones for the fit";
    EXPECT_EQ(audited_positions(spec_of(128, 10000), 1), std::vector<double>{0});
    EXPECT_EQ(audited_positions(spec_of(128, 10000), 2), (std::vector<double>{0, 1}));
    EXPECT_EQ(audited_positions(spec_of(1024, 10000), 131072).size(), 16u);
    for (const std::uint64_t context : {1u, 2u, 3u, 40u, 2048u})
        for (const double m : audited_positions(spec_of(64, 10000), context))
            EXPECT_LT(m, static_cast<double>(context));
}

TEST(AuditPlan, RefusesPositionsThatAreNoneTooManyOrTwice) {
    const Spec spec = spec_of(8, 10000);
    const auto refusal = [&](std::vector<double> positions) {
        return error_message<InputError>([&] { plan_audit(spec, std::move(positions), 1); });
    };
    EXPECT_THAT(refusal({}), HasSubstr("positions are 0 values; they must be 1 to 64"));
    EXPECT_THAT(refusal(std::vector<double>(65)), HasSubstr("positions are 65 values"));
    EXPECT_THAT(refusal({3, 5, 3}), HasSubstr("positions hold 3 twice"));
    EXPECT_THAT(refusal({0x1p32}), HasSubstr("positions hold 4294967296;"));
    EXPECT_THAT(refusal({-0x1p32}), HasSubstr("positions hold -4294967296;"));
    EXPECT_THAT(error_message<InputError>([] { plan_audit(spec_of(1026, 10000), {0}, 1); }),
                HasSubstr("head_dim is 1026; an audit reads whole matrices"));
}

TEST(Audit, RightProgramsPassInEveryFormatLayoutAndAxisMap) {
    for (const Spec& spec : sound_specs())
        for (const Format format : {Format::float32, Format::bfloat16, Format::float16})
            EXPECT_EQ(failures(spec, rotates_in(spec, format), format), "")
                << spec.head_dim << " " << to_string(format);
}

// θ ← θ·base^(-2/d) in float32, pair after pair.
Vector rotate_by_recurrence(const Spec& spec, double m, const Vector& x) {
    const auto scale = static_cast<float>(std::pow(spec.rope_theta, -2.0 / spec.rotary_dim));
    auto angle = static_cast<float>(m);
    Vector y = x;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i, angle *= scale) {
        const auto [a, b] = dimensions_of_pair(spec, i);
        const double c = std::cos(static_cast<double>(angle)),
                     s = std::sin(static_cast<double>(angle));
        y[a] = round_to(Format::float32, x[a] * c - x[b] * s);
        y[b] = round_to(Format::float32, x[b] * c + x[a] * s);
    }
    return y;
}

TEST(Audit, WithAPipelineAllowsThePipelinesRoundings) {
    const Spec spec = spec_of(128, 10000);
    const Answers recurrent = answers_of(audit_of(spec), [&](const AskedRow& row) {
        return rotate_by_recurrence(spec, row.positions[0], row.x);
    });
    const auto violated_as = [&](const Answers& answers, const char* name) {
        const Pipeline* pipeline = name == nullptr ? nullptr : &find_pipeline(name);
        SessionOptions options;
        options.only = {"table-accuracy"};
        return failures(audit(answers, options, pipeline));
    };
    EXPECT_EQ(violated_as(recurrent, nullptr), "");
    EXPECT_EQ(violated_as(recurrent, "ggml"), "");
    EXPECT_EQ(violated_as(recurrent, "hf-fp32"), "table-accuracy");
    // answers in a coarser format are checked in that format
    const Answers narrow =
        answers_of(audit_of(spec), rotates_in(spec, Format::bfloat16), Format::bfloat16);
    EXPECT_EQ(violated_as(narrow, "exact"), "");
}

AskedRow of_unit(AskedRow row, std::size_t dimension) {
    row.x.assign(row.x.size(), 0);
    row.x[dimension] = 1;
    return row;
}

TEST(Audit, ADenseMatrixInFloat32PassesAsDoesFloat32StoredAsFloat64) {
    const Spec spec = spec_of(16, 10000);
    EXPECT_EQ(failures(spec, rotates_in(spec, Format::float32), Format::float64), "");
    const Program rotate = rotates_in(spec, Format::float32);
    const Program dense = [&](const AskedRow& row) {
        Vector y(row.x.size());
        for (std::size_t from = 0; from < y.size(); ++from) {
            const Vector column = rotate(of_unit(row, from));
            for (std::size_t to = 0; to < y.size(); ++to)
                y[to] = round_to(Format::float32,
                                 y[to] + round_to(Format::float32, column[to] * row.x[from]));
        }
        return y;
    };
    EXPECT_EQ(failures(spec, dense), "");
}

TEST(Audit, AProgramThatIsWrongAtTheFirstRowOfEachChunkFails) {
    const Spec spec = spec_of(64, 10000);
    const Program rotate = rotates_in(spec, Format::float32);
    for (const std::uint64_t chunk : {64u, 128u, 512u, 2048u, 4096u, 8192u}) {
        const Answers answers = answers_of(audit_of(spec), [&](AskedRow row) {
            const auto m = static_cast<std::uint64_t>(row.positions[0]);
            if (m > 0 && m % chunk == 0) row.positions[0] -= 1;
            return rotate(row);
        });
        const bool is_right = chunk > 4100;  // no chunk begins in the context
        EXPECT_EQ(failures(judge_audit(spec, answers)).empty(), is_right) << chunk;
    }
}

TEST(Audit, ANonlinearProgramFailsLinearity) {
    const Spec spec = spec_of(16, 10000);
    const Program rotate = rotates_in(spec, Format::float32);
    const auto after = [&](const std::function<double(double)>& change) -> Program {
        return [=](const AskedRow& row) {
            Vector y = rotate(row);
            for (double& value : y) value = change(value);
            return y;
        };
    };
    EXPECT_EQ(failures(spec, after([](double y) { return std::clamp(y, -100.0, 100.0); })),
              "linearity");
    EXPECT_EQ(failures(spec, after([](double y) { return std::abs(y) <= 1 ? y : y * (1 + 1e-5); })),
              "linearity");
    EXPECT_EQ(failures(spec, after([](double y) { return std::abs(y) <= 1 ? y : std::nan(""); })),
              "linearity");
    EXPECT_EQ(failures(spec, after([](double y) { return std::abs(y) <= 1 ? y : y + 1; })),
              "linearity");
}

// a single probe has one norm, which an attention factor could give as well
TEST(Audit, ANormAfterTheRotationIsNoAttentionFactor) {
    const Spec spec = spec_of(16, 10000);
    const Program rotate = rotates_in(spec, Format::float32);
    const Program normalised = [&](const AskedRow& row) {
        Vector y = rotate(row);
        double sum = 0;
        for (const double value : y) sum += value * value;
        for (double& value : y)
            value = static_cast<float>(value / std::sqrt(sum / static_cast<double>(y.size())));
        return y;
    };
    for (const Explanation& one : audit(answers_of(audit_of(spec), normalised)).diagnosis)
        EXPECT_NE(one.mistake, "attention-factor");
}

TEST(Audit, AFactorOfLaterRowsIsNoInaccurateAngle) {
    const Spec spec = spec_of(64, 10000);
    const Program rotate = rotates_in(spec, Format::float32);
    const Program scaled = [&](const AskedRow& row) {
        Vector y = rotate(row);
        for (double& value : y) value *= row.positions[0] >= 1024 ? 1.5 : 1;
        return y;
    };
    const Program inaccurate = [&](AskedRow row) {
        row.positions[0] *= 1 + 6 * 0x1p-24 * (std::fmod(row.positions[0], 3) - 1);
        return rotate(row);
    };
    const auto names = [&](const Program& program) {
        const AuditGroups groups{.batch = 2, .heads = 3};
        const Report report = audit(answers_of(audit_of(spec, groups, 2048), program));
        return join(report.diagnosis, &Explanation::mistake, " ");
    };
    EXPECT_EQ(names(scaled), "");
    EXPECT_EQ(names(inaccurate), "angle-precision");
}

// a linear function with a difference of larger terms in R(m)
TEST(Audit, ARotationInPlaceIsLinearAndNamed) {
    const Spec spec = spec_of(64, 10000);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const Program sheared = [&](const AskedRow& row) {
        Vector y = row.x;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double angle = row.positions[0] * plan.pairs[i].inv_freq.to_double();
            const auto c = static_cast<float>(std::cos(angle)),
                       s = static_cast<float>(std::sin(angle));
            const auto x1 = static_cast<float>(row.x[i]), x2 = static_cast<float>(row.x[i + 32]);
            const float y1 = x1 * c - x2 * s, y2 = x2 * c + y1 * s;
            y[i] = y1;
            y[i + 32] = y2;
        }
        return y;
    };
    const Report report = audit(answers_of(audit_of(spec), sheared));
    EXPECT_EQ(find_finding(report, "linearity")->verdict, Verdict::holds);
    ASSERT_EQ(report.diagnosis.size(), 1u);
    EXPECT_EQ(report.diagnosis[0].mistake, "rotated-in-place");
}

TEST(Audit, OneDimensionThatReachesAnotherPairFailsStructure) {
    const Spec spec = partial(20, 16);
    const Program rotate = rotates_in(spec, Format::float32);
    const auto leak = [&](std::size_t from, std::size_t to, double size) -> Program {
        return [=](const AskedRow& row) {
            Vector y = rotate(row);
            y[to] += size * row.x[from];
            return y;
        };
    };
    EXPECT_THAT(failures(spec, leak(3, 5, 0x1p-20)), HasSubstr("structure"));
    EXPECT_THAT(failures(spec, leak(18, 5, 0x1p-20)), HasSubstr("structure"));
    EXPECT_THAT(failures(spec, leak(3, 18, 0x1p-20)), HasSubstr("structure pass-through"));
    EXPECT_THAT(failures(spec, leak(19, 18, std::nan(""))), HasSubstr("structure"));
    EXPECT_EQ(failures(spec, leak(18, 18, 0x1p-40)), "pass-through");
    const auto pairing = [&](double size) {
        const Report report = judge_audit(spec, answers_of(audit_of(spec), leak(3, 5, size)));
        return std::get<std::string>(find_finding(report, "structure")->fields.at(0).value);
    };
    EXPECT_EQ(pairing(0x1p-24), "half_split");  // float32's unit roundoff
    EXPECT_EQ(pairing(0x1.1p-24), "other");
}

TEST(Audit, ADimensionThatChangesInOneRowFailsPassThrough) {
    const Spec spec = partial(20, 16);
    const Program rotate = rotates_in(spec, Format::float32);
    const std::size_t rows = plan_audit(spec, audited_positions(spec, 4100), 1).rows();
    for (const std::size_t wrong : {std::size_t{0}, rows - 1}) {
        const Program once = [&](const AskedRow& row) {
            Vector y = rotate(row);
            if (row.index == wrong) y[18] += 0x1p-40;
            return y;
        };
        EXPECT_EQ(failures(spec, once), "pass-through") << wrong;
    }
}

struct Mixed {
    Spec asked, rotated;
    std::string pairing, note;
};

TEST(Audit, NamesThePairsThatAProgramReallyTurns) {
    const Spec half = spec_of(64, 10000);
    Spec last = partial(64, 32);
    last.rotary_offset = 32;
    const Mixed cases[] = {
        {half, last, "half_split",
         "(32, 48), (33, 49), …: half_split in 32 dimensions from dimension 32 on"},
        {half, interleaved(last), "interleaved",
         "(32, 33), (34, 35), …: interleaved in 32 dimensions from dimension 32 on"},
        {half, interleaved(half), "interleaved", "(0, 1), (2, 3), …: interleaved in 64 dimensions"},
        {interleaved(half), half, "half_split", "(0, 32), (1, 33), …: half_split in 64 dimensions"},
        {half, partial(64, 32), "half_split", "(0, 16), (1, 17), …: half_split in 32 dimensions"},
        {partial(64, 32), half, "half_split", "(0, 32), (1, 33), …: half_split in 64 dimensions"},
        {interleaved(half), interleaved(partial(64, 32)), "interleaved", ""},
    };
    for (const auto& [asked, rotated, pairing, note] : cases) {
        const Report report =
            judge_audit(asked, answers_of(audit_of(asked), rotates_in(rotated, Format::float32)));
        const Finding& structure = *find_finding(report, "structure");
        ASSERT_FALSE(structure.fields.empty());
        EXPECT_EQ(std::get<std::string>(structure.fields[0].value), pairing);
        EXPECT_THAT(structure.note, HasSubstr(note));
        EXPECT_EQ(structure.verdict == Verdict::violated, !note.empty());
    }
}

TEST(Audit, NamesDimensionsThatFormNoPairsAndProgramsThatDoNothing) {
    const Spec spec = spec_of(16, 10000);
    const Program rotate = rotates_in(spec, Format::float32);
    const Program permutes = [&](const AskedRow& row) {
        Vector y = rotate(row);
        std::rotate(y.begin(), y.begin() + 1, y.end());
        return y;
    };
    const Report permuted = judge_audit(spec, answers_of(audit_of(spec), permutes));
    EXPECT_THAT(find_finding(permuted, "structure")->note,
                HasSubstr("maps dimension 0 to dimensions "));
    const Report idle =
        judge_audit(spec, answers_of(audit_of(spec), [](const AskedRow& row) { return row.x; }));
    EXPECT_EQ(std::get<std::string>(find_finding(idle, "structure")->fields[0].value), "none");
    EXPECT_EQ(failures(idle), "table-accuracy score-accuracy");
}

TEST(Audit, SeesBothColumnsOfABlock) {
    const Spec spec = spec_of(16, 10000);
    const Program rotate = rotates_in(spec, Format::float32);
    const Program reflects = [&](const AskedRow& row) {
        Vector y = rotate(row);  // y_b = x_b·cos − x_a·sin only in pair 3
        const Vector c = rotate(of_unit(row, 11));
        y[11] -= 2 * (y[11] - row.x[11] * c[11]);
        return y;
    };
    EXPECT_THAT(failures(spec, reflects), HasSubstr("table-accuracy"));
    const Report report = judge_audit(spec, answers_of(audit_of(spec), reflects));
    EXPECT_EQ(find_finding(report, "table-accuracy")->worst->pair, 3u);
}

TEST(Audit, TheProbesBeforeAndAfterAreADumpThatConformsWhereTheProgramDoes) {
    for (const Spec& spec : sound_specs()) {
        const Answers answers = answers_of(audit_of(spec), rotates_in(spec, Format::float32));
        const auto rows = rotated_rows(spec, audited_vectors(answers));
        EXPECT_EQ(failures(judge_subject(spec, *rows)), "") << spec.head_dim;
    }
}

TEST(Audit, ItsChecksAreNoPartOfOtherReports) {
    const Spec spec = spec_of(16, 10000);
    const Answers answers = answers_of(audit_of(spec), rotates_in(spec, Format::float32));
    const auto dump = rotated_rows(spec, audited_vectors(answers));
    const Report usual = judge(spec, *dump, {});
    EXPECT_EQ(usual.findings.front().check, "table-accuracy");
    const Report named = judge(spec, *dump, {1, {"linearity"}});
    ASSERT_EQ(named.findings.size(), 1u);
    EXPECT_EQ(named.findings[0].verdict, Verdict::not_applicable);
    EXPECT_EQ(named.findings[0].note, "only an audit of a program can check this");
    const Report audited = judge(spec, *audited_rows(answers), {});
    EXPECT_EQ(audited.findings.front().check, "linearity");
}

}  // namespace rope::audit_test
