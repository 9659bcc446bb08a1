#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/export/export.hpp"
#include "io/json/json_text.hpp"
#include "io/shape/position_ids.hpp"
#include "io/tensor/written_array.hpp"

namespace rope::io {
namespace {

[[noreturn]] void refuse(std::string_view option, const NamedArray& array, const std::string& why) {
    throw InputError(std::string(option), ": " + array.name + " " + why);
}

void require_floats(std::string_view option, const NamedArray& array) {
    if (!array.array.format())
        refuse(option, array,
               "has " + std::string(to_string(array.array.element)) + " values, not floats");
}

void require_finite(std::string_view option, const NamedArray& array, std::uint32_t head_dim,
                    std::uint64_t first_row, std::uint64_t rows) {
    for (std::uint64_t i = first_row * head_dim; i < (first_row + rows) * head_dim; ++i)
        if (const double x = array.array.at(i); !std::isfinite(x))
            refuse(option, array,
                   "has " + decimal(x) + " in row " + decimal(i / head_dim) + ", dimension " +
                       decimal(i % head_dim) + "; each value must be finite");
}

}  // namespace

Array given_vectors(const NamedArray& array, const Spec& spec) {
    const std::vector<std::uint64_t>& shape = array.array.shape;
    const std::string_view option = "--q";
    require_floats(option, array);
    if (shape.size() < 2 || shape.back() != spec.head_dim)
        refuse(option, array,
               "has shape " + shape_text(shape) + "; it must end in the positions and " +
                   decimal(spec.head_dim) + " dimensions");
    if (array.array.size() == 0) refuse(option, array, "is empty");
    require_finite(option, array, spec.head_dim, 0, array.array.size() / spec.head_dim);
    return array.array;
}

std::vector<double> given_vector(std::string_view option, const NamedArray& array,
                                 std::uint32_t head_dim, std::uint64_t row) {
    const std::vector<std::uint64_t>& shape = array.array.shape;
    require_floats(option, array);
    if (shape.empty() || shape.back() != head_dim)
        refuse(option, array,
               "has shape " + shape_text(shape) + "; its last axis must have head_dim " +
                   decimal(head_dim) + " dimensions");
    const std::uint64_t rows = array.array.size() / head_dim;
    if (row >= rows)
        refuse(option, array,
               rows == 0 ? "is empty"
                         : "has " + decimal(rows) + (rows == 1 ? " row" : " rows") +
                               " and no row " + decimal(row) + ", the first being row 0");
    require_finite(option, array, head_dim, row, 1);
    std::vector<double> vector;
    for (std::uint64_t lane = 0; lane < head_dim; ++lane)
        vector.push_back(array.array.at(row * head_dim + lane));
    if (std::ranges::all_of(vector, [](double x) { return x == 0; }))
        refuse(option, array, "is zero in row " + decimal(row) + "; each of its scores would be 0");
    return vector;
}

namespace {

using Json = nlohmann::ordered_json;

// The Spec as bytes of JSON, the form that an .npz can contain.
WrittenArray spec_array(const Spec& spec) {
    const std::string text = json_text(spec_json(spec));
    std::vector<double> characters;
    for (const char c : text) characters.push_back(static_cast<unsigned char>(c));
    return {"spec", encoded(Element::uint8, {text.size()}, characters)};
}

// An object without its closing brace, so that members can follow.
std::string opened(Json object) {
    std::string text = json_text(std::move(object));
    text.pop_back();
    return text;
}

// Writes the numbers of an array, separated by commas.
void write_json_values(const WrittenArray& array, const Sink& write) {
    const Element element = array.array.element;
    const char* before = "";
    write_bytes(array, [&](std::string_view bytes) {
        const Array part{{}, element, std::as_bytes(std::span(bytes)), {}};
        Json values = Json::array();
        for (std::uint64_t i = 0; i < part.size(); ++i)
            values.push_back(part.format() ? json_number(part.at(i))
                                           : Json(static_cast<std::int64_t>(part.at(i))));
        const std::string text = json_text(std::move(values));
        write(before + text.substr(1, text.size() - 2));
        before = ",";
    });
}

void write_json(const ExportRequest& request, const std::vector<WrittenArray>& arrays,
                const Sink& write) {
    write(opened({{"schema", "rope-check-export/1"},
                  {"spec", spec_json(request.spec)},
                  {"cache_layout", to_string(request.layout)}}) +
          ",\"arrays\":{");
    const char* before = "";
    for (const WrittenArray& one : arrays) {
        write(before + json_text(Json(one.name)) + ":" +
              opened({{"dtype", to_string(one.array.element)}, {"shape", one.array.shape}}) +
              ",\"values\":[");
        write_json_values(one, write);
        write("]}");
        before = ",";
    }
    write("}");
    if (request.pipeline != nullptr)
        write(",\"pipeline\":" + json_text(Json(request.pipeline->name)));
    write("}\n");
}

const WrittenArray& array_named(const std::vector<WrittenArray>& arrays, std::string_view name) {
    for (const WrittenArray& array : arrays)
        if (array.name == name) return array;
    const std::string known = join(arrays, &WrittenArray::name);
    throw InputError(name.empty() ? "an .npy holds one array; choose it with --only: " + known
                                  : "--only: '" + printable(name) + "' is not one of " + known);
}

std::map<std::string, std::string> metadata_of(const ExportRequest& request) {
    std::map<std::string, std::string> metadata{
        {"spec", json_text(spec_json(request.spec))},
        {"cache_layout", std::string(to_string(request.layout))}};
    if (request.pipeline != nullptr) metadata["pipeline"] = request.pipeline->name;
    return metadata;
}

}  // namespace

void write_export(std::string_view format, const ExportRequest& request,
                  const std::vector<WrittenArray>& arrays, std::string_view tensor,
                  const Sink& write) {
    if (format == "npy") return write_npy(array_named(arrays, tensor), write);
    if (!tensor.empty()) throw InputError("--only", ": only an .npy holds one array; leave it out");
    if (format == "json") return write_json(request, arrays, write);
    if (format == "safetensors") return write_safetensors(arrays, metadata_of(request), write);
    std::vector<WrittenArray> all = arrays;
    all.push_back(spec_array(request.spec));
    write_npz(all, write);
}

}  // namespace rope::io
