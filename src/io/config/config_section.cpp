// One object of a config, key by key; the interpreter of rows about keys; params.json as a config.
#include <cmath>
#include <numeric>

#include "io/config/config.hpp"
#include "io/text/json_text.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

InputError refused(const std::string& from, const json& value, const std::string& wanted) {
    return {from, printable(json_text(value), 60), wanted};
}

// A key in one of the sections, and its value; null if it is absent.
struct Place {
    ConfigSection* section;
    std::string_view key;
    const json* value;
};

// Adds the number at a place as "value", or the list with its size and largest item, and 1 at each
// of "members" whose number is in it; "kind" is the kind of layers that the key of this name means.
void add_value(ConfigFacts& facts, const Place& from) {
    if (from.value->is_number()) facts.numbers["value"] = *from.value;
    for (const ConfigKey& key : config_keys())
        if (key.name == from.key) facts.texts["kind"] = key.value;
    if (!from.value->is_array()) return;
    facts.numbers["size"] = static_cast<double>(from.value->size());
    if (is_list_of<&json::is_string>(*from.value))
        facts.text_lists["value"] = mapped<std::string>(
            *from.value, [](const json& one) { return printable(one.get<std::string>()); });
    if (!std::ranges::all_of(*from.value, &json::is_number)) return;
    const auto& list = facts.lists["value"] = from.value->get<std::vector<double>>();
    if (list.empty()) return;
    const double largest = facts.numbers["largest"] = std::ranges::max(list);
    if (!(largest < static_cast<double>(most_layers))) return;
    std::vector<double>& members = facts.lists["members"];
    members.resize(static_cast<std::size_t>(std::max(largest, 0.0)) + 1);
    for (const double one : list)
        if (one >= 0) members[static_cast<std::size_t>(one)] = 1;
}

// Adds the value at the row's place, and the number of layers that the row gives.
void add_list(ConfigFacts& facts, const Row& row, const Place& from) {
    if (from.value != nullptr) add_value(facts, from);
    if (row.has("layers"))
        facts.layer_count =
            static_cast<std::uint64_t>(computed(row.text("layers"), {}, facts).value_or(0));
}

// The kind of each layer whose number i meets the row's conditions, or 1 where the row has no kind,
// else 0; null if there is none of a kind, unless a key gives them that may have none.
json kinds_of(const Row& row, const Place& from, ConfigFacts facts) {
    const bool is_given = row.has("from"), may_be_none = is_given && !row.has("some");
    if (is_given && (from.value == nullptr || from.value->empty())) return {};
    add_list(facts, row, from);
    const auto of_kind = layers_by(sentence(row.text("where"), {}, facts), facts);
    if (!of_kind || (of_kind->empty() && !may_be_none && row.has("kind"))) return {};
    if (!row.has("kind")) {
        std::vector<int> meets(facts.layer_count);
        for (const std::uint32_t layer : *of_kind) meets[layer] = 1;
        return meets;
    }
    std::vector<std::string> kinds(facts.layer_count, row.text("else", "attention"));
    for (const std::uint32_t layer : *of_kind) {
        facts.numbers["i"] = layer;
        kinds[layer] = sentence(row.text("kind"), {}, facts);
    }
    return kinds;
}

// The layers of a set, those whose number i meets its conditions, by the value of "each"; no
// numbers where it has no conditions, or there are no such layers.
std::map<std::pair<double, std::string>, LayerNumbers> groups_of(const Row& set,
                                                                 ConfigFacts& facts) {
    std::map<std::pair<double, std::string>, LayerNumbers> groups;
    const std::string each = set.text("each", "0");
    for (const std::uint32_t i :
         layers_by(set.text("where", "never"), facts).value_or(LayerNumbers{})) {
        facts.numbers["i"] = i;
        groups[{computed(each, {}, facts).value_or(0), sentence("{" + each + "}", {}, facts)}]
            .push_back(i);
    }
    if (groups.empty()) groups[{}];
    return groups;
}

// The sets of layers that rotate alike, with the numbers of their layers. A set without layers is
// left out if others have some, unless it says what it is then.
json sets_of(const Row& row, const Place& from, ConfigFacts facts) {
    add_list(facts, row, from);
    json all = json::array();
    bool are_known = false;
    for (const json& set : row.at("sets")) {
        for (const auto& [value, numbers] : groups_of({set, row.where("sets")}, facts)) {
            facts.texts["each"] = value.second;
            const std::string name = sentence(set.at("layers").get<std::string>(), {}, facts);
            json& one = all.emplace_back(set);
            one["layers"] = name.ends_with(' ') ? name + ranges(numbers) : name;
            one["numbers"] = numbers;
            are_known = are_known || !numbers.empty();
        }
    }
    const auto is_empty = [&](const json& one) { return are_known && one["numbers"].empty(); };
    std::erase_if(all.get_ref<json::array_t&>(), [&](const json& one) {
        return is_empty(one) && !one.contains("without_layers");
    });
    for (json& one : all)
        one["absent"] = is_empty(one) && one.value("without_layers", "") == "absent";
    return all;
}

// Returns the first of "top.KEY|class.KEY|top.<MEANING>" that is present, else the first of them.
Place place_of(std::string_view from, const Places& places) {
    std::vector<Place> all;
    for (const std::string_view one : split(from, "|")) {
        const std::string_view kind = one.substr(0, one.find('.'));
        const auto named = std::ranges::find(places, kind, &Places::value_type::first);
        ConfigSection* const section = named == places.end() ? places[0].second : named->second;
        const std::string_view key = named == places.end() ? one : one.substr(kind.size() + 1);
        const bool is_meaning = key.starts_with('<');
        for (const std::string_view name :
             is_meaning ? keys_for(*places.back().second, key.substr(1, key.size() - 2))
                        : Keys{key}) {
            all.push_back({section, name, section->at(name)});
            if (all.back().value != nullptr) return all.back();
        }
    }
    return all.empty() ? Place{places[0].second, "", nullptr} : all.front();
}

// Throws InputError if the value at the place is not of that kind.
void require(const Place& place, const std::string& kind) {
    if (kind == "whole") (void)place.section->whole({place.key}, 0, most_layers);
    if (kind == "count") (void)place.section->whole({place.key}, 1, most_layers);
    if (kind == "wholes") (void)place.section->wholes(place.key);
    if (kind == "reals") (void)place.section->reals(place.key);
    if (kind == "texts") (void)place.section->texts(place.key);
    if (kind == "size") (void)place.section->whole({place.key}, 1, std::uint64_t{1} << 32);
    if (kind == "dimensions") (void)place.section->whole({place.key}, 2, max_head_dim);
    if (kind == "number") (void)place.section->real({place.key});
    if (kind == "text") (void)place.section->text({place.key});
    if (kind == "boolean") (void)place.section->boolean(place.key);
}

// The numbers that a row lists, or its number for each i from 0 on, as far as they are known.
json numbers_of(const json& listed, ConfigFacts facts) {
    json all = json::array();
    const std::size_t most = listed.is_array() ? listed.size() : most_layers;
    for (std::size_t i = 0; i < most; ++i) {
        facts.numbers["i"] = static_cast<double>(i);
        const json& one = listed.is_array() ? listed[i] : listed;
        const auto number = computed(one.get_ref<const std::string&>(), {}, facts);
        if (!number) break;
        all.push_back(whole_if_it_is(*number));
    }
    return all.empty() ? json() : all;
}

// The row's value, or the number or list that it computes, or the value at its place; null if there
// is none.
json value_of(const Row& row, const Place& from, const ConfigFacts& facts) {
    if (row.has("where")) return kinds_of(row, from, facts);
    if (row.has("sets")) return sets_of(row, from, facts);
    if (row.has("numbers")) return numbers_of(row.at("numbers"), facts);
    if (row.has("number")) {
        const auto number = computed(row.text("number"), {}, facts);
        return number ? whole_if_it_is(*number) : json();
    }
    if (!row.has("value")) return from.value == nullptr ? json() : *from.value;
    return row.at("value").is_string() ? json(sentence(row.text("value"), {}, facts))
                                       : row.at("value");
}

// Adds a number, or a text, that later rows use; the first of its name counts.
void state(ConfigFacts& facts, const std::string& name, const json& value) {
    if (value.is_number()) facts.numbers.emplace(name, value);
    if (value.is_string()) facts.texts.emplace(name, value);
    if (value.is_array()) facts.traits.push_back(name);
    if (!value.is_array() || !std::ranges::all_of(value, &json::is_number)) return;
    const auto& list = facts.lists[name] = value.get<std::vector<double>>();
    facts.numbers[name + ".sum"] = std::accumulate(list.begin(), list.end(), 0.0);
    if (!list.empty()) facts.numbers[name + ".largest"] = std::ranges::max(list);
}

// Whether the row's words apply: if it has conditions for each item of a list, the first item that
// does not meet them is "value".
bool is_wrong(const Row& row, const Place& from, ConfigFacts& facts) {
    if (!row.has("each")) return true;
    facts.numbers["i"] = 0;
    for (const json& item : from.value == nullptr ? json::array() : *from.value) {
        facts.numbers["value"] = item;
        if (!hold(row.text("each"), {}, facts)) return true;
        ++facts.numbers["i"];
    }
    return false;
}

}  // namespace

std::string ConfigSection::origin(std::string_view key) const {
    const bool has_full_names = names_ && file_.empty();
    return (has_full_names ? "" : file_ + ": ") + path_to(key);
}

std::string ConfigSection::path_to(std::string_view key) const {
    std::string path = path_ + printable(key);
    if (!names_) return path;
    const auto name = names_->find(path);
    return name == names_->end() ? path : name->second;
}

bool ConfigSection::has(std::string_view key) const {
    if (object_ == nullptr || hidden_.contains(key)) return false;
    const auto found = object_->find(key);
    return found != object_->end() && !found->is_null();
}

bool ConfigSection::holds_null(std::string_view path) const {
    const std::size_t dot = path.rfind('.');
    const json* const holder = dot == path.npos ? object_ : at(path.substr(0, dot));
    if (holder == nullptr || !holder->is_object()) return false;
    const auto found = holder->find(path.substr(dot + 1));  // npos + 1 = 0
    return found != holder->end() && found->is_null();
}

ConfigSection ConfigSection::section(std::string_view path) const {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    if (dot != path.npos) return section(key).section(path.substr(dot + 1));
    const json* object = has(key) ? &*object_->find(key) : nullptr;
    if (object != nullptr && *object == false) object = nullptr;
    if (object != nullptr && !object->is_object())
        throw refused(origin(key), *object, "an object or null");
    return {file_, path_to(key) + ".", object, names_};
}

const json* ConfigSection::at(std::string_view path) const {
    const std::size_t dot = path.find('.');
    if (has(path)) return &*object_->find(path);
    if (dot == path.npos || !has(path.substr(0, dot))) return nullptr;
    const json& inner = *object_->find(path.substr(0, dot));
    return inner.is_object() ? ConfigSection("", "", &inner).at(path.substr(dot + 1)) : nullptr;
}

template <typename T, typename Accepts>
std::optional<Found<T>> ConfigSection::value(const Keys& keys, Accepts accepts,
                                             const std::string& wanted) {
    for (const std::string_view path : keys) {
        const json* const value = path.empty() ? nullptr : at(path);
        if (value == nullptr) continue;
        read_.emplace(has(path) ? path : path.substr(0, path.find('.')));
        if (!std::invoke(accepts, *value)) throw refused(origin(path), *value, wanted);
        return Found<T>{value->get<T>(), origin(path)};
    }
    return std::nullopt;
}

std::optional<Found<std::uint64_t>> ConfigSection::whole(const Keys& keys, std::uint64_t least,
                                                         std::uint64_t most) {
    // -1 is number_integer, 128 number_unsigned, 128.7 and 128.0 number_float
    const auto accepts = [&](const json& x) {
        return x.is_number_unsigned() && x.get<std::uint64_t>() >= least &&
               x.get<std::uint64_t>() <= most;
    };
    return value<std::uint64_t>(keys, accepts,
                                "a whole number from " + decimal(least) + " to " + decimal(most));
}

std::optional<Found<double>> ConfigSection::real(const Keys& keys) {
    const auto is_finite = [](const json& x) {
        return x.is_number() && std::isfinite(x.get<double>());
    };
    return value<double>(keys, is_finite, "a number");
}

std::optional<Found<std::string>> ConfigSection::text(const Keys& keys) {
    return value<std::string>(keys, &json::is_string, "a string");
}

std::optional<Found<bool>> ConfigSection::boolean(std::string_view key) {
    return value<bool>({key}, &json::is_boolean, "true or false");
}

std::optional<Found<std::vector<double>>> ConfigSection::reals(std::string_view key) {
    return value<std::vector<double>>({key}, is_list_of<&json::is_number>, "a list of numbers");
}

std::optional<Found<std::vector<std::uint64_t>>> ConfigSection::wholes(std::string_view key) {
    return value<std::vector<std::uint64_t>>({key}, is_list_of<&json::is_number_unsigned>,
                                             "a list of whole numbers");
}

std::optional<Found<std::vector<std::string>>> ConfigSection::texts(std::string_view key) {
    return value<std::vector<std::string>>({key}, is_list_of<&json::is_string>,
                                           "a list of strings");
}

std::vector<ConfigSection> ConfigSection::sections(std::string_view key) {
    const auto accepts = [](const json& list) {
        return is_list_of<&json::is_object>(list) && list.size() <= 65536;
    };
    std::vector<ConfigSection> all;
    if (!value<json>({key}, accepts, "a list of up to 65536 objects")) return all;
    for (const json& one : *object_->find(key))
        all.emplace_back(file_, path_to(key) + "." + decimal(all.size()) + ".", &one);
    return all;
}

std::vector<std::string> ConfigSection::keys_by(bool were_read) const {
    std::vector<std::string> keys;
    if (object_ == nullptr) return keys;
    for (const auto& item : object_->items()) {
        const bool says_nothing = !were_read && item.value().is_array() && item.value().empty(),
                   has_name = !were_read || !names_ || names_->contains(path_ + item.key());
        if (has(item.key()) && has_name && !says_nothing && read_.contains(item.key()) == were_read)
            keys.push_back(path_to(item.key()));
    }
    return keys;
}

void TranslatedConfig::put(const std::string& to, json value, const std::string& name) {
    const std::size_t dot = to.find('.');
    json& object = dot == to.npos ? root : root[to.substr(0, dot)];
    object[to.substr(dot + 1)] = std::move(value);  // npos + 1 = 0
    names[to] = is_of_one_file ? printable(name) : name;
}

void TranslatedConfig::translate(const RuleRows& rules, const Places& places, ConfigFacts& facts) {
    for (const RowText& text : rules.rows) {
        const std::string to(text.text("to"));
        if (names.contains(to) || !hold(text.text("of"), {}, facts)) continue;
        const bool applies = hold(text.text("if"), {}, facts);
        if (!applies && text.text("of").empty()) continue;
        const Row row = text.row();
        const std::string place = sentence(row.text("from", ""), {}, facts);
        const Place from = place_of(place, places);
        if (row.has("of")) from.section->mark_read({from.key});
        if (!applies) continue;
        if (row.has("stop")) return;
        require(from, row.text("is", ""));
        const auto words = [&](const char* key) { return sentence(row.text(key), {}, facts); };
        if (row.has("refuse") && is_wrong(row, from, facts))
            throw InputError((place.empty() ? from.section->file() + ": "
                                            : from.section->origin(from.key) + " ") +
                             words("refuse"));
        if (row.has("remark") && is_wrong(row, from, facts))
            remarks.push_back({from.section->path_to(from.key), words("remark")});
        const json value = value_of(row, from, facts);
        if (row.has("fact")) state(facts, row.text("fact"), value);
        if (!to.empty() && !value.is_null()) {
            const std::string key = from.section->path_to(from.key),
                              origin = is_of_one_file ? key : from.section->origin(from.key);
            facts.texts["place"] = origin;
            facts.texts["key." + to] = from.section == places[0].second ? key : origin;
            facts.texts["from." + to] = row.has("name") ? words("name") : origin;
            put(to, value, facts.texts["from." + to]);
            state(facts, "to." + to, value);
        }
        if (from.value == nullptr) continue;
        const bool is_flat = from.section->has(from.key);
        from.section->mark_read({is_flat ? from.key : from.key.substr(0, from.key.find('.'))});
    }
}

ConfigFile TranslatedConfig::read(const std::string& file) && {
    return read_config(std::make_shared<const json>(std::move(root)), file,
                       std::make_shared<const ConfigSection::Names>(std::move(names)));
}

std::optional<ConfigFile> read_params_json(const json& root, const std::string& name) {
    if (!root.is_object()) return std::nullopt;
    ConfigSection params(name, "", &root);
    const auto has = [&](const char* key) { return root.contains(key); };
    if (!has("dim") || !has("n_heads") || has("hidden_size") || has("model_type") ||
        has("_class_name"))  // keys of a config.json
        return std::nullopt;
    static const RuleRows rules(param_rows, "data/params.jsonl", {"top."});
    ConfigFacts facts;
    add_keys(facts, rules.names, params, params, params);
    TranslatedConfig config;
    config.translate(rules, {{"top", &params}}, facts);
    ConfigFile file = std::move(config).read(name);
    file.layout = {PairLayout::interleaved,
                   name + ": Meta's and Mistral's own code rotates neighbouring dimensions"};
    file.passed_over = params.unread();
    std::erase_if(file.passed_over,
                  [](const std::string& key) { return key.find("rope") == key.npos; });
    file.mscale_of_scores = true;
    return file;
}

}  // namespace rope::io
