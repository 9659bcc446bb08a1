// The sequences of an audit beside a·R(m)x. Of a pair, with u = roundoff (answers.hpp) and ε the
// allowance of its (cos, sin) at m, both lanes are within
//     a·|x|·(ε + 4u)
#include "rope/comparison/odd_group.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/decimal.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace {

// The exact (cos, sin) of every pair at a place.
class TruthAtPlaces {
  public:
    TruthAtPlaces(const Comparison& comparison, const Audit& audit)
        : comparison_(comparison),
          audit_(audit),
          rows_(comparison.plan.pairs, comparison.rates),
          cos_(comparison.spec.pairs()),
          sin_(comparison.spec.pairs()) {}

    void read(std::uint64_t place) {
        std::vector<double> cos(cos_.size()), sin(sin_.size());
        for (std::uint32_t axis = 0; axis < audit_.positions.size(); ++axis) {
            rows_.fill({&audit_.positions[axis][place], 1}, cos.data(), sin.data());
            for (std::size_t i = 0; i < cos.size(); ++i)
                if (comparison_.axis[i] == axis) {
                    cos_[i] = cos[i];
                    sin_[i] = sin[i];
                }
        }
    }
    double cos(std::uint32_t pair) const { return cos_[pair]; }
    double sin(std::uint32_t pair) const { return sin_[pair]; }

  private:
    const Comparison& comparison_;
    const Audit& audit_;
    RealRows rows_;
    std::vector<double> cos_, sin_;
};

// The largest error of a row's pairs over its allowance.
double error_of_row(const Comparison& comparison, const Answers& answers,
                    const TruthAtPlaces& truth, std::uint64_t row) {
    const Audit& audit = answers.audit;
    const double a = comparison.plan.attention_factor;
    double worst = 0;
    for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i) {
        const Lanes in = lanes_of_pair(audit.spec, i), out = written_lanes_of_pair(audit.spec, i);
        const double x1 = audit.x(row, in.first), x2 = audit.x(row, in.second);
        const double y1 = a * (x1 * truth.cos(i) - x2 * truth.sin(i));
        const double y2 = a * (x2 * truth.cos(i) + x1 * truth.sin(i));
        const double d1 = answers.y.at(row, out.first) - y1,
                     d2 = answers.y.at(row, out.second) - y2;
        const double position = audit.positions[comparison.axis[i]][audit.place_of(row)];
        const double allowed = a * std::sqrt(x1 * x1 + x2 * x2) *
                               (comparison.allowance(position, i) + 4 * answers.roundoff());
        const double error = std::sqrt(d1 * d1 + d2 * d2) / allowed;
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
    return worst;
}

// The group of the largest error, or the whole batch entry or head that it is of, where these are
// the groups that are off.
std::string name_of(const AuditGroups& groups, const std::vector<double>& errors) {
    const auto at = static_cast<std::uint64_t>(std::ranges::max_element(errors) - errors.begin());
    const std::uint64_t entry = at / groups.heads, head = at % groups.heads;
    bool is_entry = true, is_head = true;
    for (std::uint64_t group = 0; group < errors.size(); ++group) {
        const bool is_off = errors[group] > 1;
        is_entry = is_entry && is_off == (group / groups.heads == entry);
        is_head = is_head && is_off == (group % groups.heads == head);
    }
    std::string of_batch = "batch entry " + decimal(entry), of_heads = "head " + decimal(head);
    if (is_entry) return of_batch;
    if (is_head || groups.batch == 1) return of_heads;
    return groups.heads == 1 ? of_batch : of_batch + ", " + of_heads;
}

}  // namespace

std::string odd_group(const Comparison& comparison, const Answers& answers) {
    const Audit& audit = answers.audit;
    if (audit.sequences() == 0) return "";
    TruthAtPlaces truth(comparison, audit);
    std::vector<double> errors(audit.sequences());
    for (std::uint64_t place = 0; place < audit.places(); ++place) {
        truth.read(place);
        for (std::uint64_t group = 0; group < errors.size(); ++group)
            errors[group] = std::max(errors[group], error_of_row(comparison, answers, truth,
                                                                 audit.row_of(group, place)));
    }
    const auto [least, most] = std::ranges::minmax(errors);
    return least > 1 || most <= 1 ? "" : name_of(audit.groups, errors);
}

}  // namespace rope
