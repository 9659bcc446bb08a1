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
    Trait{"attention_factor_of_deepseek", "mscale and mscale_all_dim each have a default"},
    Trait{"completes_sections",
          "a type of layer without one in rope_parameters has its base alone"},
    Trait{"compressed_layers",
          "compress_ratios or layer_types tell main layers from compressed ones"},
    Trait{"dense_layers_first", "first_k_dense_replace layers rotate, too"},
    Trait{"encoder_and_decoder_heads", "the encoder and the decoder each have num_attention_heads"},
    Trait{"every_fourth_from_last_is_nope", "of the layers that layer_rope_theta does not list"},
    Trait{"ggml_base_unwritten", "llama.cpp's converter writes neither base nor scaling"},
    Trait{"ggml_every_fourth_is_nope", "in llama.cpp, whatever the config says"},
    Trait{"ggml_last_is_nope", "in llama.cpp, of layers with full_attention alone"},
    Trait{"ggml_linear_unwritten", "llama.cpp's converter writes no linear scaling"},
    Trait{"ggml_longrope_unmultiplied", "llama.cpp writes its lists, and no attention factor"},
    Trait{"ggml_mscale_is_1", "llama.cpp reads mscale_all_dim, and mscale as 1"},
    Trait{"first_layer_is_full", "layer 0 has full attention whatever the pattern is"},
    Trait{"fraction_of_linear_layers", "partial_rotary_factor is for linear attention alone"},
    Trait{"fraction_of_both_parts", "partial_rotary_factor is of qk_nope_head_dim, too"},
    Trait{"has_mamba_step", "one layer of each mamba_step has attention"},
    Trait{"has_swa_rope_parameters", "a section for sliding layers, next to rope_parameters"},
    Trait{"last_layer_is_full", "where no other is by full_attention_interval"},
    Trait{"layer_rope_theta_is_a_switch", "its zeros are NoPE, its other bases are not read"},
    Trait{"lists_base_by_layer",
          "rope_theta and partial_rotary_factors have a value for each layer"},
    Trait{"mlx_every_fourth_is_nope", "in mlx-lm, whatever the config says"},
    Trait{"mlx_local_base", "mlx-lm reads rope_local_base_freq of the top level"},
    Trait{"mlx_refuses_other_types", "mlx-lm's class stops at other types than linear"},
    Trait{"mlx_rope_type_first", "mlx-lm's class writes rope_type over type"},
    Trait{"mlx_scales_by_linear", "and by no other type in mlx-lm, but longrope's trait"},
    Trait{"mlx_scales_by_longrope", "and by no other type in mlx-lm, but linear's trait"},
    Trait{"mlx_unscaled", "mlx-lm's class passes no rope_scaling to nn.RoPE or initialize_rope"},
    Trait{"mlx_whole_head", "mlx-lm's class passes head_dim on as the dimensions that rotate"},
    Trait{"ntk_is_mixed", "rope_type ntk is the mixed base of kexue.fm/archives/9706"},
    Trait{"null_theta_is_nope", "a null rope_theta means no rotation"},
    Trait{"only_full_layers_scale", "sliding layers rotate by the base alone"},
    Trait{"only_sliding_layers_rotate", "full attention is NoPE"},
    Trait{"only_windowed_layers_rotate", "the same, where sliding_window is not null"},
    Trait{"reads_mscale_lists", "short_mscale and long_mscale"},
    Trait{"reads_sections", "rope_parameters has one for each type of layer"},
    Trait{"reads_sections_alone", "rope_parameters' sections, not keys of the top level"},
    Trait{"rope_max_length_is_of_cache", "how many rows of cos and sin are computed at first"},
    Trait{"phi3_longrope", "longrope is read by a separate class in transformers 4 and llama.cpp"},
    Trait{"rotary_dim_unread", "rotary_dim is in published configs, and not read"},
    Trait{"rotates_last_lanes", "the last qk_rope_head_dim dimensions of the head"},
    Trait{"scales_sliding_layers", "rope_scaling is for them, too"},
    Trait{"section_fraction_first", "a section's partial_rotary_factor before the top level's"},
    Trait{"transformers_4.45_scales", "4.45 reads its rope_scaling"},
    Trait{"type_over_rope_type", "transformers 4 writes type over rope_type"},
    Trait{"whole_head", "head_dim is the whole head's although there is qk_rope_head_dim"},
    Trait{"yarn_amplitude_is_1", "cos and sin are multiplied by nothing"},
    Trait{"yarn_is_longrope", "su and yarn in rope_scaling are names of longrope"},
};

// What the readers of configs look for of a class without a row.
constexpr std::string_view own_keys = R"(
    partial_rotary_factor rotary_pct rope_pct rotary_emb_fraction rotary_dim qk_rope_head_dim
    kv_channels global_head_dim
    rotary_emb_base rotary_embedding_base global_rope_theta rope_embedding_base rope_ratio
    rope_local_base_freq local_rope_theta rope_local_theta layer_rope_theta
    rope_scaling_layers no_rope_layers no_rope_layer_interval full_attention_interval
    attn_type_list full_attn_idxs attn_layer_indices cross_attention_layers layers_block_type
    block_types layer_types
    rope_interleave rotary_emb_interleaved rope_interleaved interleaved
    rotary_scaling_factor rope_condense_ratio
    alpha mrope_section mrope_interleaved xdrope_section )";

std::vector<std::string_view> words_of(std::string_view text) {
    constexpr std::string_view blank = " \n";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blank); at != text.npos;) {
        const std::size_t end = text.find_first_of(blank, at);
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(blank, end);
    }
    return words;
}

constexpr std::array<std::string_view, 16> row_keys{
    "class",   "is",   "layout", "keys",  "assumes", "rotates", "traits", "unread",
    "becomes", "form", "flags",  "holds", "alone",   "instead", "source", "example"};

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

std::vector<std::string> keys_of(const Row& row) {
    std::vector<std::string> keys = row.texts("keys");
    for (const std::string& key : keys)
        if (std::ranges::count(class_keys(), key) == 0)
            throw InputError(row.where("keys"), key, "one of " + join(class_keys()));
    return keys;
}

ModelClass::Becomes becomes(const Row& row) {
    const json& own = row.at("becomes");
    if (!own.is_object() || own.size() != 3 || !own.contains("is"))
        throw InputError(row.where("becomes"), "no object with class, key and is",
                         R"(such as {"class": "other", "key": "hidden_size", "is": 5120})");
    const Row other(own, row.where("becomes"));
    return {other.text("class"), other.text("key"), json_text(own["is"])};
}

ModelClass read_class(const Row& row) {
    row.has_only(row_keys);
    ModelClass one{.name = row.text("class"), .is = row.word(kinds, "is")};
    if (row.has("becomes")) one.becomes = becomes(row);
    switch (one.is) {
        case Is::rope:
            one.layout = row.word(layouts, "layout");
            one.assumes = assumed(row, "assumes");
            if (row.has("rotates")) one.rotates = switched(row);
            one.traits = row.traits(traits);
            if (row.has("keys")) one.keys = keys_of(row);
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

const ModelClass* find_class(std::string_view name) { return classes().find(name); }

const ModelClass* find_class(std::string_view name, ModelClass::Is is) {
    const ModelClass* const found = classes().find(name);
    return found != nullptr && found->is == is ? found : nullptr;
}

std::span<const std::string_view> class_keys() {
    static const std::vector<std::string_view> keys = words_of(own_keys);
    return keys;
}

std::vector<std::string> classes_with_trait(std::string_view trait) {
    std::vector<std::string> names;
    for (const Row& row : rows_of(class_rows, "data"))
        if (std::ranges::count(row.traits(traits), trait) > 0) names.push_back(row.text("class"));
    return names;
}

void add_class(const Row& row, const std::string& file) {
    ModelClass own = read_class(row);
    own.file = file;
    classes().add(std::move(own));
}

}  // namespace rope::io
