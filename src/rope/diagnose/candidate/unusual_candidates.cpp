#include <algorithm>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"

namespace rope {
namespace {

void add_llama3_mistakes(FrequencySet& list, const Spec& asked) {
    if (asked.scaling.rope_type != "llama3") return;
    const auto changed = [&](ScalingMember key, FieldValue value, const std::string& what,
                             const auto& change) {
        Spec other = asked;
        change(other.scaling);
        add_candidate(list, "scaling-parameter", {parameter(key, std::move(value))}, what, other);
    };
    for (const std::uint64_t length :
         {asked.max_position_embeddings, std::uint64_t{8192}, std::uint64_t{4096},
          std::uint64_t{2048}, std::uint64_t{16384}, std::uint64_t{32768}, std::uint64_t{131072}})
        if (length != asked.scaling.original_max_position_embeddings)
            changed(&Scaling::original_max_position_embeddings, length,
                    "original_max_position_embeddings is " + decimal(length),
                    [&](Scaling& s) { s.original_max_position_embeddings = length; });
    for (const double low : {1.0, 0.5, 2.0, 4.0})
        for (const double high : {4.0, 1.0, 2.0, 8.0, 16.0, 32.0}) {
            if (low > high ||
                (low == asked.scaling.low_freq_factor && high == asked.scaling.high_freq_factor))
                continue;
            Spec other = asked;
            other.scaling.low_freq_factor = low;
            other.scaling.high_freq_factor = high;
            add_candidate(
                list, "scaling-parameter",
                {parameter(&Scaling::low_freq_factor, low),
                 parameter(&Scaling::high_freq_factor, high)},
                "low_freq_factor is " + decimal(low) + " and high_freq_factor is " + decimal(high),
                other);
        }
}

void add_other_yarns(FrequencySet& list, const Spec& asked) {
    if (asked.scaling.rope_type != "yarn") return;
    for (const std::uint64_t original : {2048u, 4096u, 8192u, 16384u, 32768u, 131072u}) {
        Spec other = asked;
        other.scaling.original_max_position_embeddings = original;
        add_candidate(list, "scaling-parameter",
                      {parameter(&Scaling::original_max_position_embeddings, original)},
                      "original_max_position_embeddings is " + decimal(original), other);
    }
    for (const double fast : {16.0, 32.0, 64.0, 128.0})
        for (const double slow : {0.5, 1.0, 2.0, 4.0}) {
            Spec other = asked;
            other.scaling.beta_fast = fast;
            other.scaling.beta_slow = slow;
            add_candidate(
                list, "scaling-parameter",
                {parameter(&Scaling::beta_fast, fast), parameter(&Scaling::beta_slow, slow)},
                "beta_fast is " + decimal(fast) + " and beta_slow is " + decimal(slow), other);
        }
}

// Where positions jump no line shows the factor.
void add_other_factors(FrequencySet& list, const Spec& asked) {
    if (!asked.scaling.factor) return;
    for (const double factor : {2.0, 4.0, 8.0, 16.0, 32.0, 40.0})
        if (factor != asked.scaling.factor) add_factor_candidate(list, asked, factor);
}

// Where no scaling was expected, or one that has no factor.
void add_unasked_scalings(FrequencySet& list, const Spec& asked) {
    const std::uint64_t length = asked.max_position_embeddings;
    add_candidate(list, "scaling-type", {{"rope_type", std::string("he_xu")}},
                  "θ is scaled by π/(2n), n = " + decimal(length) + ", as He & Xu propose",
                  with_type(asked, "he_xu", 1, length));
    const std::string instead =
        is_scaled(asked) ? ", not " + asked.scaling.rope_type : ", where no scaling was expected";
    for (const double factor : {2.0, 4.0, 8.0, 16.0, 32.0, 40.0}) {
        std::vector<std::uint64_t> lengths{4096, 8192, 2048, 32768, length};
        const auto shorter = static_cast<std::uint64_t>(static_cast<double>(length) / factor);
        if (shorter > 0) lengths.push_back(shorter);
        if (const auto own = asked.scaling.original_max_position_embeddings)
            lengths.push_back(*own);
        std::sort(lengths.begin(), lengths.end());
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
        // of plain frequencies these are a different scale, or a different base
        if (is_scaled(asked))
            for (const std::string_view added : {"linear", "ntk"})
                add_candidate(
                    list, "scaling-type",
                    {{"rope_type", std::string(added)}, parameter(&Scaling::factor, factor)},
                    "the scaling is " + std::string(added) + " with factor " + decimal(factor) +
                        instead,
                    with_type(asked, added, factor, length));
        for (const std::uint64_t original : lengths)
            for (const std::string_view added : {"yarn", "llama3"})
                add_candidate(list, "scaling-type",
                              {{"rope_type", std::string(added)},
                               parameter(&Scaling::factor, factor),
                               parameter(&Scaling::original_max_position_embeddings, original)},
                              "the scaling is " + std::string(added) + " with factor " +
                                  decimal(factor) + " and original_max_position_embeddings " +
                                  decimal(original) + instead,
                              with_type(asked, added, factor, original));
    }
}

}  // namespace

FrequencySet unusual_frequencies(const Spec& asked) {
    FrequencySet list;
    add_llama3_mistakes(list, asked);
    add_other_yarns(list, asked);
    add_other_factors(list, asked);
    if (!asked.scaling.factor) add_unasked_scalings(list, asked);
    return list;
}

}  // namespace rope
