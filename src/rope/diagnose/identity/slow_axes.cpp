#include "rope/diagnose/identity/slow_axes.hpp"

#include <cmath>

#include "rope/checks/turn_rate.hpp"

namespace rope {
namespace {

Spec on_one_axis(Spec spec, std::uint32_t axis, std::size_t axes) {
    spec.axes = {AxisScheme::sectioned, std::vector<std::uint32_t>(axes)};
    spec.axes.sections[axis] = spec.pairs();
    return spec;
}

double misfit_of(const RateSum& sum, const SlowPair& pair) {
    const double share = share_off(sum, pair);
    return share > 1 ? HUGE_VAL : share;
}

}  // namespace

void add_slow_misfits(AxisMisfits& misfits, const Spec& spec, const Dump& dump) {
    constexpr Format table = Format::float64;  // no coarser than the dump
    if (!is_in_16_bits(dump, table)) return;
    const std::size_t axes = misfits.front().size();
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    for (std::uint32_t a = 0; a < axes; ++a) {
        const SlowTurns turns(on_one_axis(spec, a, axes), plan, dump, table);
        const TurnRates rates = turn_rates(turns);
        for (std::size_t k = 0; k < turns.pairs().size(); ++k)
            misfits[turns.pairs()[k].pair][a] += misfit_of(rates.of_pair[k], turns.pairs()[k]);
    }
}

}  // namespace rope
