#include "rope/spec/ladder.hpp"

namespace rope {

std::vector<std::uint32_t> ladder_widths(const AxisMap& axes, std::uint32_t pairs) {
    std::vector<std::uint32_t> widths;
    for (const FrequencyStep& step : frequency_steps(axes, pairs))
        if (step.index == 0) widths.push_back(step.width);
    return widths;
}

bool is_one_ladder(const AxisMap& axes) {
    return frequency_restarts(axes) == 1 && axes.scheme != AxisScheme::even_odd;
}

}  // namespace rope
