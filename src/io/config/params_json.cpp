#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "io/config/config.hpp"
#include "io/json/rows.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// The row's value; a text may be the name of a number.
json value_of(const Row& row, const ConfigFacts& facts) {
    const json& value = row.at("value");
    const auto number = value.is_string() ? facts.number(row.text("value")) : std::nullopt;
    return number ? json(static_cast<std::uint64_t>(*number)) : value;
}

}  // namespace

void TranslatedConfig::put(const std::string& to, json value, const std::string& name) {
    const std::size_t dot = to.find('.');
    json& object = dot == to.npos ? root : root[to.substr(0, dot)];
    object[to.substr(dot + 1)] = std::move(value);  // npos + 1 = 0
    names[to] = printable(name);
}

ConfigFile TranslatedConfig::read(const std::string& file) && {
    return read_config(std::make_shared<const json>(std::move(root)), file,
                       std::make_shared<const ConfigSection::Names>(std::move(names)));
}

bool is_params_json(const json& root) {
    const auto has = [&](const char* key) { return root.contains(key); };
    return root.is_object() && has("dim") && has("n_heads") && !has("hidden_size") &&
           !has("model_type") && !has("_class_name");
}

// The first row that has a value for a path counts.
ConfigFile read_params_json(const json& root, const std::string& name) {
    static const std::vector<Row> rows = rows_of(param_rows, "data/params.jsonl");
    static const auto names = names_in(param_rows, {"top."});
    ConfigSection params(name, "", &root);
    const ConfigSection none(name, "", nullptr);
    ConfigFacts facts;
    add_keys(facts, names, params, none, none);
    const double length = facts.number("top.yarn.factor").value_or(0) *
                          facts.number("top.yarn.original_max_position_embeddings").value_or(0);
    if (length >= 1 && length <= static_cast<double>(max_context))
        facts.numbers["yarn_length"] = length;
    params.mark_read({"use_scaled_rope"});
    TranslatedConfig config;
    for (const Row& row : rows) {
        const std::string to = row.text("to"), from = row.text("from", "");
        if (config.names.contains(to) || !hold(row.text("if", ""), {}, facts)) continue;
        std::string_view key = from;
        const ConfigSection holder = params.inside(key);
        if (row.has("value")) {
            config.put(to, value_of(row, facts), row.text("name"));
        } else if (holder.has(key)) {
            config.put(to, holder.object()->at(key), from);
            params.mark_read({from});
        }
    }
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
