#include "rope/session/pipeline_replay.hpp"

#include <algorithm>
#include <cmath>

#include "rope/comparison/worst_case.hpp"
#include "rope/judge/registry.hpp"
#include "rope/session/vectors_report.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/subject/positions.hpp"

namespace rope {
namespace {

// The pipeline's rows at positions on every axis, one at a time.
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

    // `at(axis)`
    template <class At>
    void read(const At& at) {
        for (Part& part : parts_) {
            const auto row = static_cast<std::uint64_t>(at(axis_[part.first]));
            if (part.row == row) continue;
            part.reader->fill({&row, 1}, &cos_[part.first], &sin_[part.first]);
            part.row = row;
        }
    }
    double cos(std::uint32_t pair) const { return cos_[pair]; }
    double sin(std::uint32_t pair) const { return sin_[pair]; }

  private:
    struct Part {
        std::uint32_t first;
        std::unique_ptr<RowReader> reader;
        std::optional<std::uint64_t> row;
    };
    std::unique_ptr<RowSource> rows_;
    std::vector<std::uint32_t> axis_;
    std::vector<Part> parts_;
    std::vector<double> cos_, sin_;
};

template <class Dump>
std::uint64_t context_of_axes(const Dump& dump) {
    std::uint64_t context = context_of(dump.positions);
    for (const auto& on_axis : dump.more_positions)
        context = std::max(context, context_of(on_axis));
    return context;
}

// Calls visit(row, pipeline's row) at each row of the dump.
template <class Dump, class Visit>
void for_each_row(const Spec& spec, const Pipeline& pipeline, const Dump& dump,
                  const Visit& visit) {
    PipelineRow own(spec, pipeline, context_of_axes(dump));
    for (std::uint64_t row = 0; row < dump.positions.size(); ++row) {
        own.read([&](std::uint32_t axis) {
            return axis == 0 || dump.more_positions.empty() ? dump.positions[row]
                                                            : dump.more_positions[axis - 1][row];
        });
        visit(row, own);
    }
}

struct Accuracy {
    WorstCase worst;
    void add(double position, std::uint32_t pair, double got, double want, double allowed) {
        const double error = std::abs(got - want);
        worst.add(error, allowed, [&] { return Witness{{position}, pair, got, want}; });
        if (!(error <= allowed)) worst.add_violation(position, pair);
        worst.add_samples(1);
    }
};

double unit_of(const Pipeline& pipeline, const Spec& spec) {
    return 2 *
           half_spacing(pipeline.table, plan_frequencies(spec, float32_precision).attention_factor);
}

WorstCase table_errors(const Spec& spec, const Pipeline& pipeline, const TableDump& table) {
    const double unit = unit_of(pipeline, spec);
    Accuracy all;
    for_each_row(spec, pipeline, table, [&](std::uint64_t row, const PipelineRow& own) {
        for (std::uint32_t i = 0; i < table.pairs; ++i) {
            all.add(table.positions[row], i, table.cos.at(row, i), own.cos(i), unit);
            all.add(table.positions[row], i, table.sin.at(row, i), own.sin(i), unit);
        }
    });
    return all.worst;
}

// y1 = c·x1 − s·x2, y2 = s·x1 + c·x2
WorstCase vector_errors(const Spec& spec, const Pipeline& pipeline, const RotatedDump& vectors) {
    const double unit = unit_of(pipeline, spec), u = unit_roundoff(vectors.format);
    const double least =
        std::ldexp(1, smallest_exponent(vectors.format) - precision_bits(vectors.format) + 2);
    std::vector<double> x(spec.head_dim), y(spec.head_dim);
    Accuracy all;
    for_each_row(spec, pipeline, vectors, [&](std::uint64_t row, const PipelineRow& own) {
        vectors.before.read(row, 0, spec.head_dim, x.data());
        vectors.after.read(row, 0, spec.head_dim, y.data());
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const Lanes in = lanes_of_pair(spec, i), out = written_lanes_of_pair(spec, i);
            const double c1 = own.cos(i) * x[in.first], s2 = own.sin(i) * x[in.second];
            const double s1 = own.sin(i) * x[in.first], c2 = own.cos(i) * x[in.second];
            // both products and their sum, and a cast of the table to the vectors' format
            const double rounding = 3 * u * (1 + 4 * u);
            const double table = unit * (std::abs(x[in.first]) + std::abs(x[in.second])) + least;
            all.add(vectors.positions[row], i, y[out.first], c1 - s2,
                    rounding * (std::abs(c1) + std::abs(s2)) + table);
            all.add(vectors.positions[row], i, y[out.second], s1 + c2,
                    rounding * (std::abs(s1) + std::abs(c2)) + table);
        }
    });
    return all.worst;
}

bool are_whole(const std::vector<double>& positions) {
    return std::ranges::all_of(positions, [](double m) { return m >= 0 && m == std::floor(m); });
}

}  // namespace

bool is_reproducible(const Pipeline& pipeline) {
    return pipeline.method == AngleMethod::product && pipeline.inv_freq != Format::float32;
}

bool has_table_positions(const Dump& dump) {
    const auto whole = [](const auto& rows) {
        return are_whole(rows.positions) && std::ranges::all_of(rows.more_positions, are_whole);
    };
    if (const auto* table = std::get_if<TableDump>(&dump)) return whole(*table);
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    return vectors && whole(*vectors);
}

Report judge_by_pipeline(const Spec& spec, const Dump& dump, const Pipeline& pipeline,
                         const SessionOptions& options) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    Report report = vectors ? report_on(spec, *vectors, options)
                            : report_on(spec, std::get<TableDump>(dump), options);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    report.attention_factor = plan.attention_factor;
    for (const PlannedFrequency& pair : plan.pairs)
        report.inv_freq.push_back(pair.inv_freq.to_double());
    const std::string name(pipeline.name);
    report.subject.notes.push_back(
        "judged by what " + name +
        " computes, which is itself faulty: " + std::string(pipeline.fault));
    require_checks(options.only, {"table-accuracy", "pass-through"}, "a dump of " + name);
    const auto is_asked = [&](std::string_view check) {
        return options.only.empty() || std::ranges::find(options.only, check) != options.only.end();
    };
    if (is_asked("table-accuracy")) {
        Finding finding = finding_of(find_check("table-accuracy"));
        finding.statement = "|value − " + name + "'s value| ≤ one unit of its table at 1";
        finding.source = "what " + name + " computes, not the truth";
        (vectors ? vector_errors(spec, pipeline, *vectors)
                 : table_errors(spec, pipeline, std::get<TableDump>(dump)))
            .report_to(finding);
        report.findings.push_back(std::move(finding));
    }
    if (vectors && spec.rotary_dim < spec.head_dim && is_asked("pass-through"))
        report.findings.push_back(find_passed_lanes(spec, *vectors));
    return report;
}

}  // namespace rope
