#include "rope/diagnose/identity/slow_axes.hpp"

#include <cmath>

#include "rope/comparison/turn_rates.hpp"
#include "rope/subject/exactness.hpp"

namespace rope {
namespace {

Spec on_one_axis(Spec spec, std::uint32_t axis, std::size_t axes) {
    spec.axes = {AxisScheme::sectioned, std::vector<std::uint32_t>(axes)};
    spec.axes.sections[axis] = spec.pairs();
    return spec;
}

// Of the table within the dump, by an unknown implementation.
Format table_of(const Spec& spec, const FrequencyPlan& plan, const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump))
        return table_exactness(spec, plan, table->format, nullptr).table;
    return rotation_exactness(spec, plan, std::get<RotatedDump>(dump).format, nullptr).table;
}

double misfit_of(const RateSum& sum, const SlowPair& pair) {
    if (sum.lanes() == 0) return 0;
    if (is_odd(sum, pair)) return HUGE_VAL;
    return std::abs(sum.deviation()) / (sum.allowed() + pair.tolerance);
}

}  // namespace

void add_slow_misfits(AxisMisfits& misfits, const Spec& spec, const Dump& dump) {
    const std::size_t axes = misfits.front().size();
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const Format table = table_of(spec, plan, dump);
    if (!is_in_16_bits(dump, table)) return;
    for (std::uint32_t a = 0; a < axes; ++a) {
        const SlowTurns turns(on_one_axis(spec, a, axes), plan, dump, table);
        const TurnRates rates = turn_rates(turns);
        for (std::size_t k = 0; k < turns.pairs().size(); ++k)
            misfits[turns.pairs()[k].pair][a] += misfit_of(rates.of_pair[k], turns.pairs()[k]);
    }
}

}  // namespace rope
