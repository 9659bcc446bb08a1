#include <algorithm>
#include <utility>

#include "rope/readings/readings.hpp"
#include "rope/suite/wrong_rows.hpp"

namespace rope {
namespace {

using Frequencies = std::vector<PlannedFrequency>;

void set(PlannedFrequency& pair, BigReal inv_freq) {
    pair.inv_freq = std::move(inv_freq);
    pair.turn.reset();
}

constexpr WrongRow frequencies_rows[] = {
    {"base", plain_case, "rope_theta is 500000, not 10000",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.rope_theta = 500000; });
     }},
    {"exponent-divisor", "partial-half", "exponents are 2i/head_dim, not 2i/rotary_dim",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             for (PlannedFrequency& pair : pairs) {
                 BigReal root(0, exact_precision);  // head_dim is twice rotary_dim
                 mpfr_sqrt(root.raw(), pair.inv_freq.raw(), MPFR_RNDN);
                 set(pair, std::move(root));
             }
         });
     }},
    {"exponent-start", plain_case, "exponents start at 2/d",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             const BigReal step = pairs[1].inv_freq;
             for (PlannedFrequency& pair : pairs) set(pair, pair.inv_freq * step);
         });
     }},
    {"exponent-sign", plain_case, "inv_freq is base^(2i/d)",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) {
             for (PlannedFrequency& pair : pairs) set(pair, 1.0 / pair.inv_freq);
         });
     }},
    {"frequency-order", plain_case, "pair i has the frequency of the i-th pair from the end",
     [](const FaultySubject& of) {
         return by_frequencies(of, [](Frequencies& pairs) { std::ranges::reverse(pairs); });
     }},
    {"inv-freq-entry", plain_case, "pair 3 has twice its frequency",
     [](const FaultySubject& of) {
         return by_frequencies(of,
                               [](Frequencies& pairs) { set(pairs[3], 2.0 * pairs[3].inv_freq); });
     }},
    {"scaling-missing", "linear-half", "factor 4 is not applied",
     [](const FaultySubject& of) { return by_spec(of, [](Spec& spec) { spec.scaling = {}; }); }},
    {"scaling-doubled", "linear-half", "factor 4 is applied twice",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.factor = 16; });
     }},
    {"scaling-inverted", "linear-half", "factor 4 multiplies",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.factor = 0.25; });
     }},
    {"scaling-type", "llama3-half", "every frequency is divided by the factor",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.rope_type = "linear"; });
     }},
    {"scaling-parameter", "llama3-half", "the trained length is 131072, not 8192",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) {
             spec.scaling.original_max_position_embeddings = spec.max_position_embeddings;
         });
     }},
    {"config-reading", "ntk-half", "the config is read as vLLM does, which scales pair 0, too",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) {
             spec = read_as(find_reading("vllm"), spec, facts_of(spec)).spec;
         });
     }},
    {"attention-factor", "yarn-half", "cos and sin are not multiplied by it",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.scaling.attention_factor = 1; });
     }},
};

}  // namespace

std::span<const WrongRow> wrong_frequencies() { return frequencies_rows; }

}  // namespace rope
