// Article 002, §3: GLM-4-9B's module.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

void derive_exponent(Derivation& d) {
    d.say(
        "The comment gives θ_i = 10000^{2(i−1)/d}, i from 1 to d/2; the code has 1/base^{…}. "
        "d = 64.");
    const BigReal exponent = real(2.0 * 31) / 64.0;
    const BigReal code =
        d.number("θ of the last pair, code", pow(real(10000), -1.0 * exponent), "1.33352143e-4");
    const BigReal comment =
        d.number("θ of the last pair, comment", pow(real(10000), exponent), "7498.94", "rad");
    d.refute("The exponent's sign is lost: the last pair would turn 1193 times per position.",
             comment > real(1) && code < real(1));
}

void derive_ratio(Derivation& d) {
    d.say("forward_impl multiplies the base by rope_ratio, 500 for GLM-4-9B-chat.");
    const double base = d.number("base", 10000.0 * 500, "5000000");
    const FrequencyPlan plan = base_rope(64, base);
    const BigReal last = plan.pairs.back().inv_freq;
    const BigReal turn =
        d.number("wavelength of pair 31", exact_pi() * 2.0 / last, "1.9400e7", "positions");
    d.number("wavelength of pair 31 with base 10000",
             exact_pi() * 2.0 / base_rope(64).pairs.back().inv_freq, "4.7117e4", "positions");
    d.confirm("The slowest pairs turn more slowly than any context is long, 131072.",
              turn > real(131072));
}

void derive_buffer(Derivation& d) {
    d.say(
        "The registered inv_freq is computed with base 10000; the cache uses base·rope_ratio. The "
        "buffer serves for its dtype and device alone.");
    const BigReal own = base_rope(64).pairs[1].inv_freq,
                  used = base_rope(64, 5e6).pairs[1].inv_freq;
    const BigReal buffer = d.number("pair 1 in the buffer", own, "0.749894");
    const BigReal cached = d.number("pair 1 in the cache", used, "0.617529");
    d.say("Under bfloat16 the buffer is computed in 8 bits besides.");
    BigReal worst = real(0);
    constexpr Precision brain{8};
    for (int i = 0; i < 32; ++i) {
        const BigReal exponent = BigReal(2.0 * i, brain) / BigReal(64, brain);
        const BigReal stored = 1.0 / pow(BigReal(10000, brain), exponent);
        const BigReal exact = base_rope(64).pairs[static_cast<std::size_t>(i)].inv_freq;
        const BigReal off = absolute(stored - exact) / exact;
        if (off > worst) worst = off;
    }
    d.number("largest relative error of it in bfloat16", 100.0 * worst, "0.42", "%");
    d.refute("Who reads the base from this buffer gets 10000 where the model has 5000000.",
             absolute(buffer - cached) > real(0.1));
}

void derive_offset(Derivation& d) {
    d.say(
        "forward(max_seq_len, offset=0) passes max_seq_len on, and nothing else: seq_idx is "
        "arange(seq_len). With offset = 5 the first row is still that of position 0.");
    const FrequencyPlan plan = base_rope(64, 5e6);
    const BigReal got = d.number("cos of pair 0 in the first row", cosine(real(0)), "1");
    const BigReal wanted = d.number("cos of pair 0 at position 5",
                                    cosine(5.0 * plan.pairs.front().inv_freq), "0.283662185463226");
    d.refute("The offset is ignored.", absolute(got - wanted) > real(0.1));
}

void derive_cache_rank(Derivation& d) {
    d.say(
        "forward returns [seq, rotary_dim/2, 2]; apply_rotary_pos_emb is documented for a batch "
        "axis before it. It cuts `rope_cache[:, :sq]`, which is then the pairs. With 8 rows, 32 "
        "pairs and sq = 8 the view is (−1, 1, 8, 32, 2).");
    const Shape as_returned{8, 32, 2}, with_batch{1, 8, 32, 2}, view{0, 1, 8, 32, 2};
    d.number("numbers left after the cut", numbers_in(cut(as_returned, 1, 8)), "128");
    d.number("numbers of one view", numbers_in({1, 8, 32, 2}), "512");
    d.refute("128 is no multiple of 512: torch raises an error. cache[None] is what fits.",
             !can_view(cut(as_returned, 1, 8), view) && can_view(cut(with_batch, 1, 8), view));
}

void derive_same_logic(Derivation& d) {
    using enum PairLayout;
    d.say(
        "§3 calls the logic that of chatglm-6b. Rotate (1, 2, 3, 4) at m = 1, d = 4, by each: "
        "chatglm-6b in halves, glm-4 neighbours.");
    const Vector x = vector_of({1, 2, 3, 4});
    const Vector halves = rotated(x, base_rope(4), half_split, 1);
    const Vector neighbours = rotated(x, base_rope(4), interleaved, 1);
    const BigReal a = d.number("lane 0, halves: cos 1 − 3·sin 1", halves[0], "-1.984110648555550");
    const BigReal b =
        d.number("lane 0, neighbours: cos 1 − 2·sin 1", neighbours[0], "-1.142639663747653");
    d.refute(
        "They pair different lanes. The base differs as well, and glm-4 turns the first half "
        "of the lanes alone.",
        absolute(a - b) > real(0.1));
}

void derive_half_of_the_lanes(Derivation& d) {
    d.say(
        "The module is built with dim = rotary_dim // 2 and the rest passes through: of 128 lanes "
        "64 turn. At any distance the pass-through lanes add 1 each to the score of q = k = 1.");
    const FrequencyPlan plan = base_rope(64, 5e6);
    const double turning =
        d.number("lanes that turn", 2.0 * static_cast<double>(plan.pairs.size()), "64", "lanes");
    const BigReal score =
        d.number("B(131071) of the 32 pairs that turn", cosine_sum(plan, real(131071)), "3.25218");
    d.confirm(
        "32 pairs that stand still keep the sum ≥ 0 at every distance, since 32 cosines are "
        "at least −32.",
        turning == 64 && score + real(32) > real(0));
}

constexpr Entry glm4_module_entries[] = {
    {"002-glm4-exponent", "§3, comment", "Θ = {10000^{2(i−1)/d}}.", Status::false_as_stated,
     derive_exponent},
    {"002-rope-ratio", "§3", "rope_ratio multiplies the base.", Status::theorem, derive_ratio,
     "rope-check explain --model glm-4-9b"},
    {"002-inv-freq-buffer", "§3, __init__", "The inv_freq buffer has the model's frequencies.",
     Status::false_as_stated, derive_buffer},
    {"002-ignored-offset", "§3, forward", "forward takes an offset of the first position.",
     Status::false_as_stated, derive_offset},
    {"002-cache-rank", "§3, apply_rotary_pos_emb", "The cache fits as forward returns it.",
     Status::false_as_stated, derive_cache_rank},
    {"002-same-logic", "§3", "GLM-4 rotates by the same logic as ChatGLM-6B.",
     Status::false_as_stated, derive_same_logic},
    {"002-half-of-the-lanes", "§3, rot_dim", "Half of the lanes rotate, the others pass through.",
     Status::theorem, derive_half_of_the_lanes},
};

}  // namespace

std::span<const Entry> glm4_module() { return glm4_module_entries; }

}  // namespace rope::ledger
