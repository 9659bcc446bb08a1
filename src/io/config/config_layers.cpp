#include "io/config/config_layers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

constexpr std::uint64_t most_layers = 65536;

// Which layers rotate, or nothing where no key says.
std::optional<std::vector<bool>> rotating_layers(ConfigFile& file) {
    const auto listed = file.model.wholes("no_rope_layers");
    std::vector<bool> rotates;
    if (listed)
        for (const std::uint64_t layer : listed->value) {
            if (layer > 1)
                throw InputError(listed->from + " has " + decimal(layer) +
                                 "; each must be 1 (the layer rotates) or 0");
            rotates.push_back(layer == 1);
        }
    if (!rotates.empty()) return rotates;

    const bool every_fourth = file.model_type == "llama4_text" || file.model_type == "smollm3";
    const auto interval = file.model.whole({"no_rope_layer_interval"}, 1, most_layers);
    const auto count = file.model.whole({"num_hidden_layers"}, 1, most_layers);
    if (!count || (!interval && !every_fourth)) return std::nullopt;
    for (std::uint64_t i = 0; i < count->value; ++i)
        rotates.push_back((i + 1) % (interval ? interval->value : 4) != 0);
    return rotates;
}

std::vector<std::uint32_t> layers_that(const std::vector<bool>& rotates, bool wanted) {
    std::vector<std::uint32_t> layers;
    for (std::uint32_t i = 0; i < rotates.size(); ++i)
        if (rotates[i] == wanted) layers.push_back(i);
    return layers;
}

std::vector<LayerSection> with_nope(LayerSection all, const std::vector<bool>& rotates,
                                    const ConfigSection& none) {
    std::vector<LayerSection> layers;
    const std::vector<std::uint32_t> without = layers_that(rotates, false);
    if (without.empty()) return {std::move(all)};
    if (auto with = layers_that(rotates, true); !with.empty()) {
        all.layers = "layers " + ranges(with);
        all.numbers = std::move(with);
        layers.push_back(std::move(all));
    }
    layers.push_back(
        {.layers = "NoPE: " + ranges(without), .rope = none, .rotates = false, .numbers = without});
    return layers;
}

bool only_sliding_layers_rotate(const ConfigFile& file) {
    return file.model_type == "cohere2" || file.model_type == "afmoe" ||
           (file.model_type == "exaone4" && file.model.has("sliding_window"));
}

}  // namespace

bool is_per_layer(const json& section) {
    return std::all_of(section.begin(), section.end(),
                       [](const json& value) { return value.is_object(); });
}

std::vector<LayerSection> split_by_layers(ConfigFile& file, const std::string& file_name,
                                          const std::string& path, const json* rope) {
    const ConfigSection none(file_name, path, nullptr);
    const bool has_local = file.model.has("rope_local_base_freq") ||
                           file.model.has("local_rope_theta") ||
                           file.defaults.has("rope_local_base_freq");
    std::vector<LayerSection> layers;
    if (rope != nullptr && is_per_layer(*rope)) {
        for (const auto& [type, section] : rope->items())
            layers.push_back({.layers = printable(type),
                              .rope = {file_name, path + printable(type) + ".", &section},
                              .nested = true,
                              .local = has_local && type == "sliding_attention"});
        return layers;
    }
    const ConfigSection section(file_name, path, rope);
    if (has_local)
        return {{.layers = "full_attention", .rope = section},
                {.layers = "sliding_attention", .rope = none, .local = true}};
    if (only_sliding_layers_rotate(file))
        return {{.layers = "sliding_attention", .rope = section},
                {.layers = "NoPE: full_attention", .rope = none, .rotates = false}};
    LayerSection all{.layers = "all layers", .rope = section};
    if (const auto rotates = rotating_layers(file)) return with_nope(all, *rotates, none);
    return {std::move(all)};
}

}  // namespace rope::io
