// Comparison of dumps with a table, a pipeline or another dump, instead of a Spec's exact
// frequencies.
#pragma once

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/exact/format.hpp"
#include "rope/rows/dump.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/session.hpp"

namespace rope {

// The smallest step of a format.
inline double least_step(Format format) {
    return std::ldexp(1, smallest_exponent(format) - precision_bits(format) + 2);
}

// One pair of a head rotated by the cos and sin of a table: y1 = c·x1 − s·x2, y2 = s·x1 + c·x2,
// with the tolerances rounding·(|c·x1| + |s·x2|) + least and rounding·(|s·x1| + |c·x2|) + least.
// `rounding` is the relative error of both products and their sum, `least` a least_step().
struct AppliedPair {
    double first, second;
    double first_allowed, second_allowed;
};
inline AppliedPair applied_pair(double c, double s, double x1, double x2, double rounding,
                                double least) {
    const double c1 = c * x1, s2 = s * x2, s1 = s * x1, c2 = c * x2;
    return {c1 - s2, s1 + c2, rounding * (std::abs(c1) + std::abs(s2)) + least,
            rounding * (std::abs(s1) + std::abs(c2)) + least};
}

// Returns a report with its subject but without findings. Takes any kind of dump.
template <class AnyDump>
Report report_on(const Spec& spec, const AnyDump& dump, std::uint64_t seed) {
    Report report;
    report.spec = spec;
    report.subject.origin = dump.origin;
    report.subject.context = spec.max_position_embeddings;
    if constexpr (requires { dump.positions; }) report.subject.context = context_of(dump.positions);
    report.subject.seed = seed;
    report.subject.read_as = dump.read_as;
    return report;
}
// Returns the same with the frequencies of the plan.
inline Report report_on(const Spec& spec, const FrequencyPlan& plan, const Dump& dump,
                        std::uint64_t seed) {
    Report report = std::visit([&](const auto& one) { return report_on(spec, one, seed); }, dump);
    add_frequencies(report, plan);
    return report;
}

// Returns the error of a finding, divided by its tolerance.
inline double times_over(const Finding& finding) { return finding.observed / finding.allowed; }

// Returns pass-through for all dimensions that do not rotate.
Finding find_passed_dimensions(const Spec& spec, const RotatedDump& vectors);

// Returns whether `only` includes this check; an empty list includes all.
bool is_asked(const std::vector<std::string>& only, std::string_view check);

// Throws InputError if `only` has a check that is not in `these`; `what` names their subject.
void require_checks(const std::vector<std::string>& only,
                    std::initializer_list<std::string_view> these, const std::string& what);

// Vectors that must be rotated by the table in their file, with any content.

// head_dim, rotary_offset and direction come from `place`, rotary_dim from the table. Without a
// layout, any layout that explains every value is accepted.
struct TableUse {
    Spec place;
    std::optional<PairLayout> layout = {};
    std::string from = "the config";  // source of the layout
};

// Returns the first layout for which the table explains every value, if any. Throws InputError as
// judge_by_table() does.
std::optional<PairLayout> layout_by_table(const TableUse& use, const RotatedDump& vectors,
                                          const TableDump& table);

// Reports table-accuracy, |y − R(table)x| ≤ 2u(|c·x1| + |s·x2|) for each dimension, with one more
// rounding if the table is more precise than the vectors; pass-through; and, if table-accuracy
// fails, another use of the table that explains the vectors. Throws InputError if a position has no
// row or two different ones, or the table is wider than a head.
Report judge_by_table(const TableUse& use, const RotatedDump& vectors, const TableDump& table,
                      const SessionOptions& options = {});

// Compares a dump with the values of a faulty pipeline instead of the exact ones.

// Returns whether the dump is compared with the pipeline's values: all implementations of the
// pipeline get the same angles, since positions and inv_freq are rounded so coarsely that library
// differences vanish, and all positions are integers of at least 0.
bool is_judged_by_pipeline(const Pipeline* pipeline, const Dump& dump,
                           const SessionOptions& options);

// Reports table-accuracy, |value − pipeline's value| ≤ one unit of the table's format at 1 (for
// vectors times |x1| + |x2|, plus the roundings of y), and pass-through, and diagnoses failures as
// those of an unknown implementation. Requires is_judged_by_pipeline() and a dump of the Spec's
// dimensions.
Report judge_by_pipeline(const Spec& spec, const Dump& dump, const Pipeline& pipeline,
                         const SessionOptions& options);

// Compares a dump with a reference of the same vectors or the same table. Reports table-accuracy,
// |value − reference's value| ≤ the roundings of both: with ρ the norm of the pair in the
// reference, ρ·(rotation_rounding or table_rounding + K·2^-24·|m|·θ) for each. If the reference
// does not rotate by the Spec, pairs are unknown: ρ is then that of the row's largest value, and θ
// that of the pair with the largest error. If it does, a failure is diagnosed with the Spec at the
// reference's positions. Throws InputError if the dumps differ in shape or in the vectors before
// rotation.
Report judge_against(const Spec& spec, const Dump& dump, const Dump& reference,
                     const CompareOptions& how = {}, const SessionOptions& options = {});

// Vectors with values that one rounding does not explain.

// Returns whether the errors e = y − w of a dump's vectors y from the exact rotation w of its
// config can be independent roundings. Tests the mean of e along w (a scale), across w (an angle)
// and across w weighted with θ (an offset of the position), over each row, each pair and all
// values. A mean may be 6 standard deviations, plus errors that rows share: half a unit of a table
// in the vectors' format, and the error of two float32 angles at the farthest position. Returns
// false if a mean is larger or not finite: a scale of 1.003 in bfloat16 is within two roundings for
// each value, but not in the mean. O(rows · pairs).
bool are_independent_roundings(const Spec& spec, const RotatedDump& vectors);

// Returns the report of float32 vectors that were rotated to m + s and back by s, if that explains
// the errors of `once` and one rotation does not. The errors |y − R(m)x| are at most
// ρ·(2·rotation_rounding + ((K + 1)·|m| + 2|s|)·2^-24·θ); |s| is not in the file, so the least that
// explains every value is used. Returns nothing if a value needs |s| > 8192, exact angles (θ = 1)
// have errors, the error of a pair's angle grows in proportion to m, as with a wrong frequency, or
// only a few values have errors. O(rows · pairs).
std::optional<Report> judge_moved(const Report& once, const RotatedDump& vectors,
                                  const SessionOptions& options);

// Returns the distance |s| by which keys were likely moved: it explains a third of the sampled
// values, some of which one rotation does not explain. 0 where there is none.
double likely_move(const Spec& spec, const RotatedDump& vectors);

// Dumps of printed constants with 4 to 8 digits, as in the tests of implementations.

// The table-accuracy of a dump of printed numbers. The tolerance is half a unit of the last digit,
// plus the effects of printed inputs and of float32 angles.
struct PrintedReport {
    Report report;
    bool are_near = true;  // at most half of the values are off, by two units or less
};
// Returns nothing if the numbers are not printed, or positions are not integers on one axis.
std::optional<PrintedReport> judge_printed(const Spec& spec, const Dump& dump);

}  // namespace rope
