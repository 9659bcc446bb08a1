// Derived as the checks' are (checks/table_accuracy.cpp, subject/dump.hpp).
#include <algorithm>
#include <cmath>

#include "rope/subject/dump.hpp"
#include "rope/suite/suite.hpp"

namespace rope {
namespace {

// From here on float32 rounds whole positions, each by at most 2^-24 of itself: K grows by 1.
constexpr double first_rounded_position = 0x1p24;

double rounded_up(double x) {
    const double nearest = round_to(Format::float32, x);
    return nearest < x ? round_to(Format::float32, x * (1 + 0x1p-23)) : nearest;
}

}  // namespace

std::vector<double> angle_allowances(const SuiteCase& suite_case, const FrequencyPlan& plan,
                                     Arithmetic arithmetic) {
    const std::vector<double> k = angle_k(arithmetic, suite_case.spec, plan);
    const std::vector<SuitePair> pairs = suite_pairs(suite_case.spec);
    std::vector<double> allowed;
    for (std::size_t r = 0; r < suite_case.rows(); ++r)
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const double m = std::abs(suite_case.positions[pairs[i].axis][r]);
            const bool is_rounded = m > first_rounded_position && arithmetic != Arithmetic::exact;
            const double angle =
                (k[i] + is_rounded) * 0x1p-24 * m * plan.pairs[i].inv_freq.to_double();
            allowed.push_back(rounded_up(plan.attention_factor * std::min(2.0, angle)));
        }
    return allowed;
}

// Products and sums of 16-bit formats are of float32 or of their own: the wider allowance, their
// own, is for both.
double rounding_allowance(Format format, double amplitude) {
    const Format library = format == Format::float64 ? Format::float64 : Format::float32;
    return rotation_rounding(format, amplitude, library) + unit_roundoff(format) * amplitude;
}

}  // namespace rope
