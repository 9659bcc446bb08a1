#include "rope/subject/ggml_angles.hpp"

#include "rope/exact/big_real.hpp"

namespace rope {

GgmlAngles::GgmlAngles(const Spec& spec, const FrequencyPlan& exact_plan) {
    const BigReal base(spec.rope_theta, float32_precision);
    // the order of other schemes is one of divisors
    const bool is_vision =
        spec.axes.scheme == AxisScheme::axial || spec.axes.scheme == AxisScheme::halves;
    Spec in_order = spec;
    if (!is_vision) in_order.axes = {};
    section_ = spec.pairs() / (is_vision ? 2 : 1);
    const BigReal exponent = BigReal(-1.0, float32_precision) / static_cast<double>(section_);
    theta_scale_ = static_cast<float>(pow(base, exponent).to_double());
    divisor_.assign(spec.pairs(), 1.0F);
    if (spec.scaling.rope_type == "linear" &&
        frequency_steps(spec.axes, spec.pairs()) == frequency_steps(in_order.axes, spec.pairs())) {
        freq_scale_ = static_cast<float>(1.0 / *spec.scaling.factor);
        return;
    }
    const auto unscaled = base_frequencies(in_order, exact_precision);
    for (std::uint32_t i = 0; i < spec.pairs(); ++i)
        divisor_[i] =
            static_cast<float>((unscaled[i].inv_freq / exact_plan.pairs[i].inv_freq).to_double());
}

void GgmlAngles::fill(float position, PairRange pairs, float* angle) const {
    float theta = position;
    for (std::uint32_t i = 0; i < pairs.first + pairs.count; ++i) {
        if (i >= pairs.first) angle[i - pairs.first] = freq_scale_ * (theta / divisor_[i]);
        theta = (i + 1) % section_ == 0 ? position : theta * theta_scale_;
    }
}

BigReal GgmlAngles::frequency(std::uint32_t i) const {
    const BigReal scale(static_cast<double>(theta_scale_), exact_precision);
    return pow(scale, BigReal(i % section_, exact_precision)) / static_cast<double>(divisor_[i]) *
           static_cast<double>(freq_scale_);
}

}  // namespace rope
