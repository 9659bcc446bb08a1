#include "io/model/open_config.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "io/config/params_json.hpp"
#include "io/file/stream.hpp"
#include "io/gguf/gguf_config.hpp"
#include "io/json/json_input.hpp"

namespace rope::io {

ConfigFile open_config(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path file = path;
    if (std::filesystem::is_directory(path, error)) {
        const bool is_own = !std::filesystem::exists(path / "config.json", error) &&
                            std::filesystem::exists(path / "params.json", error);
        file /= is_own ? "params.json" : "config.json";
    }
    if (is_gguf_file(file)) return open_gguf_config(file);
    const std::string name = input_name(file);
    const FileBytes bytes = read_input(file, max_json_bytes);
    const auto root = std::make_shared<const nlohmann::json>(
        parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name));
    return is_params_json(*root) ? read_params_json(*root, name) : read_config(root, name);
}

}  // namespace rope::io
