#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/replays.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// One value of a row: a cos or sin of a pair, or one dimension of a rotated vector.
struct Value {
    std::size_t mate;                   // index of the other value of the pair
    std::optional<std::uint32_t> pair;  // empty if it does not rotate or pairs are unknown
    double slope = 0;                   // K·2^-24·θ
    std::uint32_t axis = 0;
};

std::size_t width_of(const TableDump& table) { return 2 * std::size_t{table.pairs}; }
std::size_t width_of(const RotatedDump& vectors) { return head_dim_of(vectors); }

void read(const TableDump& table, std::uint64_t row, std::vector<double>& values) {
    table.cos.read(row, 0, table.pairs, values.data());
    table.sin.read(row, 0, table.pairs, values.data() + table.pairs);
}
void read(const RotatedDump& vectors, std::uint64_t row, std::vector<double>& values) {
    vectors.after.read(row, 0, static_cast<std::uint32_t>(values.size()), values.data());
}

Exactness exactness_of(const Spec& spec, const FrequencyPlan& plan, const TableDump& table,
                       const Pipeline* pipeline) {
    return table_exactness(spec, plan, table.format, pipeline);
}
Exactness exactness_of(const Spec& spec, const FrequencyPlan& plan, const RotatedDump& vectors,
                       const Pipeline* pipeline) {
    return rotation_exactness(spec, plan, vectors.format, pipeline);
}

// Return the indices of both values of a pair.
Lanes places_of(const Spec&, const TableDump& table, std::uint32_t pair) {
    return {pair, pair + table.pairs};
}
Lanes places_of(const Spec& spec, const RotatedDump&, std::uint32_t pair) {
    return written_lanes_of_pair(spec, pair);
}

double least_step(Format format) {
    return std::ldexp(1, smallest_exponent(format) - precision_bits(format) + 2);
}

std::string shape_of(const RowGrid& grid, std::size_t width) {
    return decimal(grid.batch.length) + " batch entries × " + decimal(grid.head.length) +
           " heads × " + decimal(grid.sequence.length) + " rows of " + decimal(width) + " values";
}

// Returns the reference's row for each row of `dump`: the one with the same batch entry, head and
// index, or, for tables of different lengths, with the same position.
template <class Dump>
std::vector<std::uint64_t> matched_rows(const Dump& dump, const Dump& reference) {
    const RowGrid &own = dump.grid, &other = reference.grid;
    const std::size_t rows = dump.positions.size();
    std::vector<std::uint64_t> all(rows);
    if (rows == reference.positions.size() && own.batch.length == other.batch.length &&
        own.head.length == other.head.length && own.sequence.length == other.sequence.length) {
        const bool is_plain = other.batch.length * other.head.length * other.sequence.length == 1;
        for (std::uint64_t row = 0; row < rows; ++row)
            all[row] = is_plain ? row
                                : own.batch.of(row) * other.batch.stride +
                                      own.head.of(row) * other.head.stride +
                                      own.sequence.of(row) * other.sequence.stride;
        return all;
    }
    if constexpr (std::is_same_v<Dump, RotatedDump>)
        throw InputError(dump.origin + " has " + shape_of(own, width_of(dump)) + ", " +
                         reference.origin + " " + shape_of(other, width_of(reference)));
    std::map<std::vector<double>, std::uint64_t> row_at;
    for (std::uint64_t row = 0; row < reference.positions.size(); ++row)
        row_at.try_emplace(DumpedRows(reference).position(row), row);
    for (std::uint64_t row = 0; row < rows; ++row) {
        const auto found = row_at.find(DumpedRows(dump).position(row));
        if (found == row_at.end())
            throw InputError(reference.origin + ": has no row for position " +
                             decimal(dump.positions[row]));
        all[row] = found->second;
    }
    return all;
}

// Throws InputError unless the vectors before rotation agree up to the coarser format.
void require_same_inputs(const TableDump&, const TableDump&, const std::vector<std::uint64_t>&) {}
void require_same_inputs(const RotatedDump& dump, const RotatedDump& reference,
                         const std::vector<std::uint64_t>& matched) {
    const double u = std::max(unit_roundoff(dump.format), unit_roundoff(reference.format));
    const auto width = static_cast<std::uint32_t>(width_of(dump));
    std::vector<double> own(width), other(width);
    for (std::uint64_t row = 0; row < matched.size(); ++row) {
        dump.before.read(row, 0, width, own.data());
        reference.before.read(matched[row], 0, width, other.data());
        for (std::uint32_t lane = 0; lane < width; ++lane)
            if (std::abs(own[lane] - other[lane]) >
                2 * u * std::abs(other[lane]) + least_step(dump.format))
                throw InputError(dump.origin + " and " + reference.origin +
                                 " are of other vectors before the rotation (first in row " +
                                 decimal(row) + ", dimension " + decimal(lane) +
                                 "); rotate the same q and k");
    }
}

template <class Dump>
class Against {
  public:
    Against(const Spec& spec, const Dump& dump, const Dump& reference, const Pipeline* pipeline,
            bool is_known)
        : dump_(dump),
          reference_(reference),
          matched_(matched_rows(dump, reference)),
          is_known_(is_known) {
        require_same_inputs(dump, reference, matched_);
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        const double a = std::abs(plan.attention_factor);
        const Exactness own = exactness_of(spec, plan, dump, pipeline),
                        other = exactness_of(spec, plan, reference, nullptr);
        rounding_ = (own.rounding + other.rounding) / a;
        least_ = least_step(dump.format) + least_step(reference.format);
        lay_out(spec, plan, own, other);
    }

    // Returns the dump with the reference's positions, if these differ.
    std::optional<Dump> at_its_positions() const {
        Dump placed = dump_;
        placed.more_positions.resize(reference_.more_positions.size(), dump_.positions);
        for (std::uint64_t row = 0; row < matched_.size(); ++row) {
            placed.positions[row] = reference_.positions[matched_[row]];
            for (std::size_t axis = 0; axis < placed.more_positions.size(); ++axis)
                placed.more_positions[axis][row] = reference_.more_positions[axis][matched_[row]];
        }
        if (placed.positions == dump_.positions && placed.more_positions == dump_.more_positions)
            return std::nullopt;
        return placed;
    }

    Finding judge() const {
        Finding finding = finding_of(find_check("table-accuracy"));
        finding.statement = "|value − reference's value| ≤ the roundings of both";
        finding.source = reference_.origin;
        WorstCase worst;
        std::uint64_t beyond = 0;
        std::vector<double> own(values_.size()), other(values_.size());
        for (std::uint64_t row = 0; row < matched_.size(); ++row) {
            read(dump_, row, own);
            read(reference_, matched_[row], other);
            const std::vector<double> at = DumpedRows(reference_).position(matched_[row]);
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
                    finding.note = place_of(row, k);
                    return Witness{at, value.pair, own[k], other[k]};
                });
            }
        }
        worst.add_samples(matched_.size() * values_.size());
        worst.report_to(finding);
        if (beyond == 0) {
            finding.note.clear();
            return finding;
        }
        finding.verdict = Verdict::violated;
        finding.note = decimal(beyond) + " of " + decimal(finding.samples) +
                       " values exceed their tolerance; the worst is in " + finding.note;
        return finding;
    }

  private:
    void lay_out(const Spec& spec, const FrequencyPlan& plan, const Exactness& own,
                 const Exactness& other) {
        const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
        std::vector<double> slope;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i)
            slope.push_back((own.angle_k[i] + other.angle_k[i]) * 0x1p-24 *
                            std::abs(plan.pairs[i].inv_freq.to_double()));
        const double most = *std::ranges::max_element(slope);
        for (std::size_t k = 0; k < width_of(dump_); ++k)
            values_.push_back({k, std::nullopt, is_known_ ? 0 : most});
        for (std::uint32_t i = 0; is_known_ && i < spec.pairs(); ++i) {
            const auto [first, second] = places_of(spec, dump_, i);
            values_[first] = {second, i, slope[i], axis[i]};
            values_[second] = {first, i, slope[i], axis[i]};
        }
    }

    static double largest_pair(const std::vector<double>& values) {
        double largest = 0;
        for (const double value : values) largest = std::max(largest, std::abs(value));
        return std::numbers::sqrt2 * largest;
    }

    // Returns "batch entry 0, head 3, row 17, dimension 5", or for a table "row 17, cos of pair 5".
    std::string place_of(std::uint64_t row, std::size_t k) const {
        std::string place;
        const RowGrid& grid = dump_.grid;
        if (grid.batch.length > 1) place += "batch entry " + decimal(grid.batch.of(row)) + ", ";
        if (grid.head.length > 1) place += "head " + decimal(grid.head.of(row)) + ", ";
        const bool is_plain = grid.sequence.length == 1 && place.empty();
        place += "row " + decimal(is_plain ? row : grid.sequence.of(row)) + ", ";
        if constexpr (std::is_same_v<Dump, RotatedDump>) return place + "dimension " + decimal(k);
        const std::size_t pairs = values_.size() / 2;
        return place + (k < pairs ? "cos" : "sin") + " of pair " + decimal(k % pairs);
    }

    const Dump& dump_;
    const Dump& reference_;
    std::vector<std::uint64_t> matched_;
    bool is_known_;
    double rounding_ = 0, least_ = 0;
    std::vector<Value> values_;
};

bool has_faults(const Report& report) { return std::ranges::any_of(report.findings, is_fault); }

template <class Kind>
bool is_by(const Spec& spec, const Kind& dump) {
    const std::uint32_t lanes = std::is_same_v<Kind, RotatedDump> ? spec.head_dim : spec.rotary_dim;
    return width_of(dump) == lanes && rotates_by(spec, dump);
}

template <class Kind>
Report judge_kind(const Spec& spec, const Kind& dump, const Kind& reference,
                  const CompareOptions& how, const SessionOptions& options) {
    if (width_of(dump) != width_of(reference))
        throw InputError(dump.origin + " has " + shape_of(dump.grid, width_of(dump)) + ", " +
                         reference.origin + " " + shape_of(reference.grid, width_of(reference)));
    const bool is_known = is_by(spec, reference);
    const Against<Kind> against(spec, dump, reference, how.pipeline, is_known);
    Report report = report_on(spec, dump, options.seed);
    report.subject.origin += " against " + reference.origin;
    Finding finding = against.judge();
    if (finding.verdict == Verdict::violated && !is_known) {
        report.observations.push_back("no mistake is named: " +
                                      (how.is_assumed
                                           ? "no known parameters fit " + reference.origin
                                           : reference.origin + " does not agree with the config"));
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
        report.diagnosis = std::move(own.diagnosis);
        report.observations = std::move(own.observations);
        if (!report.diagnosis.empty()) report.observations.push_back(finding.note);
    }
    report.findings.push_back(std::move(finding));
    return report;
}

}  // namespace

Report judge_against(const Spec& spec, const Dump& dump, const Dump& reference,
                     const CompareOptions& how, const SessionOptions& options) {
    require_checks(options.only, {"table-accuracy"}, "a dump that is compared with another one");
    if (dump.index() == reference.index()) {
        if (const auto* table = std::get_if<TableDump>(&dump))
            return judge_kind(spec, *table, std::get<TableDump>(reference), how, options);
        if (const auto* vectors = std::get_if<RotatedDump>(&dump))
            return judge_kind(spec, *vectors, std::get<RotatedDump>(reference), how, options);
    }
    throw InputError(
        "--against compares tables with tables and vectors with vectors; check inv_freq against a "
        "config");
}

}  // namespace rope
