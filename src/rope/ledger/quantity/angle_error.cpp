#include "rope/ledger/quantity/angle_error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/spec/frequency.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::ledger {

double rounded_angle(double inv_freq, double position, const AngleRounding& rounding) {
    const double theta = round_to(rounding.inv_freq, inv_freq);
    const double m = round_to(rounding.position, position);
    return round_to(rounding.product, m * theta);  // 48 bits at most: exact before it is rounded
}

double worst_angle_error(std::uint32_t dim, double base, const AngleRounding& rounding,
                         std::uint64_t first, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim, .rope_theta = base};
    const FrequencyPlan exact = plan_frequencies(spec, exact_precision);
    const FrequencyPlan framework = plan_frequencies(spec, float32_precision);
    double worst = 0;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const double theta = exact.pairs[i].inv_freq.to_double();
        const double inv_freq = framework.pairs[i].inv_freq.to_double();
        for (std::uint64_t m = first; m <= last; ++m) {
            const auto position = static_cast<double>(m);
            const double off = rounded_angle(inv_freq, position, rounding) - position * theta;
            worst = std::max(worst, std::abs(off));
        }
    }
    return worst;
}

double worst_table_error(std::uint32_t dim, double base, std::uint64_t last) {
    const Spec spec{.head_dim = dim, .rotary_dim = dim, .rope_theta = base};
    const std::vector<TurnRate> rates = turn_rates(plan_frequencies(spec, exact_precision).pairs);
    const ExactRows exact(rates);
    const auto table = emulate(spec, find_pipeline(default_pipeline), last + 1);
    const auto reader = table->read({0, spec.pairs()});
    std::vector<double> cos(rates.size()), sin = cos, exact_cos = cos, exact_sin = cos;
    double worst = 0;
    for (std::uint64_t m = 0; m <= last; ++m) {
        reader->fill({&m, 1}, cos.data(), sin.data());
        exact.fill_row(m, exact_cos.data(), exact_sin.data());
        for (std::size_t i = 0; i < rates.size(); ++i)
            worst =
                std::max({worst, std::abs(cos[i] - exact_cos[i]), std::abs(sin[i] - exact_sin[i])});
    }
    return worst;
}

std::uint64_t distinct_positions(Format format, std::uint64_t last) {
    std::uint64_t count = 1;
    for (std::uint64_t m = 1; m <= last; ++m)
        if (round_to(format, static_cast<double>(m)) !=
            round_to(format, static_cast<double>(m - 1)))
            ++count;
    return count;
}

}  // namespace rope::ledger
