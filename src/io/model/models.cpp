#include "io/model/models.hpp"

#include <vector>

#include "base/text.hpp"
#include "io/json/rows.hpp"

namespace rope::io {

std::span<const Model> models() {
    static const std::vector<Model> all = [] {
        std::vector<Model> list;
        for (const Row& row : rows_of(model_rows, "data/models.jsonl"))
            list.push_back({row.text("model"), row.text("source"),
                            std::make_shared<const nlohmann::json>(row.at("config"))});
        return list;
    }();
    return all;
}

const Model& find_model(std::string_view name) {
    return one_of(models(), &Model::name, "--model", name);
}

ConfigFile read_model(const Model& model) {
    return read_config(model.config, "--model " + model.name);
}

}  // namespace rope::io
