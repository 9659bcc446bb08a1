// Factors of the frequencies that a GGUF keeps as tensors.
#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/gguf/gguf_keys.hpp"
#include "io/gguf/gguf_layers.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

std::string section_key(ScalingMember key) { return "rope_scaling." + std::string(name_of(key)); }

// Of Gemma 4's proportional RoPE: the first factors are 1 and all others 1e30, by which llama.cpp's
// pairs stand still (conversion/gemma.py, src/models/gemma4.cpp). The fraction of pairs that turn,
// where it is of the whole head.
std::optional<double> turning_fraction(GgufKeys& keys, const std::vector<double>& factors) {
    const auto still = std::ranges::find_if(factors, [](double x) { return x != 1; });
    const bool stand = std::all_of(still, factors.end(), [](double x) { return x >= 1e29; });
    const auto width = static_cast<double>(2 * factors.size());
    if (still == factors.begin() || still == factors.end() || !stand ||
        keys.number("rope.dimension_count").value_or(width) != width ||
        keys.number("attention.key_length").value_or(width) != width)
        return std::nullopt;
    return 2 * static_cast<double>(still - factors.begin()) / width;
}

void refuse_with_factors(const GgufKeys& keys, const std::string& type, const char* tensor) {
    if (type == "none" || type == "longrope") return;
    throw InputError(keys.file + ": has " + tensor + " and " +
                     printable(keys.path("rope.scaling.type")) + " " + printable(type) +
                     ", which no rope_type does together");
}

// Without those beyond the pairs that rotate: ones, with which converters fill up half a head, and
// what is there for wider layers.
std::optional<std::vector<double>> factors_in(GgufKeys& keys, const char* name) {
    auto factors = keys.tensor(name);
    const auto lanes = full_lanes(keys);
    if (!factors || !lanes || lanes->value < 2) return factors;
    const std::size_t pairs = lanes->value / 2;
    const auto is_one = [](double x) { return x == 1; };
    if (factors->size() > pairs &&
        (keys.known->does("full_layers_rotate_half") ||
         std::all_of(factors->begin() + static_cast<std::ptrdiff_t>(pairs), factors->end(),
                     is_one)))
        factors->resize(pairs);
    return factors;
}

}  // namespace

std::string translate_factors(GgufKeys& keys, const std::string& type) {
    constexpr const char *any = "rope_freqs.weight", *brief = "rope_factors_short.weight",
                         *wide = "rope_factors_long.weight";
    if (keys.known->does("factors_unread")) return "";
    const auto shared = factors_in(keys, any), few = factors_in(keys, brief),
               many = factors_in(keys, wide);
    if (!shared && !few && !many) return "";
    refuse_with_factors(keys, type, shared ? any : wide);
    if (const auto fraction = shared ? turning_fraction(keys, *shared) : std::nullopt) {
        keys.config.put("rope_scaling.rope_type", "proportional", any);
        keys.config.put(section_key(&Scaling::partial_rotary_factor), *fraction, any);
        return "proportional";
    }
    keys.config.put("rope_scaling.rope_type", "longrope", shared ? any : wide);
    if (few || shared)
        keys.config.put(section_key(&Scaling::short_factor), few ? *few : *shared,
                        few ? brief : any);
    if (many || shared)
        keys.config.put(section_key(&Scaling::long_factor), many ? *many : *shared,
                        many ? wide : any);
    const auto own = own_attention_factor(keys, false);
    keys.config.put(section_key(&Scaling::attention_factor), own.value_or(1),
                    own ? keys.path("rope.scaling.attn_factor") : "llama.cpp's default");
    return "longrope";
}

}  // namespace rope::io
