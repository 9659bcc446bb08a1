#include "io/model/open_config.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "io/file/stream.hpp"
#include "io/gguf/gguf_config.hpp"
#include "io/json/json_input.hpp"

namespace rope::io {

ConfigFile open_config(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path file =
        std::filesystem::is_directory(path, error) ? path / "config.json" : path;
    if (is_gguf_file(file)) return open_gguf_config(file);
    const std::string name = printable(file.native());
    const FileBytes bytes = read_input(file, max_json_bytes);
    return read_config(std::make_shared<const nlohmann::json>(parse_json(
                           {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name)),
                       name);
}

}  // namespace rope::io
