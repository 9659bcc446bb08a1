#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/spec_json.hpp"
#include "io/export/export.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/tensor/writers/npy.hpp"
#include "io/tensor/writers/safetensors.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_json_values = std::uint64_t{1} << 20;

// The Spec as bytes of JSON, which is how an .npz can hold it.
WrittenArray spec_array(const Spec& spec) {
    const std::string text = json_text(spec_json(spec));
    std::vector<double> characters;
    for (const char c : text) characters.push_back(static_cast<unsigned char>(c));
    return {"spec", encoded(Element::uint8, {text.size()}, characters)};
}

std::string json_file(const ExportRequest& request, const std::vector<WrittenArray>& arrays) {
    std::uint64_t total = 0;
    for (const WrittenArray& array : arrays) total += array.array.size();
    if (total > most_json_values)
        throw InputError("JSON would hold " + decimal(total) + " values; the limit is " +
                         decimal(most_json_values) + ": choose fewer positions or another format");
    Json json{{"schema", "rope-check-export/1"},
              {"spec", spec_json(request.spec)},
              {"cache_layout", to_string(request.layout)},
              {"arrays", Json::object()}};
    if (request.pipeline != nullptr) json["pipeline"] = request.pipeline->name;
    for (const WrittenArray& one : arrays) {
        Json values = Json::array();
        for (std::uint64_t i = 0; i < one.array.size(); ++i)
            values.push_back(one.array.format() ? json_number(one.array.at(i))
                                                : Json(static_cast<std::int64_t>(one.array.at(i))));
        json["arrays"][one.name] = {{"dtype", to_string(one.array.element)},
                                    {"shape", one.array.shape},
                                    {"values", std::move(values)}};
    }
    return json_text(std::move(json)) + "\n";
}

}  // namespace

const WrittenArray& array_named(const std::vector<WrittenArray>& arrays, std::string_view name) {
    for (const WrittenArray& array : arrays)
        if (array.name == name) return array;
    const std::string known = join(arrays, &WrittenArray::name);
    throw InputError(name.empty() ? "an .npy holds one array; choose it with --tensor: " + known
                                  : "--tensor: '" + printable(name) + "' is not one of " + known);
}

void refuse_tensor(std::string_view tensor) {
    if (!tensor.empty()) throw InputError("--tensor: only an .npy holds one array; leave it out");
}

std::map<std::string, std::string> export_metadata(const ExportRequest& request) {
    std::map<std::string, std::string> metadata{
        {"spec", json_text(spec_json(request.spec))},
        {"cache_layout", std::string(to_string(request.layout))}};
    if (request.pipeline != nullptr) metadata["pipeline"] = request.pipeline->name;
    return metadata;
}

std::string export_file(std::string_view format, const ExportRequest& request,
                        const std::vector<WrittenArray>& arrays, std::string_view tensor) {
    if (format == "npy") return write_npy(array_named(arrays, tensor));
    refuse_tensor(tensor);
    if (format == "json") return json_file(request, arrays);
    if (format == "npz") {
        std::vector<WrittenArray> all = arrays;
        all.push_back(spec_array(request.spec));
        return write_npz(all);
    }
    return write_safetensors(arrays, export_metadata(request));
}

}  // namespace rope::io
