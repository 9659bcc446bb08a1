// Answers to audits by programs that are given as functions of a row.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rope/session/session.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/suite/audit.hpp"

namespace rope {

// A row of the request.
struct AskedRow {
    std::uint64_t batch, head, index;
    std::vector<double> positions;  // on each axis
    Vector x;
};
using Program = std::function<Vector(const AskedRow&)>;

// The table, each product and each sum rounded once to the format.
inline Program rotates_in(const Spec& spec, Format format) {
    const auto plan = std::make_shared<FrequencyPlan>(plan_frequencies(spec, exact_precision));
    const auto axes = axis_of_pairs(spec.axes, spec.pairs());
    return [=](const AskedRow& row) {
        const auto round = [&](double value) { return round_to(format, value); };
        Vector y = row.x;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [a, b] = dimensions_of_pair(spec, i);
            const double angle = row.positions[axes[i]] * plan->pairs[i].inv_freq.to_double();
            const double c = round(plan->attention_factor * std::cos(angle)),
                         s = round(plan->attention_factor * std::sin(angle));
            y[a] = round(round(row.x[a] * c) - round(row.x[b] * s));
            y[b] = round(round(row.x[b] * c) + round(row.x[a] * s));
        }
        return y;
    };
}

// The unit vectors and probes are divided among the groups, or all are in the first.
enum class Matrices { from_all_groups, from_group_0 };

inline AskedRow asked(const Audit& audit, std::uint64_t row, Matrices matrices) {
    const std::uint64_t heads = audit.groups.heads, places = audit.places();
    const bool is_sequence = row >= audit.matrix_rows();
    const std::uint64_t number = row - audit.matrix_rows();
    const std::uint64_t group = is_sequence                             ? number / places
                                : matrices == Matrices::from_all_groups ? row % audit.groups.count()
                                                                        : 0;
    AskedRow one{group / heads, group % heads, is_sequence ? number % places : row, {}, {}};
    for (const auto& on_axis : audit.positions)
        one.positions.push_back(on_axis[audit.place_of(row)]);
    for (std::uint32_t dimension = 0; dimension < audit.spec.head_dim; ++dimension)
        one.x.push_back(audit.x(row, dimension));
    return one;
}

inline Answers answers_of(const Audit& audit, const Program& program,
                          Format format = Format::float32,
                          Matrices matrices = Matrices::from_all_groups) {
    std::vector<double> y;
    for (std::uint64_t row = 0; row < audit.rows(); ++row) {
        const Vector rotated = program(asked(audit, row, matrices));
        y.insert(y.end(), rotated.begin(), rotated.end());
    }
    return {audit, {std::move(y), audit.spec.head_dim}, format, "program"};
}

inline Audit audit_of(const Spec& spec, const AuditGroups& groups = {},
                      std::uint64_t context = 4100) {
    return plan_audit(spec, audited_positions(spec, context), 1, groups);
}

// The checks that fail.
inline std::vector<std::string> violated(const Report& report) {
    std::vector<std::string> ids;
    for (const Finding& finding : report.findings)
        if (finding.verdict == Verdict::violated) ids.push_back(finding.check);
    return ids;
}

}  // namespace rope
