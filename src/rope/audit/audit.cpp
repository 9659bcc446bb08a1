#include "rope/audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.hpp"
#include "rope/number/random.hpp"
#include "rope/subject/diagnostic_positions.hpp"

namespace rope {
namespace {

constexpr double probe_sizes[] = {1, 0x1p-7, 0x1p7};

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

// ±size·{1, 5/4, 3/2, 7/4, 2}
std::vector<double> random_probe(std::uint32_t lanes, double size, Random& random) {
    std::vector<double> x;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t bits = random.bits();
        const double value = size * (1 + static_cast<double>(bits % 5) / 4);
        x.push_back(bits >> 63 ? -value : value);
    }
    return x;
}

}  // namespace

double Audit::x(std::uint64_t row, std::size_t lane) const {
    const std::uint64_t vector = row % rows_per_place();
    if (vector < spec.head_dim) return vector == lane ? 1 : 0;
    return probes[vector - spec.head_dim][lane];
}

Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed) {
    require_positions(spec, positions);
    Audit audit{spec, seed, {}, {}};
    const std::uint32_t axes = axis_count(spec.axes);
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        audit.positions.push_back(positions);
        // another one on each axis, and each of them on every axis
        std::rotate(positions.begin(),
                    positions.begin() + static_cast<std::ptrdiff_t>((positions.size() + axes - 1) /
                                                                    axes % positions.size()),
                    positions.end());
    }
    Random random(seed);
    for (const double size : probe_sizes)
        audit.probes.push_back(random_probe(spec.head_dim, size, random));
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
