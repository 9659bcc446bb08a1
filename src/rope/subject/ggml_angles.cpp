#include "rope/subject/ggml_angles.hpp"

#include "rope/exact/functions.hpp"

namespace rope {

GgmlAngles::GgmlAngles(const Spec& spec, const FrequencyPlan& exact_plan) {
    const BigReal base(spec.rope_theta, float32_precision);
    const std::uint32_t restarts = frequency_restarts(spec.axes);
    section_ = spec.pairs() / restarts;
    const std::uint32_t width = spec.rotary_dim / restarts;
    const BigReal exponent = BigReal(-2.0, float32_precision) / static_cast<double>(width);
    theta_scale_ = static_cast<float>(pow(base, exponent).to_double());
    divisor_.assign(spec.pairs(), 1.0F);
    if (spec.scaling.rope_type == "linear") {
        freq_scale_ = static_cast<float>(1.0 / *spec.scaling.factor);
        return;
    }
    const auto unscaled = base_frequencies(spec, exact_precision);
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
