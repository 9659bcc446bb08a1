// Angles as ggml computes them: by a recurrence in float32 from pair to pair.
#pragma once

#include <vector>

#include "rope/spec/frequency.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// ggml keeps linear scaling as freq_scale, and every other change of θ as a divisor per pair.
class GgmlAngles {
  public:
    GgmlAngles() = default;
    GgmlAngles(const Spec& spec, const FrequencyPlan& exact_plan);

    // ggml_rope_cache_init, with rope_yarn's ext_factor = 0, for some pairs.
    void fill(float position, PairRange pairs, float* angle) const;
    // What pair i turns by, but for the recurrence's roundings.
    BigReal frequency(std::uint32_t i) const;

  private:
    float theta_scale_ = 1;       // base^(-2/n_dims)
    float freq_scale_ = 1;        // 1/factor of linear scaling
    std::vector<float> divisor_;  // freq_factors
    std::uint32_t section_ = 0;   // pairs after which θ starts over, as ggml's VISION does
};

}  // namespace rope
