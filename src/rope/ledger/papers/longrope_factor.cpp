// Ding et al., LongRoPE.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {
namespace {

void derive_factor(Derivation& d) {
    d.say("For s = 32 and L = 4096, √(1 + ln 32/ln 4096) = √(1 + 5/12).");
    const BigReal factor =
        d.number("√(1 + 5/12)", root(natural_log(real(32)) / natural_log(real(4096)) - -1.0),
                 "1.190238071423808");
    Spec spec{.head_dim = 4, .rotary_dim = 4, .max_position_embeddings = 131072};
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 4096,
                    .short_factor = {1, 1},
                    .long_factor = {1, 1}};
    const double planned = plan_frequencies(spec, exact_precision).attention_factor;
    d.confirm(
        "It is the attention_factor that the longrope rope_type plans with for Phi-3's "
        "lengths.",
        absolute(factor - real(planned)) < real(1e-14));
}

constexpr Entry longrope_factor_entries[] = {
    {"longrope-factor", "attention factor", "cos and sin are multiplied by √(1 + ln s/ln L).",
     Status::theorem, derive_factor, "rope-check explain --model phi-3.5-mini"},
};

}  // namespace

std::span<const Entry> longrope_factor() { return longrope_factor_entries; }

}  // namespace rope::ledger
