#include "io/config_file.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/json_input.hpp"
#include "io/printable.hpp"
#include "rope/spec.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// Where multimodal configs keep their language model.
constexpr std::array<std::string_view, 3> nested_models{"text_config", "language_config",
                                                        "llm_config"};

bool concerns_rope(std::string_view key) {
    key.remove_prefix(key.rfind('.') + 1);  // npos + 1 = 0
    return key.starts_with("rope") || key.starts_with("rotary") || key.starts_with("no_rope") ||
           key.starts_with("mrope") || key == "partial_rotary_factor" ||
           key == "position_encoding_2d" || key == "use_dynamic_ntk" || key == "use_logn_attn" ||
           key == "original_max_position_embeddings";
}

void append_if_rope(std::vector<std::string>& all, const std::vector<std::string>& keys) {
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(all), concerns_rope);
}

// An object that is there, with its key; null, {} and absent are all nothing.
const json* filled_object(const json& parent, std::string_view key, const std::string& from) {
    const auto found = parent.find(key);
    if (found == parent.end() || found->is_null()) return nullptr;
    if (!found->is_object())
        throw InputError(
            from + std::string(key) + " is " +
            printable(found->dump(-1, ' ', false, json::error_handler_t::replace), 60) +
            "; it must be an object or null");
    return found->empty() ? nullptr : &*found;
}

// transformers 5: one section per layer type iff every key holds an object.
void refuse_per_layer(const json& section, const std::string& from) {
    const bool per_layer = std::all_of(section.begin(), section.end(),
                                       [](const json& value) { return value.is_object(); });
    if (per_layer)
        throw InputError(from + " holds one section per layer type (" +
                         printable(section.begin().key()) +
                         ", …); put the one to verify in its place");
}

}  // namespace

std::vector<std::string> ConfigFile::ignored() const {
    std::vector<std::string> keys = passed_over;
    const std::vector<std::string> rope_keys = rope.unread();
    keys.insert(keys.end(), rope_keys.begin(), rope_keys.end());
    ConfigSection others = model;
    others.mark_read({"rope_scaling", "rope_parameters"});
    append_if_rope(keys, others.unread());
    return keys;
}

ConfigFile open_config(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path file =
        std::filesystem::is_directory(path, error) ? path / "config.json" : path;
    const std::string name = printable(file.native());
    const auto root = std::make_shared<const json>(read_json(file));
    if (!root->is_object()) throw InputError(name + ": is not a JSON object");

    std::vector<std::string> passed_over;
    const json* model = root.get();
    std::string path_in_file;
    for (const std::string_view key : nested_models) {
        const json* nested = filled_object(*root, key, name + ": ");
        if (nested == nullptr) continue;
        model = nested;
        path_in_file = std::string(key) + ".";
        append_if_rope(passed_over, ConfigSection(name, "", root.get()).unread());
        break;
    }

    const std::string from = name + ": " + path_in_file;
    const json* scaling = filled_object(*model, "rope_scaling", from);
    const json* parameters = filled_object(*model, "rope_parameters", from);
    const json* rope = scaling != nullptr ? scaling : parameters;
    const std::string key =
        rope == parameters && rope != nullptr ? "rope_parameters" : "rope_scaling";
    if (rope != nullptr) refuse_per_layer(*rope, from + key);
    if (scaling != nullptr && parameters != nullptr) {
        const auto lost =
            ConfigSection(name, path_in_file + "rope_parameters.", parameters).unread();
        passed_over.insert(passed_over.end(), lost.begin(), lost.end());
    }
    return {root,
            name,
            from + key + ".",
            ConfigSection(name, path_in_file, model),
            ConfigSection(name, path_in_file + key + ".", rope),
            std::move(passed_over)};
}

}  // namespace rope::io
