#include <algorithm>
#include <cmath>

#include "rope/checks/check.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/session/other_judges.hpp"

namespace rope {
namespace {

// One row of a pipeline, at any positions on the axes.
class PipelineRow {
  public:
    PipelineRow(const Spec& spec, const Pipeline& pipeline, std::uint64_t context)
        : rows_(emulate(spec, pipeline, context)),
          axis_(axis_of_pairs(spec.axes, spec.pairs())),
          cos_(spec.pairs()),
          sin_(spec.pairs()) {
        for (std::uint32_t first = 0, end; first < spec.pairs(); first = end) {
            end = first + 1;
            while (end < spec.pairs() && axis_[end] == axis_[first]) ++end;
            parts_.push_back({first, rows_->read({first, end - first}), {}});
        }
    }

    void read(const DumpedRows& rows, std::uint64_t k) {
        for (AxisPairs& part : parts_) {
            const auto row = static_cast<std::uint64_t>(rows.on(axis_[part.first])[k]);
            if (part.row == row) continue;
            part.reader->fill({&row, 1}, &cos_[part.first], &sin_[part.first]);
            part.row = row;
        }
    }
    double cos(std::uint32_t pair) const { return cos_[pair]; }
    double sin(std::uint32_t pair) const { return sin_[pair]; }

  private:
    struct AxisPairs {
        std::uint32_t first;
        std::unique_ptr<RowReader> reader;
        std::optional<std::uint64_t> row;
    };
    std::unique_ptr<RowSource> rows_;
    std::vector<std::uint32_t> axis_;
    std::vector<AxisPairs> parts_;
    std::vector<double> cos_, sin_;
};

std::uint64_t context_of_axes(const DumpedRows& rows) {
    std::uint64_t context = 0;
    for (std::uint32_t axis = 0; axis < rows.axes(); ++axis)
        context = std::max(context, context_of(rows.on(axis)));
    return context;
}

WorstCase errors_of(const Spec& spec, const Pipeline& pipeline, const Dump& dump) {
    const double amplitude = plan_frequencies(spec, float32_precision).attention_factor;
    const double unit = 2 * half_spacing(pipeline.table, amplitude);
    const bool is_table = std::holds_alternative<TableDump>(dump);
    const DumpedRows rows = *rows_of(dump);
    const double u = unit_roundoff(rows.format);
    // two products and their sum, and a cast of the table to the vectors' format
    const double rounding = is_table ? 0 : 3 * u * (1 + 4 * u),
                 least = is_table ? 0 : least_step(rows.format);
    PipelineRow own(spec, pipeline, context_of_axes(rows));
    PairReader values = pair_reader(spec, dump);
    WorstCase worst;
    worst.add_samples(rows.positions.size() * spec.pairs() * 2);
    for (std::uint64_t row = 0; row < rows.positions.size(); ++row) {
        const double m = rows.positions[row];
        own.read(rows, row);
        values.read(row);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [x1, x2, y1, y2] = values[i];
            const AppliedPair want = applied_pair(own.cos(i), own.sin(i), x1, x2, rounding, least);
            const double table = unit * (std::abs(x1) + std::abs(x2));
            worst.judge_value(y1, want.first, want.first_allowed + table, m, i);
            worst.judge_value(y2, want.second, want.second_allowed + table, m, i);
        }
    }
    return worst;
}

}  // namespace

bool is_judged_by_pipeline(const Pipeline* pipeline, const Dump& dump,
                           const SessionOptions& options) {
    const auto rows = rows_of(dump);
    // only cos and sin of implementations may differ, by one unit
    return pipeline && !options.max_error && pipeline->method == AngleMethod::product &&
           pipeline->inv_freq != Format::float32 && rows && rows->are_all(is_whole);
}

Report judge_by_pipeline(const Spec& spec, const Dump& dump, const Pipeline& pipeline,
                         const SessionOptions& options) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Report report = report_on(spec, plan, dump, options.seed);
    const std::string name(pipeline.name);
    report.subject.notes.push_back(
        "checked against what " + name +
        " computes, which is itself faulty: " + std::string(pipeline.fault));
    // float16 may round an inv_freq to 0
    const bool determines_rates =
        pipeline.inv_freq != Format::float16 && is_in_16_bits(dump, pipeline.table);
    if (determines_rates)
        require_checks(options.only, {"table-accuracy", "turn-rate", "pass-through"},
                       "a dump of " + name);
    else
        require_checks(options.only, {"table-accuracy", "pass-through"}, "a dump of " + name);
    if (is_asked(options.only, "table-accuracy"))
        report.findings.push_back(
            finding_of("table-accuracy", errors_of(spec, pipeline, dump),
                       "|value − " + name + "'s value| ≤ one unit of its table at 1",
                       "what " + name + " computes, not the truth"));
    if (determines_rates && is_asked(options.only, "turn-rate")) {
        Finding finding = finding_of("turn-rate");
        judge_turn_rate(spec, plan, dump, pipeline.table, finding);
        report.findings.push_back(std::move(finding));
    }
    if (vectors && spec.rotary_dim < spec.head_dim && is_asked(options.only, "pass-through"))
        report.findings.push_back(find_passed_dimensions(spec, *vectors));
    diagnose_into(report, dump, exactness_of(spec, plan, dump, nullptr), pipeline.table, options);
    return report;
}

}  // namespace rope
