#include "io/explain/name_list.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/json/json_text.hpp"
#include "io/text/wrapped.hpp"

namespace rope::io {

std::string names_text(std::span<const Named> list) {
    std::size_t width = 0;
    for (const Named& one : list) width = std::max(width, one.name.size());
    std::string text;
    for (const Named& one : list)
        text += hanging(one.name + std::string(width - one.name.size() + 2, ' '), one.meaning);
    return text;
}

std::string names_json(std::string_view what, std::span<const Named> list,
                       std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json names = Json::array();
    for (const Named& one : list) names.push_back({{"name", one.name}, {"meaning", one.meaning}});
    const Json json{{"schema", "rope-check-list/1"},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"list", what},
                    {"names", std::move(names)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
