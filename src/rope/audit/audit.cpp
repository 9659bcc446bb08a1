#include "rope/audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.hpp"
#include "rope/number/random.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

constexpr double probe_sizes[] = {1, 0x1p-7, 0x1p7};
constexpr std::uint64_t most_sequence_values = std::uint64_t{1} << 25;

// R(m) of a place is head_dim² values: 2²⁴ in all.
std::size_t most_places(const Spec& spec) {
    const std::uint64_t matrix = std::uint64_t{spec.head_dim} * spec.head_dim;
    return std::min<std::size_t>(max_audited_positions, (std::uint64_t{1} << 24) / matrix);
}

std::string probe_refusal(const std::string& what) {
    return "positions " + what + "; they must be 1 to " + decimal(max_audited_positions) +
           " different ones between -2^32 and 2^32";
}

void require_positions(const Spec& spec, const std::vector<double>& positions) {
    if (spec.head_dim > max_audited_head_dim)
        throw InputError("head_dim is " + decimal(spec.head_dim) +
                         "; an audit reads whole matrices and must have at most " +
                         decimal(max_audited_head_dim));
    if (positions.empty() || positions.size() > max_audited_positions)
        throw InputError(probe_refusal("are " + decimal(positions.size()) + " values"));
    std::set<double> seen;
    for (const double position : positions) {
        const bool is_valid = std::abs(position) < static_cast<double>(max_context);
        if (!is_valid || !seen.insert(position).second)
            throw InputError(
                probe_refusal("hold " + decimal(position) + (is_valid ? " twice" : "")));
    }
}

// Their sequences are made and judged row by row.
void require_groups(const Audit& audit) {
    const auto& [batch, heads, order] = audit.groups;
    const std::uint64_t most =
        std::min(max_audited_groups, most_sequence_values / audit.places() / audit.spec.head_dim);
    if (batch >= 1 && heads >= 1 && batch <= most && heads <= most / batch) return;
    throw InputError("an audit has " + decimal(batch) + " batch entries of " + decimal(heads) +
                     " heads; with " + decimal(audit.places()) + " positions of " +
                     decimal(audit.spec.head_dim) + " lanes it may have 1 to " + decimal(most) +
                     " heads in all");
}

// ±size·{1, 5/4, 3/2, 7/4, 2}
double probe_value(double size, Random& random) {
    const std::uint64_t bits = random.bits();
    const double value = size * (1 + static_cast<double>(bits % 5) / 4);
    return bits >> 63 ? -value : value;
}

// Of a group's sequence: not 0, so that row numbers are no positions, and far from those of the
// batch entries beside it.
std::uint64_t first_place(const Audit& audit, std::uint64_t group) {
    const auto& [batch, heads, order] = audit.groups;
    if (order == SequenceOrder::as_they_are) return 0;
    const bool is_own = order == SequenceOrder::own;
    const std::uint64_t places = audit.places(), orders = is_own ? batch : 1;
    const std::uint64_t step = std::max<std::uint64_t>(places / (orders + 1), 1);
    return (is_own ? group / heads + 1 : 1) * step % places;
}

}  // namespace

std::uint64_t Audit::place_of(std::uint64_t row) const {
    if (row < matrix_rows()) return row / rows_per_place();
    const std::uint64_t index = row - matrix_rows();
    return (first_place(*this, index / places()) + index) % places();
}

std::uint64_t Audit::row_of(std::uint64_t group, std::uint64_t place) const {
    const std::uint64_t index = (place + places() - first_place(*this, group)) % places();
    return matrix_rows() + group * places() + index;
}

double Audit::x(std::uint64_t row, std::size_t lane) const {
    if (row >= matrix_rows()) {
        Random random(seed);  // from where the probes end
        random.skip((probes.size() + row - matrix_rows()) * spec.head_dim + lane);
        return probe_value(1, random);
    }
    const std::uint64_t vector = row % rows_per_place();
    if (vector < spec.head_dim) return vector == lane ? 1 : 0;
    return probes[vector - spec.head_dim][lane];
}

Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed,
                 const AuditGroups& groups) {
    require_positions(spec, positions);
    Audit audit{spec, seed, {}, {}, groups};
    const std::uint32_t axes = axis_count(spec.axes);
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        audit.positions.push_back(positions);
        // another one on each axis, and each of them on every axis
        std::rotate(positions.begin(),
                    positions.begin() + static_cast<std::ptrdiff_t>((positions.size() + axes - 1) /
                                                                    axes % positions.size()),
                    positions.end());
    }
    require_groups(audit);
    Random random(seed);
    for (const double size : probe_sizes) {
        std::vector<double>& probe = audit.probes.emplace_back();
        for (std::uint32_t lane = 0; lane < spec.head_dim; ++lane)
            probe.push_back(probe_value(size, random));
    }
    return audit;
}

std::vector<double> audited_positions(const Spec& spec, std::uint64_t context) {
    std::vector<std::uint64_t> candidates{context - 1, context < 2 ? 0 : context - 2};
    candidates.insert(candidates.end(), std::begin(diagnostic_positions),
                      std::end(diagnostic_positions));
    for (std::uint64_t m = 0; m < 41; ++m) candidates.push_back(m);
    std::set<std::uint64_t> chosen;
    for (const std::uint64_t position : candidates)
        if (position < context && chosen.size() < most_places(spec)) chosen.insert(position);
    return {chosen.begin(), chosen.end()};
}

}  // namespace rope
