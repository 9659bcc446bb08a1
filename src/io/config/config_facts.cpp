#include <cmath>

#include "io/config/config.hpp"
#include "io/text/json_text.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// Returns a number, 1 for true and 0 for false; a length only if it is in range.
std::optional<double> number_of(const json& value, std::string_view key) {
    const bool is_length = key.ends_with(name_of(&Scaling::original_max_position_embeddings));
    const bool is_number = is_length ? value.is_number_unsigned() : value.is_number();
    if (value.is_boolean() && !is_length) return value.get<bool>();
    const double number = is_number ? value.get<double>() : std::nan("");
    const bool is_out = is_length && (number < 1 || number > static_cast<double>(max_context));
    return std::isfinite(number) && !is_out ? std::optional(number) : std::nullopt;
}

// Returns a word for a value that is not a number; of a list of one text, this text.
std::string word_of(const json& value) {
    if (value.is_array() && value.size() == 1 && value[0].is_string()) return word_of(value[0]);
    if (value.is_structured()) return std::string("an ") + value.type_name();
    return value.is_string() ? printable(value.get<std::string>()) : json_text(value);
}

// The dimensions in front of qk_rope_head_dim that this key counts.
std::uint32_t dimensions_in_front(const char* key, ConfigSection& top, ConfigSection& assumed) {
    for (ConfigSection* section : {&top, &assumed})
        if (section->has("qk_rope_head_dim"))
            if (const auto dimensions = count_of(*section, {key}, max_head_dim))
                return static_cast<std::uint32_t>(dimensions);
    return 0;
}

// Adds the numbers of the layers: those of the section, or all if there is one section. The
// sections may list more layers than num_hidden_layers, which may also be absent.
void add_layers(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer,
                ConfigSection& top) {
    std::uint64_t& count = facts.layer_count =
        count_of(top, keys_for(file, "layer_count"), most_layers);
    if (count == 0) count = file.assumed_layers.value_or(0);
    for (const LayerSection& one : file.layers)
        if (!one.numbers.empty()) count = std::max<std::uint64_t>(count, one.numbers.back() + 1);
    facts.numbers["layer_count"] = static_cast<double>(count);
    facts.layers = layer.numbers;
    if (layer.numbers.empty() && file.layers.size() == 1)
        facts.layers = numbers_below<std::uint32_t>(count);
}

// The heads of k; 0 if the file does not state them. FalconAttention of falcon/modeling_falcon.py
// has one if multi_query is true, whatever num_kv_heads is, unless new_decoder_architecture is.
// Layers of full attention have other heads in Gemma4TextAttention if attention_k_eq_v is true.
std::uint64_t key_heads(ConfigSection& top, ConfigSection& assumed, bool is_full) {
    const auto is_true = [](ConfigSection& section, std::string_view key) {
        return read_value([&] { return section.boolean(key); });
    };
    auto is_shared = is_true(top, "multi_query");
    if (!is_shared) is_shared = is_true(assumed, "multi_query");
    if (is_shared.value_or(false) && !is_true(top, "new_decoder_architecture").value_or(false))
        return 1;
    if (is_full && is_true(top, "attention_k_eq_v").value_or(false))
        if (const auto heads = count_of(top, keys_for("full_key_heads"), max_head_dim))
            return heads;
    return count_of(top, keys_for("key_heads"), max_head_dim);
}

void add_traits(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer,
                ConfigSection& top, const ConfigSection& section) {
    // "rope_parameters." or "text_config.rope_parameters.full_attention."
    const std::string path = "." + layer.rope.path_to("");
    const bool is_own = !layer.assumed && !file.is_gguf;
    const auto types = read_value([&] { return top.texts("layer_types"); });
    facts.traits = file.traits();
    facts.add("gguf", file.is_gguf);
    facts.add("section_of_class", layer.assumed && !layer.nested && !section.empty());
    facts.add("one_list", file.has_one_list);
    const bool are_given = is_own && path.find(".rope_parameters.") != path.npos;
    facts.add("given_rope_parameters", are_given);
    facts.add("in_rope_parameters", are_given && !file.defaults.has("rope_parameters"));
    facts.add("scaling_is_merged", file.merged && (layer.layers == "full_attention" ||
                                                   file.has_trait("scales_sliding_layers")));
    facts.add("theta_in_scaling", is_own && !layer.nested && layer.rope.has("rope_theta") &&
                                      path.find(".rope_scaling.") != path.npos);
    facts.add("slides", layer.layers == "sliding_attention");
    facts.add("only_full_attention",
              types && std::ranges::count(*types, "full_attention") == std::ssize(*types));
}

}  // namespace

std::uint64_t count_of(ConfigSection& section, const Keys& keys, std::uint64_t most) {
    return read_value([&] { return section.whole(keys, 1, most); }).value_or(0);
}

void add_keys(ConfigFacts& facts, std::span<const std::string_view> names, const ConfigSection& top,
              const ConfigSection& section, const ConfigSection& assumed) {
    for (const std::string_view name : names) {
        const std::string_view key = name.substr(name.find('.') + 1);
        const ConfigSection& from = name.starts_with("section.") ? section
                                    : name.starts_with("class.") ? assumed
                                                                 : top;
        const json* const value = from.at(key);
        const bool is_there =
            name.starts_with("null.") ? from.holds_null(key)
            : name.starts_with("unread.")
                ? value && std::ranges::count(from.unread(), from.path_to(key)) > 0
                : value != nullptr;
        if (is_there) facts.traits.emplace_back(name);
        if (!is_there || value == nullptr) continue;
        if (!value->is_number()) facts.texts.emplace(name, word_of(*value));
        if (const auto number = number_of(*value, key)) facts.numbers.emplace(name, *number);
        if (is_list_of<&json::is_number>(*value))
            facts.lists.emplace(name, value->get<std::vector<double>>());
        if (is_list_of<&json::is_string>(*value))
            facts.text_lists.emplace(name, mapped<std::string>(*value, word_of));
    }
}

bool hold_of(ConfigSection& section, std::string_view conditions) {
    const auto names = names_in(conditions, {"top.", "null."});
    ConfigFacts facts;
    add_keys(facts, names, section, section, section);
    if (!hold(conditions, {}, facts)) return false;
    for (const std::string_view name : names) section.mark_read({name.substr(name.find('.') + 1)});
    return true;
}

std::string canonical_rope_type(std::string_view rope_type) {
    if (rope_type == "su") return "longrope";
    if (rope_type == "deepseek_yarn" || rope_type == "telechat3-yarn") return "yarn";
    if (rope_type == "mrope" || rope_type == "no_scaling") return "default";
    return std::string(rope_type);
}

ConfigFacts config_facts(const ConfigFile& file, const LayerSection& layer) {
    // copies, because sections record the keys that are read
    ConfigSection own = file.model, top = own.shown(), section = layer.rope.shown(),
                  assumed = file.defaults;
    ConfigFacts facts{.model_type = file.is_gguf ? "" : file.model_type,
                      .nope_dimensions = dimensions_in_front("qk_nope_head_dim", own, assumed),
                      .latent_dimensions = dimensions_in_front("kv_lora_rank", own, assumed),
                      .heads = count_of(top, keys_for("heads"), max_head_dim),
                      .key_heads = key_heads(top, assumed, layer.layers == "full_attention"),
                      .index_heads = count_of(top, {"index_n_heads"}, max_head_dim),
                      .index_head_dim = count_of(top, {"index_head_dim"}, max_head_dim),
                      .tower = file.tower ? file.tower->flags : ""};
    add_layers(facts, file, layer, top);
    add_traits(facts, file, layer, top, section);
    add_keys(facts, keys_of_rules(), top, section, file.defaults);
    const Keys bases = layer.local ? keys_for("sliding_base") : Keys{"rope_theta"};
    auto outer = read_value([&] { return own.real(bases); });
    if (!outer) outer = read_value([&] { return assumed.real(bases); });
    if (outer) facts.numbers["outer_theta"] = *outer;
    const auto older = read_value([&] { return assumed.real({"rope_theta"}); });
    if (older && assumed.has(default_theta)) facts.numbers["older_theta"] = *older;
    return facts;
}

}  // namespace rope::io
