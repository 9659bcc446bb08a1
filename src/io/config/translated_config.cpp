#include "io/config/translated_config.hpp"

#include <utility>

#include "base/printable.hpp"

namespace rope::io {

void TranslatedConfig::put(const std::string& to, nlohmann::json value, const std::string& name) {
    const std::size_t dot = to.find('.');
    nlohmann::json& object = dot == to.npos ? root : root[to.substr(0, dot)];
    object[to.substr(dot + 1)] = std::move(value);  // npos + 1 = 0
    names[to] = printable(name);
}

ConfigFile TranslatedConfig::read(const std::string& file) && {
    const auto own = std::make_shared<const ConfigSection::Names>(std::move(names));
    ConfigFile config = read_config(std::make_shared<const nlohmann::json>(std::move(root)), file);
    config.model.call_by(own);
    for (LayerSection& layer : config.layers) layer.rope.call_by(own);
    return config;
}

}  // namespace rope::io
