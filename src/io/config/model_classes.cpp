#include "io/config/model_classes.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/json/json_text.hpp"
#include "io/json/rows.hpp"

namespace rope::io {

namespace {

using nlohmann::json;
using Is = ModelClass::Is;
using Switch = ModelClass::Switch;

constexpr std::array kinds{Word<Is>{"rope", Is::rope}, Word<Is>{"tower", Is::tower},
                           Word<Is>{"other", Is::other}, Word<Is>{"wrapper", Is::wrapper}};
constexpr std::array layouts{
    Word<PairLayout>{"half_split", PairLayout::half_split},
    Word<PairLayout>{"interleaved", PairLayout::interleaved},
    Word<PairLayout>{"interleaved_to_half_split", PairLayout::interleaved_to_half_split}};

// Each is asked for by name where configs are read.
constexpr std::array traits{
    Trait{"base_steps_with_length", "use_dynamic_ntk: the base is that of multiples of seq_length"},
    Trait{"completes_sections",
          "a type of layer without one in rope_parameters has its base alone"},
    Trait{"compressed_layers",
          "compress_ratios or layer_types tell main layers from compressed ones"},
    Trait{"dense_layers_first", "first_k_dense_replace layers rotate, too"},
    Trait{"encoder_and_decoder_heads", "both have num_attention_heads of their own"},
    Trait{"every_fourth_from_last_is_nope", "of the layers that layer_rope_theta does not list"},
    Trait{"first_layer_is_full", "layer 0 has full attention whatever the pattern is"},
    Trait{"fraction_of_linear_layers", "partial_rotary_factor is for linear attention alone"},
    Trait{"fraction_of_both_parts", "partial_rotary_factor is of qk_nope_head_dim, too"},
    Trait{"has_mamba_step", "one layer of each mamba_step has attention"},
    Trait{"has_swa_rope_parameters", "a section for sliding layers, next to rope_parameters"},
    Trait{"last_layer_is_full", "where no other is by full_attention_interval"},
    Trait{"layer_rope_theta_is_a_switch", "its zeros are NoPE, its other bases are not read"},
    Trait{"lists_base_by_layer",
          "rope_theta and partial_rotary_factors have a value for each layer"},
    Trait{"mlx_unscaled", "mlx-lm's class passes no rope_scaling to nn.RoPE or initialize_rope"},
    Trait{"mlx_whole_head", "mlx-lm's class passes head_dim on as the dimensions that rotate"},
    Trait{"ntk_is_mixed", "rope_type ntk is the mixed base of kexue.fm/archives/9706"},
    Trait{"null_theta_is_nope", "a null rope_theta means no rotation"},
    Trait{"only_full_layers_scale", "sliding layers rotate by the base alone"},
    Trait{"only_sliding_layers_rotate", "full attention is NoPE"},
    Trait{"only_windowed_layers_rotate", "the same, where sliding_window is not null"},
    Trait{"reads_rotary_scaling_factor", "the factor of dynamic, at the top level"},
    Trait{"reads_mscale_lists", "short_mscale and long_mscale"},
    Trait{"reads_sections", "rope_parameters has one for each type of layer"},
    Trait{"reads_sections_alone", "rope_parameters' sections, not keys of the top level"},
    Trait{"rope_max_length_is_of_cache", "how many rows of cos and sin are computed at first"},
    Trait{"rotary_dim_unread", "rotary_dim is in published configs, and not read"},
    Trait{"rotates_last_lanes", "the last qk_rope_head_dim dimensions of the head"},
    Trait{"scales_sliding_layers", "rope_scaling is for them, too"},
    Trait{"section_fraction_first", "a section's partial_rotary_factor before the top level's"},
    Trait{"whole_head", "head_dim is the whole head's although there is qk_rope_head_dim"},
    Trait{"yarn_amplitude_is_1", "cos and sin are multiplied by nothing"},
    Trait{"yarn_is_longrope", "su and yarn in rope_scaling are names of longrope"},
};

constexpr std::array<std::string_view, 14> row_keys{
    "class", "is",    "layout", "assumes", "rotates", "traits", "unread",
    "form",  "flags", "holds",  "alone",   "instead", "source", "example"};

Switch switched(const Row& row) {
    const json& own = row.at("rotates");
    if (!own.is_object() || !own.contains("key") || !own["key"].is_string() ||
        !own.contains("default") || !own["default"].is_boolean())
        throw InputError(row.where("rotates"), "no object with key, in and default",
                         "such as {\"key\": \"alibi\", \"in\": [\"false\"], \"default\": true}");
    Switch one{own["key"], Row(own, row.where("rotates")).texts("in"), own["default"]};
    if (one.rotary.empty()) throw InputError(row.where("rotates.in"), "empty", "a list");
    return one;
}

std::string assumed(const Row& row, const char* key) {
    if (!row.has(key)) return "{}";
    if (!row.at(key).is_object())
        throw InputError(row.where(key), "no object", "an object of config keys");
    return json_text(row.at(key));
}

std::map<std::string, std::string> unread(const Row& row) {
    const json& own = row.at("unread");
    const auto is_text = [](const json& one) { return one.is_string(); };
    if (!own.is_object() || !std::all_of(own.begin(), own.end(), is_text))
        throw InputError(row.where("unread"), "no object of strings",
                         "such as {\"rope_theta\": \"rotary_emb_base\"}");
    return own;
}

ModelClass read_class(const Row& row) {
    row.has_only(row_keys);
    ModelClass one{.name = row.text("class"), .is = row.word(kinds, "is")};
    switch (one.is) {
        case Is::rope:
            one.layout = row.word(layouts, "layout");
            one.assumes = assumed(row, "assumes");
            if (row.has("rotates")) one.rotates = switched(row);
            one.traits = row.traits(traits);
            if (row.has("unread")) one.unread = unread(row);
            break;
        case Is::tower:
            one.form = row.text("form");
            if (row.has("flags")) one.flags = row.text("flags");
            break;
        case Is::other:
            one.instead = row.text("instead");
            break;
        case Is::wrapper:
            one.holds = row.text("holds");
            one.assumes = assumed(row, "assumes");
            one.alone = assumed(row, "alone");
            if (!row.has("assumes") && !row.has("alone")) return one;
    }
    one.source = row.text("source");
    return one;
}

Table<ModelClass>& classes() {
    static Table<ModelClass> all(class_rows, "class", read_class);
    return all;
}

}  // namespace

const ModelClass* find_class(std::string_view name, ModelClass::Is is) {
    const ModelClass* const found = classes().find(name);
    return found != nullptr && found->is == is ? found : nullptr;
}

std::span<const Trait> class_traits() { return traits; }

void add_class(const Row& row, const std::string& file) {
    ModelClass own = read_class(row);
    own.file = file;
    classes().add(std::move(own));
}

}  // namespace rope::io
