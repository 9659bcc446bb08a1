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
            one.traits = row.traits("class");
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
        if (std::ranges::count(row.traits("class"), trait) > 0) names.push_back(row.text("class"));
    return names;
}

void add_class(const Row& row, const std::string& file) {
    ModelClass own = read_class(row);
    own.file = file;
    classes().add(std::move(own));
}

}  // namespace rope::io
