// The scaling that a GGUF asks for, by its keys or by tensors of factors.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/gguf/gguf_config.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

// How llama.cpp stretches the frequencies, as keys of a config's rope_scaling
// (f12cc6d0f: llama_model_base::load_hparams, load_arch_hparams of src/models, llama_context, and
// ggml's rope_yarn).

constexpr std::string_view type_key = "rope.scaling.type", factor_key = "rope.scaling.factor",
                           original_key = "rope.scaling.original_context_length",
                           ext_factor_key = "rope.scaling.yarn_ext_factor",
                           alpha_key = "rope.scaling.alpha",
                           log_key = "rope.scaling.yarn_log_multiplier";

std::string section(std::string_view key) { return "rope_scaling." + std::string(key); }
std::string section(ScalingMember key) { return section(name_of(key)); }

std::string type_of(GgufKeys& keys, bool has_factor) {
    const GgufValue* value = keys.find(type_key);
    if (value == nullptr) return has_factor ? "linear" : "none";
    const auto* name = std::get_if<std::string_view>(value);
    if (name == nullptr)
        throw InputError(keys.file + ": " + keys.shown(type_key) + " is not a string");
    // without an extrapolated part yarn is linear
    const bool is_linear =
        *name == "yarn" && keys.does("reads_ext_factor") && keys.number(ext_factor_key) == 0.0;
    return is_linear ? "linear" : std::string(*name);
}

[[noreturn]] void refuse_with_type(const GgufKeys& keys, const std::string& what,
                                   const std::string& type) {
    keys.refuse_together(what, keys.shown(type_key) + " " + printable(type));
}

// Returns rope.scaling.attn_factor, which multiplies the type's own factor. llama_context
// overwrites yarn_attn_factor where there is an extrapolated part.
std::optional<double> own_attention_factor(GgufKeys& keys, bool is_extrapolated) {
    const auto attn = keys.number(attn_factor_key);
    const auto yarn = keys.does("reads_yarn_attn_factor") && !is_extrapolated
                          ? keys.number("rope.scaling.yarn_attn_factor")
                          : std::nullopt;
    if (!attn && !yarn) return std::nullopt;
    return attn.value_or(1) * yarn.value_or(1);
}

// cos and sin are multiplied whatever the type is; some types have no key for that.
void refuse_attention_factor(GgufKeys& keys, const std::string& type) {
    if (own_attention_factor(keys, false).value_or(1) != 1)
        refuse_with_type(keys, keys.shown(attn_factor_key), type);
}

// Gemma 4's proportional RoPE: the first factors are 1 and all others 1e30, by which llama.cpp's
// pairs do not rotate (conversion/gemma.py, src/models/gemma4.cpp). Returns the fraction of pairs
// that rotate, where the factors are of the whole head.
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

// Returns the tensor without the factors beyond the pairs that rotate: ones, with which converters
// fill up half a head, and factors for wider layers.
std::optional<std::vector<double>> factors_in(GgufKeys& keys, const char* name) {
    auto factors = keys.tensor(name);
    const auto lanes = full_lanes(keys);
    if (!factors || !lanes || lanes->value < 2) return factors;
    const std::size_t pairs = lanes->value / 2;
    const auto is_one = [](double x) { return x == 1; };
    if (factors->size() > pairs &&
        (keys.does("full_layers_rotate_half") ||
         std::all_of(factors->begin() + static_cast<std::ptrdiff_t>(pairs), factors->end(),
                     is_one)))
        factors->resize(pairs);
    return factors;
}

// Puts factors that divide the frequencies, of any length or of two, from their tensors, and the
// rope_type that they make. Returns whether there are any. Throws InputError.
bool translate_factors(GgufKeys& keys, const std::string& type) {
    constexpr const char *any = "rope_freqs.weight", *brief = "rope_factors_short.weight",
                         *wide = "rope_factors_long.weight";
    if (keys.does("factors_unread")) return false;
    const auto shared = factors_in(keys, any), few = factors_in(keys, brief),
               many = factors_in(keys, wide);
    if (!shared && !few && !many) return false;
    const char* const first = shared ? any : wide;
    if (type != "none" && type != "longrope") refuse_with_type(keys, first, type);
    if (const auto fraction = shared ? turning_fraction(keys, *shared) : std::nullopt) {
        keys.config.put(section("rope_type"), "proportional", any);
        keys.config.put(section(&Scaling::partial_rotary_factor), *fraction, any);
        refuse_attention_factor(keys, "proportional");
        return true;
    }
    keys.config.put(section("rope_type"), "longrope", first);
    if (few || shared)
        keys.config.put(section(&Scaling::short_factor), few ? *few : *shared, few ? brief : any);
    if (many || shared)
        keys.config.put(section(&Scaling::long_factor), many ? *many : *shared, many ? wide : any);
    const auto own = own_attention_factor(keys, false);
    keys.config.put(section(&Scaling::attention_factor), own.value_or(1),
                    own ? keys.path(attn_factor_key) : "llama.cpp's default");
    return true;
}

// 0.1·m·ln s + 1
double magnitude_scale(double factor, double m) {
    return factor <= 1 ? 1 : 0.1 * m * std::log(factor) + 1;
}

void translate_ramp(GgufKeys& keys) {
    if (!keys.does("reads_betas")) return;
    if (!keys.copy("rope.scaling.yarn_beta_fast", section(&Scaling::beta_fast)) &&
        keys.does("beta_fast_is_8"))
        keys.config.put(section(&Scaling::beta_fast), 8,
                        "llama.cpp's default for " + keys.architecture);
    keys.copy("rope.scaling.yarn_beta_slow", section(&Scaling::beta_slow));
    // llama.cpp takes a negative one for 1
    if (keys.does("reads_ext_factor") && keys.number(ext_factor_key).value_or(-1) >= 0)
        keys.copy(ext_factor_key, section(&Scaling::ext_factor));
}

// 0: none, and nothing is divided by it
std::optional<double> mscale_all_dim(GgufKeys& keys) {
    const bool is_whole = keys.does("log_multiplier_is_mscale_all_dim");
    if (!is_whole && !keys.does("mscale_of_scores")) return std::nullopt;
    const auto multiplier =
        keys.does("log_multiplier_unread") ? std::nullopt : keys.number(log_key);
    if (multiplier && *multiplier != 0) return is_whole ? *multiplier : *multiplier * 10;
    const bool is_known = keys.known->pairs != "unknown";
    return is_whole || !is_known ? std::nullopt : std::optional(0.0);
}

// llama_context: cos and sin by g(mscale)/g(all), g(m) = 0.1·m·ln s + 1, where mscale is 1 but for
// deepseek2; deepseek2.cpp's kq_scale: scores by the square of that times g(all).
void translate_yarn(GgufKeys& keys, double factor) {
    translate_ramp(keys);
    double amplitude = magnitude_scale(factor, 1);
    bool is_usual = true;
    if (const auto all_dim = mscale_all_dim(keys)) {
        const double all = *all_dim;
        const bool is_own = keys.does("mscale_is_mscale_all_dim") && all != 0;
        const double mscale = is_own ? all : 1;
        const bool of_scores = keys.does("mscale_of_scores");
        const std::string from = all == 0 ? "llama.cpp's default" : keys.path(log_key);
        is_usual = !of_scores || all == mscale;
        if (is_usual) keys.config.put(section(&Scaling::mscale), mscale, from);
        keys.config.put(section(&Scaling::mscale_all_dim), of_scores ? mscale : all, from);
        amplitude = magnitude_scale(factor, mscale) / magnitude_scale(factor, all);
    }
    const auto own = own_attention_factor(keys, true);
    if (!is_usual || own.value_or(1) != 1)
        keys.config.put(section(&Scaling::attention_factor), amplitude * own.value_or(1),
                        own ? keys.path(attn_factor_key) : "llama.cpp's yarn_attn_factor");
}

bool translate_alpha(GgufKeys& keys, const std::string& type, std::optional<double> factor) {
    if (!keys.does("alpha_is_ntk") || !(keys.number(alpha_key).value_or(0) > 0)) return false;
    if (type == "yarn" || (type == "linear" && factor.value_or(1) != 1 && factor != 0.0))
        refuse_with_type(keys, keys.shown(alpha_key), type);
    keys.config.put(section("rope_type"), "ntk", keys.path(alpha_key));
    keys.copy(alpha_key, section(&Scaling::factor));
    keys.find(original_key);  // only yarn uses it
    return true;
}

}  // namespace

// llama.cpp takes an absent or zero factor for 1.
void translate_scaling(GgufKeys& keys) {
    const std::string_view key =
        keys.find(factor_key) != nullptr ? factor_key : "rope.scale_linear";
    const auto factor = keys.number(key);
    const std::string type = type_of(keys, factor.has_value());
    if (translate_alpha(keys, type, factor)) return;
    const bool has_factors = translate_factors(keys, type);
    const bool is_linear = type == "linear";
    if (!has_factors && (type == "none" || is_linear)) {
        refuse_attention_factor(keys, type);
        if (is_linear && factor == 0.0)
            keys.config.put(section("rope_type"), "default",
                            keys.path(key) + ", 0, which llama.cpp reads as 1");
        if (!is_linear || factor.value_or(0) == 0) return;
    }
    keys.copy(original_key, section(&Scaling::original_max_position_embeddings));
    if (has_factors && type == "longrope" && factor.value_or(1) != 1 && factor != 0.0)
        keys.refuse_together("factors", keys.shown(key) + ", by which llama.cpp divides, too");
    if (has_factors) return;
    keys.config.put(section("rope_type"), type, keys.path(type_key));
    if (factor) keys.copy(key, section(&Scaling::factor));
    if (type == "yarn") translate_yarn(keys, factor.value_or(1));
}

}  // namespace rope::io
