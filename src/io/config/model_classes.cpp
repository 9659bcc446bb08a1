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

constexpr std::array readers{Word<ConfigKey::ReadBy>{"all", ConfigKey::ReadBy::all},
                             Word<ConfigKey::ReadBy>{"none", ConfigKey::ReadBy::none}};

constexpr std::array<std::string_view, 18> row_keys{
    "class", "is",    "layout", "keys",    "assumes", "rotates", "traits",  "unread", "becomes",
    "form",  "flags", "holds",  "section", "alone",   "instead", "ignores", "source", "example"};

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
            if (row.has("ignores")) one.ignores = row.texts("ignores");
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
            if (row.has("section")) one.section = row.text("section");
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

std::span<const ConfigKey> config_keys() {
    static const std::vector<ConfigKey> all = [] {
        std::vector<ConfigKey> keys;
        for (const Row& row : rows_of(key_rows, "data/keys.jsonl"))
            keys.push_back({.name = row.text("key"),
                            .means = row.text("means"),
                            .value = row.has("value") ? row.text("value") : "",
                            .read_by = row.has("read_by") ? row.word(readers, "read_by")
                                                          : ConfigKey::ReadBy::classes});
        return keys;
    }();
    return all;
}

Keys keys_for(std::string_view means) {
    Keys keys;
    for (const ConfigKey& key : config_keys())
        if (key.means == means && key.read_by != ConfigKey::ReadBy::none) keys.push_back(key.name);
    return keys;
}

Keys keys_for(const ConfigFile& file, std::string_view means) {
    Keys keys = keys_for(means);
    const auto own = file.default_root->find(std::string(means) + "_key");
    if (own != file.default_root->end() && own->is_string())
        keys.insert(keys.begin(), own->get_ref<const std::string&>());
    return keys;
}

const Keys& class_keys() {
    static const Keys all = [] {
        Keys keys;
        for (const ConfigKey& key : config_keys())
            if (key.read_by == ConfigKey::ReadBy::classes) keys.push_back(key.name);
        return keys;
    }();
    return all;
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
