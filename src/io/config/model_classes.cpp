#include "io/config/config.hpp"

namespace rope::io {

namespace {

using Is = ModelClass::Is;

struct Kind {
    std::string_view word;
    Is is;
    const char* needed;  // a key of its rows
};
constexpr Kind kinds[] = {{"rope", Is::rope, "layout"},
                          {"tower", Is::tower, "form"},
                          {"other", Is::other, "instead"},
                          {"wrapper", Is::wrapper, "holds"}};

ModelClass read_class(const Row& row) {
    row.has_only(
        "class is layout keys assumes traits types unread becomes form flags holds section "
        "alone instead ignores source example");
    const std::string name = row.text("class");
    const auto& [word, is, needed] = one_of(kinds, &Kind::word, row.where("is"), row.text("is"));
    ModelClass one{.name = name,
                   .is = is,
                   .assumes = row.inside("assumes").object(),
                   .becomes = becomes_of(row, "class"),
                   .traits = row.traits("class"),
                   .unread = row.map("unread"),
                   .types = row.map("types"),
                   .form = row.text("form", ""),
                   .flags = row.text("flags", ""),
                   .instead = row.text("instead", ""),
                   .holds = row.text("holds", ""),
                   .section = row.text("section", ""),
                   .alone = row.inside("alone").object()};
    constexpr std::string_view layouts = "half_split interleaved interleaved_to_half_split";
    if (is == Is::rope) one.layout = parse_pair_layout(row.choice(layouts, "layout"));
    if (row.has("keys")) one.keys = row.texts("keys");
    for (const std::string& key : one.keys)
        if (std::ranges::count(class_keys(), key) == 0)
            throw InputError(row.where("keys"), key, "one of " + join(class_keys()));
    if (row.has("ignores")) one.ignores = row.texts("ignores");
    (void)row.text(needed);
    if (one.is != Is::wrapper || one.has_defaults()) one.source = row.text("source");
    if (one.owner() == "transformers'") one.traits.emplace_back("class_of_transformers");
    return one;
}

Table<ModelClass>& classes() {
    static Table<ModelClass> all(class_rows, "class", read_class);
    return all;
}

}  // namespace

std::string ModelClass::owner() const {
    const std::string_view library = std::string_view(source).substr(0, source.find(' '));
    if (library == "diffusers") return "diffusers'";
    const bool is_transformers =
        library.ends_with("transformers") || library.find("/configuration_") != library.npos;
    return is_transformers ? "transformers'" : "the";
}

std::optional<Becomes> becomes_of(const Row& row, const char* key) {
    if (!row.has("becomes")) return std::nullopt;
    const Row other = row.inside("becomes");
    return Becomes{other.text(key), other.text("if")};
}

const ModelClass* find_class(std::string_view name, std::optional<ModelClass::Is> is) {
    const ModelClass* const found = classes().find(name);
    return found == nullptr || found->is == is.value_or(found->is) ? found : nullptr;
}

std::span<const ConfigKey> config_keys() {
    static const auto all =
        mapped<ConfigKey>(rows_of(key_rows, "data/keys.jsonl"), [](const Row& row) {
            return ConfigKey{.name = row.text("key"),
                             .means = row.text("means"),
                             .value = row.text("value", ""),
                             .read_by = row.text("read_by", "classes"),
                             .agrees = row.text("agrees", "")};
        });
    return all;
}

Keys keys_for(std::string_view means) {
    Keys keys;
    for (const ConfigKey& key : config_keys())
        if (key.means == means && key.read_by != "none") keys.push_back(key.name);
    return keys;
}

Keys keys_for(const ConfigSection& assumed, std::string_view means) {
    Keys keys = keys_for(means);
    const std::string own = std::string(means) + "_key";
    if (assumed.holds_text(own))
        keys.insert(keys.begin(), assumed.object()->at(own).get_ref<const std::string&>());
    return keys;
}

const Keys& class_keys() {
    static const Keys all = [] {
        Keys keys;
        for (const ConfigKey& key : config_keys())
            if (key.read_by == "classes" || key.read_by == "own_code") keys.push_back(key.name);
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
