#include "io/config/config_facts.hpp"

#include "rope/spec/fields.hpp"

namespace rope::io {
namespace {

// Another kind of value is none, since these keys may be nobody's.
template <class Read>
auto value_of(Read read) -> std::optional<decltype(read()->value)> {
    try {
        const auto found = read();
        return found ? std::optional(found->value) : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

std::optional<double> real_of(ConfigSection& section, std::string_view key) {
    return value_of([&] { return section.real({key}); });
}

std::optional<std::uint64_t> original_of(ConfigSection& section) {
    return value_of([&] {
        return section.whole({name_of(&Scaling::original_max_position_embeddings)}, 1, max_context);
    });
}

// "rope_parameters." or "text_config.rope_parameters.full_attention."
bool is_in_rope_parameters(const ConfigFile& file, const LayerSection& layer) {
    const std::string path = "." + layer.rope.path_to("");
    return !layer.assumed && !file.is_gguf && !file.defaults.has("rope_parameters") &&
           path.find(".rope_parameters.") != path.npos;
}

std::optional<double> outer_theta(const ConfigFile& file, const LayerSection& layer) {
    const std::string_view key = layer.local ? "rope_local_base_freq" : "rope_theta";
    ConfigSection top = file.model, assumed = file.defaults;
    const auto own = real_of(top, key);
    return own ? own : real_of(assumed, key);
}

std::optional<double> older_theta(const ConfigFile& file) {
    ConfigSection assumed = file.defaults;
    return assumed.has(default_theta) ? real_of(assumed, "rope_theta") : std::nullopt;
}

std::uint32_t nope_lanes(const ConfigFile& file) {
    ConfigSection top = file.model, assumed = file.defaults;
    for (ConfigSection* section : {&top, &assumed})
        if (section->has("qk_rope_head_dim"))
            if (const auto lanes =
                    value_of([&] { return section->whole({"qk_nope_head_dim"}, 1, max_head_dim); }))
                return static_cast<std::uint32_t>(*lanes);
    return 0;
}

std::uint64_t count_of(ConfigSection& section, std::initializer_list<std::string_view> keys) {
    return value_of([&] { return section.whole(keys, 1, max_head_dim); }).value_or(0);
}

}  // namespace

ConfigFacts config_facts(const ConfigFile& file, const LayerSection& layer) {
    ConfigSection top = file.model, section = layer.rope;  // copies, which note what is read
    return {.model_type = file.is_gguf ? "" : file.model_type,
            .top_original = original_of(top),
            .section_original = original_of(section),
            .attn_factor = real_of(section, "attn_factor"),
            .extrapolation_factor = real_of(section, "extrapolation_factor"),
            .mixed_b = real_of(section, name_of(&Scaling::mixed_b)),
            .short_mscale = real_of(section, name_of(&Scaling::short_mscale)),
            .long_mscale = real_of(section, name_of(&Scaling::long_mscale)),
            .in_rope_parameters = is_in_rope_parameters(file, layer),
            .outer_theta = outer_theta(file, layer),
            .older_theta = older_theta(file),
            .has_alpha = section.has("alpha"),
            .is_gguf = file.is_gguf,
            .nope_lanes = nope_lanes(file),
            .heads = count_of(top, {"num_attention_heads", "n_head", "n_heads"}),
            .key_heads = count_of(top, {"num_key_value_heads", "num_kv_heads", "n_kv_heads",
                                        "multi_query_group_num"})};
}

}  // namespace rope::io
