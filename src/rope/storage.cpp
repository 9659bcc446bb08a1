#include "rope/storage.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/row_source.hpp"

namespace rope {

double table_rounding(Format format, double amplitude) {
    const double factor = amplitude == 1 ? 0 : 2 * half_spacing(Format::float32, amplitude);
    return half_spacing(format, amplitude) + 2 * 0x1p-24 * amplitude + factor;
}

double rotation_rounding(Format format, double amplitude) {
    return 2 * std::numbers::sqrt2 * unit_roundoff(format) * amplitude +
           2 * half_spacing(format, amplitude) + table_rounding(Format::float32, amplitude);
}

std::vector<double> unknown_make_k(const Spec& spec, const FrequencyPlan& plan) {
    const double log_base = std::log(spec.rope_theta), iterative = spec.rotary_dim + log_base + 4;
    std::vector<double> k;
    for (const PlannedFrequency& pair : plan.pairs)
        k.push_back(std::max({largest_sound_k, iterative, (9 + 2 * log_base) * pair.conditioning}) +
                    2 * pair.blend_error);
    return k;
}

}  // namespace rope
