// The papers' own formulas, where implementations have others.
#include "rope/readings/rules.hpp"

namespace rope {
namespace {

// The keys that only implementations have go with their ramp.
bool ramp_over_turns(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "yarn")) return false;
    const Scaling own = spec.scaling;
    spec.scaling = {.rope_type = "yarn_paper",
                    .factor = own.factor,
                    .original_max_position_embeddings = own.original_max_position_embeddings};
    // 0 is the default, as in transformers
    if (own.beta_fast.value_or(0) != 0) spec.scaling.beta_fast = own.beta_fast;
    if (own.beta_slow.value_or(0) != 0) spec.scaling.beta_slow = own.beta_slow;
    return true;
}

bool scale_of_the_length(Spec& spec, const ConfigFacts&) {
    return is_type(spec, "dynamic") && change(spec.scaling.factor, 1.0);
}

constexpr ReadingRule paper_rules[] = {
    {"yarn: the ramp runs over turns in the original length, not over the pair's index; the "
     "attention factor is 0.1·ln factor + 1",
     "arXiv 2309.00071, §3.2, equation 15", ramp_over_turns},
    {"dynamic: s is n/max_position_embeddings; factor is not part of it", "arXiv 2309.00071, §3.3",
     scale_of_the_length},
};

}  // namespace

const Reading paper_reading{"paper", "YaRN's paper", {}, paper_rules};

}  // namespace rope
