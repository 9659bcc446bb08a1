#include <algorithm>
#include <numeric>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/config/config_file.hpp"
#include "io/config/config_layers.hpp"
#include "io/config/model_classes.hpp"
#include "io/json/rows.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

using LayerFlags = std::vector<std::uint64_t>;

std::optional<double> real_of(ConfigSection& section, std::string_view key) {
    return read_value([&] { return section.real({key}); });
}

// A number, a length only where it is one; 1 for true, 0 for false.
std::optional<double> number_of(ConfigSection& section, std::string_view key) {
    if (key == name_of(&Scaling::original_max_position_embeddings))
        return read_value([&] { return section.whole({key}, 1, max_context); });
    const auto real = real_of(section, key);
    return real ? real : read_value([&] { return section.boolean(key); });
}

// "rope_parameters." or "text_config.rope_parameters.full_attention."
bool is_in_rope_parameters(const ConfigFile& file, const LayerSection& layer) {
    const std::string path = "." + layer.rope.path_to("");
    return !layer.assumed && !file.is_gguf && !file.defaults.has("rope_parameters") &&
           path.find(".rope_parameters.") != path.npos;
}

bool is_theta_in_scaling(const ConfigFile& file, const LayerSection& layer) {
    const std::string path = "." + layer.rope.path_to("");
    return !layer.assumed && !layer.nested && !layer.base && !file.is_gguf &&
           layer.rope.has("rope_theta") && path.find(".rope_scaling.") != path.npos;
}

std::optional<double> outer_theta(const ConfigFile& file, const LayerSection& layer) {
    const Keys keys = layer.local ? keys_for("sliding_base") : Keys{"rope_theta"};
    ConfigSection top = file.model, assumed = file.defaults;
    const auto own = read_value([&] { return top.real(keys); });
    return own ? own : read_value([&] { return assumed.real(keys); });
}

std::uint32_t nope_lanes(const ConfigFile& file) {
    ConfigSection top = file.model, assumed = file.defaults;
    for (ConfigSection* section : {&top, &assumed})
        if (section->has("qk_rope_head_dim"))
            if (const auto lanes = read_value(
                    [&] { return section->whole({"qk_nope_head_dim"}, 1, max_head_dim); }))
                return static_cast<std::uint32_t>(*lanes);
    return 0;
}

// Those of the section, or all where there is one.
std::vector<std::uint32_t> layers_of(const LayerSection& layer, const ConfigFile& file,
                                     std::uint64_t count) {
    if (!layer.numbers.empty() || file.layers.size() != 1) return layer.numbers;
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

constexpr std::size_t most_sections = 1024;  // that are looked at for each

// A list may be longer than num_hidden_layers, or stand alone.
std::uint64_t count_of_layers(const ConfigFile& file, ConfigSection& top) {
    std::uint64_t count =
        read_value([&] { return top.whole({"num_hidden_layers"}, 1, most_layers); }).value_or(0);
    if (file.layers.size() > most_sections) return count;  // refused: no work of their square
    for (const LayerSection& layer : file.layers)
        if (!layer.numbers.empty())
            count = std::max<std::uint64_t>(count, layer.numbers.back() + 1);
    return count;
}

bool has_only_full_attention(ConfigSection& top) {
    const auto types = read_value([&] { return top.texts("layer_types"); });
    return types && std::ranges::all_of(
                        *types, [](const std::string& type) { return type == "full_attention"; });
}

void add_layers(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer,
                ConfigSection& top) {
    facts.layer_count = count_of_layers(file, top);
    facts.layers = layers_of(layer, file, facts.layer_count);
    facts.hybrid_pattern =
        read_value([&] { return top.wholes("hybrid_layer_pattern"); }).value_or(LayerFlags{});
    if (facts.hybrid_pattern.size() > facts.layer_count)
        facts.hybrid_pattern.resize(facts.layer_count);
}

void add_traits(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer,
                ConfigSection& top, const ConfigSection& section) {
    facts.traits = file.traits();
    const auto add = [&](const char* name, bool holds) {
        if (holds) facts.traits.emplace_back(name);
    };
    add("gguf", file.is_gguf);
    add("alpha", section.has("alpha"));
    add("telechat3_yarn", is_telechat3_yarn(section));
    add("in_rope_parameters", is_in_rope_parameters(file, layer));
    add("theta_in_scaling", is_theta_in_scaling(file, layer));
    add("has_sections", section.has("mrope_section") || section.has("xdrope_section"));
    add("slides", layer.layers == "sliding_attention");
    add("only_full_attention", has_only_full_attention(top));
}

std::uint64_t count_of(ConfigSection& section, const Keys& keys) {
    return read_value([&] { return section.whole(keys, 1, max_head_dim); }).value_or(0);
}

}  // namespace

void add_keys(ConfigFacts& facts, std::span<const std::string_view> names, ConfigSection top,
              ConfigSection section, ConfigSection assumed) {
    for (const std::string_view name : names) {
        std::string_view key = name.substr(name.find('.') + 1);
        ConfigSection from = (name.starts_with("section.") ? section
                              : name.starts_with("class.") ? assumed
                                                           : top)
                                 .inside(key);
        if (name.starts_with("null.") ? !from.holds_null(key) : !from.has(key)) continue;
        facts.traits.emplace_back(name);
        if (const auto number = number_of(from, key)) facts.numbers.emplace(name, *number);
        if (from.holds_text(key))
            facts.traits.push_back(std::string(name) + '=' + from.text({key})->value);
    }
}

void refuse_by_rows(ConfigSection& model, const std::string& model_type) {
    static const std::vector<Row> rows = rows_of(refused_rows, "data/refused.jsonl");
    static const auto names = names_in(refused_rows, {"top.", "null."});
    const ModelClass* known = find_model_class(model_type);
    const ConfigSection none(model.file(), "", nullptr);
    ConfigFacts facts;
    if (known != nullptr) facts = {.model_type = model_type, .traits = known->traits};
    facts.traits.push_back("model_type=" + model_type);
    add_keys(facts, names, model, none, none);
    for (const Row& row : rows) {
        if (known == nullptr && row.text("if").starts_with("!class_is_known"))
            model.mark_read({row.text("at")});
        if (!hold(row.text("if"), {}, facts)) continue;
        const std::string at = row.text("at");
        std::string_view key = at;
        const ConfigSection holder = model.inside(key);
        throw InputError((key.empty() ? model.file() + ": " : holder.origin(key) + " ") +
                         filled(row.text("say"), [&](std::string_view name) {
                             if (name == "class") return printable(model_type);
                             if (const auto number = facts.number(name)) return decimal(*number);
                             name.remove_prefix(4);
                             ConfigSection section = model.inside(name);
                             return printable(section.text({name})->value);
                         }));
    }
}

bool is_telechat3_yarn(ConfigSection rope) {
    const auto type = rope.text({"rope_type", "type"});
    return type && type->value == telechat3_yarn;
}

ConfigFacts config_facts(const ConfigFile& file, const LayerSection& layer) {
    ConfigSection top = file.model.shown(), section = layer.rope.shown();  // these note reading
    ConfigFacts facts{.model_type = file.is_gguf ? "" : file.model_type,
                      .nope_lanes = nope_lanes(file),
                      .heads = count_of(top, keys_for("heads")),
                      .key_heads = count_of(top, {"num_key_value_heads", "num_kv_heads",
                                                  "n_kv_heads", "multi_query_group_num"})};
    add_layers(facts, file, layer, top);
    add_traits(facts, file, layer, top, section);
    add_keys(facts, keys_of_rules(), top, section, file.defaults);
    if (const auto base = outer_theta(file, layer)) facts.numbers["outer_theta"] = *base;
    ConfigSection assumed = file.defaults;
    if (assumed.has(default_theta))
        if (const auto base = real_of(assumed, "rope_theta")) facts.numbers["older_theta"] = *base;
    return facts;
}

}  // namespace rope::io
