// How llama.cpp stretches the frequencies, in the words of a config's rope_scaling
// (llama_model::load_hparams, llama_context, and ggml's rope_yarn).
#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/gguf/gguf_keys.hpp"
#include "rope/spec/fields.hpp"

namespace rope::io {
namespace {

constexpr std::string_view type_key = "rope.scaling.type";

std::string section(std::string_view key) { return "rope_scaling." + std::string(key); }
std::string section(ScalingMember key) { return section(name_of(key)); }

std::string type_of(GgufKeys& keys, bool has_factor) {
    const GgufValue* value = keys.find(type_key);
    const auto* name = value == nullptr ? nullptr : std::get_if<std::string_view>(value);
    if (value != nullptr && name == nullptr)
        throw InputError(keys.file + ": " + printable(keys.path(type_key)) + " is not a string");
    if (name == nullptr) return has_factor ? "linear" : "none";
    return std::string(*name);
}

constexpr std::string_view ext_factor_key = "rope.scaling.yarn_ext_factor";

// Other attention factors multiply the one that the type itself has.
std::optional<double> own_attention_factor(GgufKeys& keys) {
    const auto attn = keys.number("rope.scaling.attn_factor");
    const auto yarn = keys.number("rope.scaling.yarn_attn_factor");
    if (!attn && !yarn) return std::nullopt;
    return attn.value_or(1) * yarn.value_or(1);
}

// 0.1·m·ln s + 1
double magnitude_scale(double factor, double m) {
    return factor <= 1 ? 1 : 0.1 * m * std::log(factor) + 1;
}

// yarn_log_multiplier is 0.1·mscale_all_dim; mscale is 1, and for DeepSeek the same.
void translate_yarn(GgufKeys& keys, double factor) {
    keys.copy("rope.scaling.yarn_beta_fast", section(&Scaling::beta_fast));
    keys.copy("rope.scaling.yarn_beta_slow", section(&Scaling::beta_slow));
    // llama.cpp takes a negative one for 1
    if (keys.number(ext_factor_key).value_or(-1) >= 0)
        keys.copy(ext_factor_key, section(&Scaling::ext_factor));
    double amplitude = magnitude_scale(factor, 1);
    constexpr std::string_view log_key = "rope.scaling.yarn_log_multiplier";
    if (const auto multiplier = keys.number(log_key); multiplier && *multiplier != 0) {
        const double all = *multiplier * 10;
        const double mscale = keys.architecture == "deepseek2" ? all : 1;
        keys.put(section(&Scaling::mscale), mscale, keys.path(log_key));
        keys.put(section(&Scaling::mscale_all_dim), all, keys.path(log_key));
        amplitude = magnitude_scale(factor, mscale) / magnitude_scale(factor, all);
    }
    if (const auto own = own_attention_factor(keys); own && *own != 1)
        keys.put(section(&Scaling::attention_factor), amplitude * *own,
                 keys.path("rope.scaling.attn_factor"));
}

void refuse_with_factors(const GgufKeys& keys, const std::string& type, const char* tensor) {
    if (type == "none" || type == "longrope") return;
    throw InputError(keys.file + ": has " + tensor + " and " + printable(keys.path(type_key)) +
                     " " + printable(type) + ", which no rope_type does together");
}

// Factors that divide the frequencies, of any length or of two.
bool translate_factors(GgufKeys& keys, const std::string& type) {
    constexpr const char *any = "rope_freqs.weight", *brief = "rope_factors_short.weight",
                         *wide = "rope_factors_long.weight";
    const auto shared = keys.tensor(any), few = keys.tensor(brief), many = keys.tensor(wide);
    if (!shared && !few && !many) return false;
    refuse_with_factors(keys, type, shared ? any : wide);
    keys.put(section("rope_type"), "longrope", shared ? any : wide);
    if (few || shared)
        keys.put(section(&Scaling::short_factor), few ? *few : *shared, few ? brief : any);
    if (many || shared)
        keys.put(section(&Scaling::long_factor), many ? *many : *shared, many ? wide : any);
    const auto own = own_attention_factor(keys);
    keys.put(section(&Scaling::attention_factor), own.value_or(1),
             own ? keys.path("rope.scaling.attn_factor") : "llama.cpp's default");
    return true;
}

}  // namespace

void translate_scaling(GgufKeys& keys) {
    constexpr std::string_view factor_key = "rope.scaling.factor", older = "rope.scale_linear";
    const std::string_view key = keys.find(factor_key) != nullptr ? factor_key : older;
    const auto factor = keys.number(key);
    std::string type = type_of(keys, factor.has_value());
    // without an extrapolated part yarn is linear
    if (type == "yarn" && keys.number(ext_factor_key) == 0.0) type = "linear";
    const bool has_factors = translate_factors(keys, type);
    // llama.cpp takes an absent or zero factor for 1
    if (!has_factors && (type == "none" || (type == "linear" && factor.value_or(0) == 0))) return;
    keys.copy("rope.scaling.original_context_length",
              section(&Scaling::original_max_position_embeddings));
    if (has_factors) return;
    keys.put(section("rope_type"), type, keys.path(type_key));
    if (factor) keys.copy(key, section(&Scaling::factor));
    if (type == "yarn") translate_yarn(keys, factor.value_or(1));
}

}  // namespace rope::io
