#include "io/model/models.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/gguf/gguf_config.hpp"
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

bool is_model(std::string_view name) {
    return std::ranges::find(models(), name, &Model::name) != models().end();
}

const Model& find_model(std::string_view name) {
    return one_of(models(), &Model::name, "--model", name);
}

ConfigFile read_model(const Model& model) {
    return read_config(model.config, "--model " + model.name);
}

void add_rows(std::string_view rows, const std::string& file) {
    for (const Row& row : rows_of(rows, file)) {
        if (row.has("architecture"))
            add_architecture(row);
        else
            add_class(row, file);
    }
}

}  // namespace rope::io
