#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/other_judges.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/dimensions.hpp"

namespace rope {
namespace {

// One value of a row: a cos or sin of a pair, or one dimension of a rotated vector.
struct Value {
    std::size_t mate;                   // index of the other value of the pair
    std::optional<std::uint32_t> pair;  // empty if it does not rotate or pairs are unknown
    double slope = 0;                   // K·2^-24·θ
    std::uint32_t axis = 0;
};

// Reads cos and sin of a table's row, or a vector after the rotation.
void read(const Dump& dump, std::uint64_t row, std::vector<double>& values) {
    if (const auto* table = std::get_if<TableDump>(&dump)) {
        table->cos.read(row, 0, table->pairs, values.data());
        table->sin.read(row, 0, table->pairs, values.data() + table->pairs);
    } else {
        std::get<RotatedDump>(dump).after.read(row, 0, values.size(), values.data());
    }
}

[[noreturn]] void refuse_shapes(const Dump& dump, const Dump& reference) {
    const auto shape_of = [](const Dump& one) {
        const DumpedRows rows = *rows_of(one);
        return decimal(rows.grid.batch.length) + " batch entries × " +
               decimal(rows.grid.head.length) + " heads × " + decimal(rows.grid.sequence.length) +
               " rows of " + decimal(dimensions_of(one)) + " values";
    };
    throw InputError(rows_of(dump)->origin + " has " + shape_of(dump) + ", " +
                     rows_of(reference)->origin + " " + shape_of(reference));
}

// Returns the reference's row for each row of `dump`: the one with the same batch entry, head and
// index, or, for tables of different lengths, with the same position.
std::vector<std::uint64_t> matched_rows(const Dump& dump, const Dump& reference) {
    const DumpedRows at = *rows_of(dump), at_others = *rows_of(reference);
    const RowGrid &own = at.grid, &other = at_others.grid;
    const std::size_t rows = at.positions.size();
    std::vector<std::uint64_t> all(rows);
    if (rows == at_others.positions.size() && own.batch.length == other.batch.length &&
        own.head.length == other.head.length && own.sequence.length == other.sequence.length) {
        const bool is_plain = other.batch.length * other.head.length * other.sequence.length == 1;
        for (std::uint64_t row = 0; row < rows; ++row)
            all[row] = is_plain ? row
                                : own.batch.of(row) * other.batch.stride +
                                      own.head.of(row) * other.head.stride +
                                      own.sequence.of(row) * other.sequence.stride;
        return all;
    }
    if (std::holds_alternative<RotatedDump>(dump)) refuse_shapes(dump, reference);
    std::map<std::vector<double>, std::uint64_t> row_at;
    for (std::uint64_t row = 0; row < at_others.positions.size(); ++row)
        row_at.try_emplace(at_others.position(row), row);
    for (std::uint64_t row = 0; row < rows; ++row) {
        const auto found = row_at.find(at.position(row));
        if (found == row_at.end())
            throw InputError(at_others.origin + ": has no row for position " +
                             decimal(at.positions[row]));
        all[row] = found->second;
    }
    return all;
}

// Throws InputError unless the vectors before rotation agree up to the coarser format.
void require_same_inputs(const RotatedDump& dump, const RotatedDump& reference,
                         const std::vector<std::uint64_t>& matched) {
    const double u = std::max(unit_roundoff(dump.format), unit_roundoff(reference.format));
    const std::uint64_t width = head_dim_of(dump);
    std::vector<double> own(width), other(width);
    for (std::uint64_t row = 0; row < matched.size(); ++row) {
        dump.before.read(row, 0, width, own.data());
        reference.before.read(matched[row], 0, width, other.data());
        for (std::uint64_t dimension = 0; dimension < width; ++dimension)
            if (std::abs(own[dimension] - other[dimension]) >
                2 * u * std::abs(other[dimension]) + least_step(dump.format))
                throw InputError(dump.origin + " and " + reference.origin +
                                 " are of other vectors before the rotation (first in row " +
                                 decimal(row) + ", dimension " + decimal(dimension) +
                                 "); rotate the same q and k");
    }
}

class Against {
  public:
    Against(const Spec& spec, const Dump& dump, const Dump& reference, const Pipeline* pipeline,
            bool is_known)
        : dump_(dump),
          reference_(reference),
          positions_(*rows_of(reference)),
          matched_(matched_rows(dump, reference)),
          is_known_(is_known) {
        if (const auto* vectors = std::get_if<RotatedDump>(&dump))
            require_same_inputs(*vectors, std::get<RotatedDump>(reference), matched_);
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        const double a = std::abs(plan.attention_factor);
        const Exactness own = exactness_of(spec, plan, dump, pipeline),
                        other = exactness_of(spec, plan, reference, nullptr);
        rounding_ = (own.rounding + other.rounding) / a;
        least_ = least_step(rows_of(dump)->format) + least_step(positions_.format);
        lay_out(spec, plan, own, other);
    }

    // Returns the dump with the reference's positions, if these differ.
    std::optional<Dump> at_its_positions() const {
        const auto at_these = [&](auto dump) -> std::optional<Dump> {
            const auto positions = std::exchange(dump.positions, on(0));
            const auto more = std::exchange(dump.more_positions, {});
            for (std::uint32_t axis = 1; axis < positions_.axes(); ++axis)
                dump.more_positions.push_back(on(axis));
            if (dump.positions == positions && dump.more_positions == more) return std::nullopt;
            return dump;
        };
        if (const auto* table = std::get_if<TableDump>(&dump_)) return at_these(*table);
        return at_these(std::get<RotatedDump>(dump_));
    }

    Finding judge() const {
        WorstCase worst;
        std::string worst_place;
        std::uint64_t beyond = 0;
        std::vector<double> own(values_.size()), other(values_.size());
        for (std::uint64_t row = 0; row < matched_.size(); ++row) {
            read(dump_, row, own);
            read(reference_, matched_[row], other);
            const std::vector<double> at = positions_.position(matched_[row]);
            const double largest = largest_pair(other);
            for (std::size_t k = 0; k < values_.size(); ++k) {
                const Value& value = values_[k];
                const double norm = is_known_ ? std::hypot(other[k], other[value.mate]) : largest;
                const double m = value.axis < at.size() ? at[value.axis] : at[0];
                const double allowed =
                    norm * rounding_ + least_ + norm * std::min(2.0, value.slope * std::abs(m));
                const double error = std::abs(own[k] - other[k]);
                beyond += !(error <= allowed);
                worst.add(error, allowed, [&] {
                    worst_place = place_of(row, k);
                    return Witness{at, value.pair, own[k], other[k]};
                });
            }
        }
        worst.add_samples(matched_.size() * values_.size());
        Finding finding =
            finding_of("table-accuracy", worst,
                       "|value − reference's value| ≤ the roundings of both", positions_.origin);
        if (beyond == 0) return finding;
        finding.verdict = Verdict::violated;
        finding.note = grouped(beyond) + " of " + grouped(finding.samples) +
                       " values exceed their tolerance; the worst is in " + worst_place;
        return finding;
    }

  private:
    // The reference's positions on an axis, row by row of the dump.
    std::vector<double> on(std::uint32_t axis) const {
        std::vector<double> all;
        for (const std::uint64_t row : matched_) all.push_back(positions_.on(axis)[row]);
        return all;
    }

    void lay_out(const Spec& spec, const FrequencyPlan& plan, const Exactness& own,
                 const Exactness& other) {
        const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
        std::vector<double> slope;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i)
            slope.push_back((own.angle_k[i] + other.angle_k[i]) * 0x1p-24 *
                            std::abs(plan.pairs[i].inv_freq.to_double()));
        const double most = *std::ranges::max_element(slope);
        for (std::size_t k = 0; k < dimensions_of(dump_); ++k)
            values_.push_back({k, std::nullopt, is_known_ ? 0 : most});
        for (std::uint32_t i = 0; is_known_ && i < spec.pairs(); ++i) {
            const auto [first, second] = is_table() ? Dimensions{i, i + values_.size() / 2}
                                                    : written_dimensions_of_pair(spec, i);
            values_[first] = {second, i, slope[i], axis[i]};
            values_[second] = {first, i, slope[i], axis[i]};
        }
    }

    static double largest_pair(const std::vector<double>& values) {
        double largest = 0;
        for (const double value : values) largest = std::max(largest, std::abs(value));
        return std::numbers::sqrt2 * largest;
    }

    bool is_table() const { return std::holds_alternative<TableDump>(dump_); }

    // Returns "batch entry 0, head 3, row 17, dimension 5", or for a table "row 17, cos of pair 5".
    std::string place_of(std::uint64_t row, std::size_t k) const {
        std::string place;
        const RowGrid& grid = rows_of(dump_)->grid;
        if (grid.batch.length > 1) place += "batch entry " + decimal(grid.batch.of(row)) + ", ";
        if (grid.head.length > 1) place += "head " + decimal(grid.head.of(row)) + ", ";
        const bool is_plain = grid.sequence.length == 1 && place.empty();
        place += "row " + decimal(is_plain ? row : grid.sequence.of(row)) + ", ";
        if (!is_table()) return place + "dimension " + decimal(k);
        const std::size_t pairs = values_.size() / 2;
        return place + (k < pairs ? "cos" : "sin") + " of pair " + decimal(k % pairs);
    }

    const Dump& dump_;
    const Dump& reference_;
    DumpedRows positions_;  // of the reference
    std::vector<std::uint64_t> matched_;
    bool is_known_;
    double rounding_ = 0, least_ = 0;
    std::vector<Value> values_;
};

bool has_faults(const Report& report) { return std::ranges::any_of(report.findings, is_fault); }

}  // namespace

Report judge_against(const Spec& spec, const Dump& dump, const Dump& reference,
                     const CompareOptions& how, const SessionOptions& options) {
    require_checks(options.only, {"table-accuracy"}, "a dump that is compared with another one");
    if (dump.index() != reference.index() || std::holds_alternative<FrequencyDump>(dump))
        throw InputError(
            "--against compares tables with tables and vectors with vectors; check inv_freq "
            "against a config");
    if (dimensions_of(dump) != dimensions_of(reference)) refuse_shapes(dump, reference);
    const std::string& origin = rows_of(reference)->origin;
    const bool is_table = std::holds_alternative<TableDump>(dump);
    const bool is_known =
        dimensions_of(reference) == (is_table ? spec.rotary_dim : spec.head_dim) &&
        rotates_by(spec, reference);
    const Against against(spec, dump, reference, how.pipeline, is_known);
    Report report =
        std::visit([&](const auto& one) { return report_on(spec, one, options.seed); }, dump);
    report.subject.origin += " against " + origin;
    Finding finding = against.judge();
    if (finding.verdict == Verdict::violated && !is_known) {
        report.observations.push_back("no mistake is named: " +
                                      (how.is_assumed
                                           ? "no known parameters fit " + origin
                                           : origin + " does not agree with the config"));
    } else if (finding.verdict == Verdict::violated) {
        const auto placed = against.at_its_positions();
        CompareOptions asked = how;
        asked.is_assumed = false;
        Report own = compare(spec, placed ? *placed : dump, asked);
        if (!has_faults(own)) {  // values rounded twice
            finding = *find_finding(own, "table-accuracy");
            report.subject.notes = std::move(own.subject.notes);
            report.subject.notes.push_back(
                "the reference and the dump agree with the config; the "
                "tolerance is that of the config");
        }
        take(report,
             {std::move(own.diagnosis), std::move(own.observations), std::move(own.unexplained)});
        if (!report.diagnosis.empty()) report.observations.push_back(finding.note);
    }
    report.findings.push_back(std::move(finding));
    return report;
}

}  // namespace rope
