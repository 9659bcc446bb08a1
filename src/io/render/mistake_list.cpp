#include "io/render/mistake_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/json/json_text.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/explain.hpp"

namespace rope::io {

std::string mistakes_text() {
    std::string text;
    for (const Mistake& mistake : mistakes())
        text +=
            fmt::format("{}\n  {}\n  usual cause: {}\n", mistake.id, mistake.what, mistake.advice);
    return text;
}

std::string mistakes_json(std::string_view version) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Mistake& mistake : mistakes())
        list.push_back({{"id", mistake.id}, {"what", mistake.what}, {"advice", mistake.advice}});
    const Json json{{"schema", mistakes_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"mistakes", std::move(list)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
