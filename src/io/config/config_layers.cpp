#include "io/config/config_layers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// Layers by what each of them has; a name that ends in a space is completed by their numbers.
template <class Key, class Make>
std::vector<LayerSection> grouped(const std::vector<Key>& of_layers, Make make) {
    std::map<Key, LayerSection> groups;
    for (std::uint32_t i = 0; i < of_layers.size(); ++i)
        groups.try_emplace(of_layers[i], make(of_layers[i])).first->second.numbers.push_back(i);
    std::vector<LayerSection> layers;
    for (auto& [key, one] : groups) {
        if (one.layers.ends_with(' ')) one.layers += ranges(one.numbers);
        layers.push_back(std::move(one));
    }
    return layers;
}

// The base of a section, of the top level, or of the class; 0 where none has one.
double common_base(const ConfigFile& file, ConfigSection section) {
    ConfigSection top = file.model, assumed = file.defaults;
    for (ConfigSection* one : {&section, &top, &assumed})
        if (const auto base = one->real({"rope_theta"})) return base->value;
    return 0;
}

// A base for each layer, and none that rotates where it is 0: granite_swa/modular_granite_swa.py
// GraniteSWAConfig. muse_glimmer/modular_muse_glimmer.py MuseGlimmerTextConfig looks for 0 alone.
std::vector<LayerSection> by_base(ConfigFile& file, const ConfigSection& section,
                                  const ConfigSection& none) {
    auto bases = file.model.reals("layer_rope_theta");
    if (!bases) return {};
    if (file.has_trait("layer_rope_theta_is_a_switch")) {
        const double common = common_base(file, section);
        const std::vector<double> listed = bases->value;
        for (double& base : bases->value) base = base == 0 ? 0 : common;
        if (listed != bases->value)
            file.remarks.push_back({file.model.path_to("layer_rope_theta"),
                                    "has other bases than rope_theta, " + decimal(common) +
                                        ", which all layers with a base other than 0 use"});
    }
    return grouped(bases->value, [&](double base) {
        const bool rotates = base != 0;
        return LayerSection{.layers = rotates ? "layers " : "NoPE: ",
                            .rope = rotates ? section : none,
                            .rotates = rotates,
                            .base = Found<double>{base, bases->from}};
    });
}

// Molmo 2's rope_scaling_layers lists those that the section is for; the others turn by the base
// alone (allenai/Molmo2 modeling_molmo2.py, Molmo2TextModel: rotary_embs).
std::vector<LayerSection> by_scaled_layers(ConfigFile& file, const ConfigSection& section) {
    const auto listed = file.model.wholes("rope_scaling_layers");
    const std::uint64_t count = listed ? layer_count(file) : 0;
    if (count == 0) return {};
    std::vector<int> plain(count);
    for (std::uint32_t i = 0; i < count; ++i) plain[i] = std::ranges::count(listed->value, i) == 0;
    return grouped(plain, [&](int is_plain) {
        return LayerSection{.layers = "layers ", .rope = section, .plain = is_plain != 0};
    });
}

// Sliding layers with another number of heads, and so of another width:
// mlx_lm/models/baichuan_m1.py.
std::vector<LayerSection> by_head_counts(ConfigFile& file, const ConfigSection& section) {
    const auto heads_key = file.defaults.text({"sliding_heads_key"}),
               layers_key = file.defaults.text({"sliding_layers_key"});
    if (!heads_key || !layers_key) return {};
    const auto whole = [&](std::string_view key) {
        return file.model.whole({key}, 1, std::uint64_t{1} << 32);
    };
    const auto heads = whole(heads_key->value), all = whole("num_attention_heads"),
               hidden = whole("hidden_size");
    const auto listed = file.model.wholes(layers_key->value);
    if (!heads || !all || !hidden || !listed || heads->value == all->value) return {};
    LayerSection full{.layers = "full_attention", .rope = section},
        sliding{.layers = "sliding_attention", .rope = section};
    for (std::uint32_t i = 0; i < layer_count(file); ++i)
        (std::ranges::count(listed->value, i) > 0 ? sliding : full).numbers.push_back(i);
    sliding.head_dim =
        Found<std::uint64_t>{hidden->value / heads->value, hidden->from + " / " + heads_key->value};
    return {std::move(full), std::move(sliding)};
}

// Laguna's older configs have a section for sliding layers beside rope_parameters, which goes
// before what is in it; vLLM models/laguna.py LagunaAttention.
constexpr std::string_view sliding_section = "swa_rope_parameters";

}  // namespace

bool has_sliding_section(const ConfigFile& file) {
    return file.has_trait("has_swa_rope_parameters") && file.model.has(sliding_section);
}

namespace {

void add_sliding_section(ConfigFile& file, std::vector<LayerSection>& layers) {
    const std::string type = "sliding_attention";
    std::erase_if(layers, [&](const LayerSection& one) { return one.layers == type; });
    layers.push_back({.layers = type, .rope = file.model.section(sliding_section), .nested = true});
    file.model.mark_read({sliding_section});
}

// The value that all these layers of a type have.
std::optional<Found<double>> common_value(const std::optional<Found<std::vector<double>>>& all,
                                          const std::vector<std::uint32_t>& layers,
                                          const std::string& type) {
    if (!all) return std::nullopt;
    const std::vector<double>& values = all->value;
    if (layers.back() >= values.size())
        throw InputError(all->from + " has " + decimal(values.size()) +
                         " values; each layer needs one");
    const double first = values[layers.front()];
    for (const std::uint32_t layer : layers)
        if (values[layer] != first)
            throw InputError(all->from + " has " + decimal(first) + " and " +
                             decimal(values[layer]) + " for layers of " + type +
                             "; it must have one value for each type of layer");
    return Found<double>{first, all->from};
}

// Step-3.5 lists a base and a fraction for each layer, then for those of multi-token prediction;
// step3p7/configuration_step3p7.py Step3p7TextConfig keeps one of each for a type of layer.
std::vector<LayerSection> by_type(ConfigFile& file, const ConfigSection& section,
                                  bool has_section) {
    if (!file.has_trait("lists_base_by_layer")) return {};
    std::optional<Found<std::vector<double>>> bases;
    if (file.model.holds_list("rope_theta")) bases = file.model.reals("rope_theta");
    auto fractions = file.model.reals("partial_rotary_factors");
    if (fractions && fractions->value.empty()) fractions.reset();
    if (!bases && !fractions) return {};
    const auto types = file.model.texts("layer_types");
    const std::uint64_t count = layer_count(file);
    std::vector<std::string> names(count != 0 ? count : (bases ? bases : fractions)->value.size(),
                                   "full_attention");
    for (std::size_t i = 0; types && i < std::min(names.size(), types->value.size()); ++i)
        names[i] = printable(types->value[i]);
    auto all = grouped(names, [&](const std::string& type) {
        return LayerSection{
            .layers = type, .rope = section, .plain = has_section && type != "full_attention"};
    });
    for (LayerSection& one : all) {
        one.base = common_value(bases, one.numbers, one.layers);
        one.fraction = common_value(fractions, one.numbers, one.layers);
    }
    return all;
}

// DeepSeek-V4's compress_ratios (0, 4 or 128 of each layer and of multi-token prediction), or its
// layer_types: sliding layers turn by rope_theta alone, compressed ones by compress_rope_theta and
// the section; deepseek_v4/configuration_deepseek_v4.py DeepseekV4Config.__post_init__.
std::vector<LayerSection> by_compression(ConfigFile& file, const ConfigSection& section) {
    if (!file.has_trait("compressed_layers")) return {};
    LayerSection main{.layers = "main", .rope = section, .plain = true},
        compress{.layers = "compress", .rope = section};
    compress.base = file.model.real({"compress_rope_theta"});
    if (!compress.base)
        compress.base =
            Found<double>{160000, file.model.origin("model_type") + " " + file.model_type};
    auto types = file.model.texts("layer_types");
    const auto ratios = file.model.wholes("compress_ratios");
    if (!types && !ratios && (types = file.defaults.texts("layer_types")))
        types->value.resize(layer_count(file), types->value.front());
    const std::size_t listed = types ? types->value.size() : ratios ? ratios->value.size() : 0;
    const std::uint64_t layers = layer_count(file) != 0 ? layer_count(file) : listed;
    for (std::uint32_t i = 0; i < std::min<std::uint64_t>(layers, listed); ++i) {
        const bool slides = types ? types->value[i] == "sliding_attention" : ratios->value[i] == 0;
        (slides ? main : compress).numbers.push_back(i);
    }
    if (listed > 0 && main.numbers.empty()) return {compress};
    return {std::move(main), std::move(compress)};
}

// exaone4/modeling_exaone4.py Exaone4Attention, which is ExaoneMoeAttention, too: all layers where
// sliding_window is null, and its default is 4096; cohere2/modeling_cohere2.py Cohere2Attention;
// afmoe/modeling_afmoe.py AfmoeAttention
bool only_sliding_layers_rotate(const ConfigFile& file) {
    if (file.has_trait("only_windowed_layers_rotate"))
        return !file.model.holds_null("sliding_window");
    return file.has_trait("only_sliding_layers_rotate");
}

bool is_object(const json& value) { return value.is_object(); }

// gemma3/configuration_gemma3.py, modernbert/configuration_modernbert.py and
// olmo3/configuration_olmo3.py, convert_rope_params_to_dict: a type of layer that has no section,
// or null, turns by its base alone.
bool completes_sections(const ConfigFile& file) {
    return file.defaults.has("rope_local_base_freq") || file.has_trait("completes_sections");
}

void complete_sections(std::vector<LayerSection>& layers, const ConfigSection& none) {
    for (const char* type : {"full_attention", "sliding_attention"})
        if (std::ranges::none_of(layers,
                                 [&](const LayerSection& one) { return one.layers == type; }))
            layers.push_back({.layers = type,
                              .rope = none,
                              .nested = true,
                              .local = std::string_view(type) == "sliding_attention"});
}

// As far as its row shows it; the classes of the others look for keys of rope_parameters itself.
bool reads_sections(const ConfigFile& file) {
    constexpr std::array<const char*, 6> traits{"reads_sections",          "reads_sections_alone",
                                                "section_fraction_first",  "only_full_layers_scale",
                                                "has_swa_rope_parameters", "compressed_layers"};
    const ConfigSection assumed = file.defaults.section("rope_parameters");
    return find_model_class(file.model_type) == nullptr || completes_sections(file) ||
           assumed.has("full_attention") || assumed.has("sliding_attention") ||
           std::ranges::any_of(traits, [&](const char* one) { return file.has_trait(one); });
}

void say(ConfigFile& file, const std::string& path, const std::string& what) {
    file.remarks.push_back({path.substr(0, path.size() - 1), what});
}

}  // namespace

bool is_per_layer(const json& section) {
    const auto items = section.items();
    return std::all_of(section.begin(), section.end(), is_object) ||
           std::any_of(items.begin(), items.end(), [](const auto& item) {
               return item.key().ends_with("_attention") && item.value().is_object();
           });
}

std::vector<LayerSection> split_by_layers(ConfigFile& file, const std::string& file_name,
                                          const std::string& path, const json* rope) {
    const ConfigSection none(file_name, path, nullptr);
    const bool has_local = file.has(keys_for("sliding_base"));
    std::vector<LayerSection> layers;
    const bool completes = completes_sections(file);
    if (rope != nullptr && is_per_layer(*rope)) {
        if (!reads_sections(file))
            say(file, path,
                "has sections by type of layer, which " + printable(file.model_type) +
                    " is not known to read; a class that reads none rotates by the top "
                    "level's or its own base, unscaled");
        for (const auto& [type, section] : rope->items())
            if (is_object(section))
                layers.push_back({.layers = printable(type),
                                  .rope = {file_name, path + printable(type) + ".", &section},
                                  .nested = true,
                                  .local = has_local && type == "sliding_attention"});
            else if (section.is_null() && type.ends_with("_attention") && !completes)
                layers.push_back(
                    {.layers = "NoPE: " + printable(type), .rope = none, .rotates = false});
        if (completes) complete_sections(layers, none);
        if (has_sliding_section(file)) add_sliding_section(file, layers);
        return layers;
    }
    if (rope != nullptr && completes && path.ends_with("rope_parameters.")) {
        say(file, path,
            "has no section full_attention or sliding_attention, and " +
                printable(file.model_type) + " reads nothing else of it");
        rope = nullptr;
    }
    const ConfigSection section(file_name, path, rope);
    if (has_local)
        return {{.layers = "full_attention", .rope = section},
                {.layers = "sliding_attention",
                 .rope = file.has_trait("scales_sliding_layers") ? section : none,
                 .local = true}};
    if (has_sliding_section(file)) {
        layers = {{.layers = "full_attention", .rope = section}};
        add_sliding_section(file, layers);
        return layers;
    }
    layers = by_type(file, section, rope != nullptr);
    if (layers.empty()) layers = by_compression(file, section);
    if (!layers.empty()) return layers;
    // OLMo 3's sliding layers turn by the base alone: transformers 4.57, and from 5.13 on in
    // olmo3/configuration_olmo3.py convert_rope_params_to_dict (between them all were scaled); vLLM
    // models/olmo2.py Olmo2Attention. Step-3.5's do by its Step3p7TextConfig's conversion.
    if (rope != nullptr && file.has_trait("only_full_layers_scale"))
        return {{.layers = "full_attention", .rope = section},
                {.layers = "sliding_attention", .rope = section, .plain = true}};
    const bool is_dense_first = file.has_trait("dense_layers_first") && layer_count(file) > 0;
    if (only_sliding_layers_rotate(file) && !is_dense_first)
        return {{.layers = "sliding_attention", .rope = section},
                {.layers = "NoPE: full_attention", .rope = none, .rotates = false}};
    layers = by_head_counts(file, section);
    if (layers.empty()) layers = by_base(file, section, none);
    if (layers.empty() && rope != nullptr) layers = by_scaled_layers(file, section);
    if (!layers.empty()) return layers;
    const std::vector<std::string> kinds = unrotated_kinds(file);
    if (kinds.empty()) return {{.layers = "all layers", .rope = section}};
    return grouped(kinds, [&](const std::string& kind) {
        return LayerSection{.layers = kind.empty() ? "layers " : kind + ": ",
                            .rope = kind.empty() ? section : none,
                            .rotates = kind.empty()};
    });
}

}  // namespace rope::io
