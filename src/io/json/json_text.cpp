#include "io/json/json_text.hpp"

#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "base/utf8.hpp"

namespace rope::io {
namespace {

template <typename Json>
void make_utf8(Json& json) {
    if (json.is_string()) {
        auto& text = json.template get_ref<std::string&>();
        if (!is_utf8(text)) text = printable(text, text.size());
    }
    if (json.is_structured())
        for (Json& item : json) make_utf8(item);
}

template <typename Json>
std::string text_of(Json json, int indent) {
    make_utf8(json);
    // a key that is not UTF-8 has U+FFFD in it: nothing here throws
    return printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string json_text(nlohmann::json json, int indent) { return text_of(std::move(json), indent); }
std::string json_text(nlohmann::ordered_json json, int indent) {
    return text_of(std::move(json), indent);
}

}  // namespace rope::io
