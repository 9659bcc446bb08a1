#include "io/audit/audit_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "io/audit/audit_protocol.hpp"
#include "io/config/spec_json.hpp"
#include "io/file/io_error.hpp"
#include "io/file/read_file.hpp"
#include "io/file/write_file.hpp"
#include "io/json/json_input.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/render/command_line.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/shape/position_ids.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/tensor/writers/npy.hpp"
#include "io/tensor/writers/row_array.hpp"
#include "io/text/number.hpp"
#include "rope/number/narrow.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t header_bytes = 64 << 10;  // a header, and a format wider than needed

std::string positions_bytes(const Audit& audit) {
    const std::uint64_t rows = audit.rows(), axes = audit.positions.size();
    std::vector<double> values;
    for (const std::vector<double>& positions : audit.positions)
        for (const double position : positions)
            values.insert(values.end(), audit.rows_per_place(), position);
    std::vector<std::uint64_t> shape{rows};
    if (axes > 1) shape = {axes, rows};
    return write_npy({"positions", encoded_positions(std::move(shape), values)});
}

WrittenArray x_array(const Audit& audit) {
    const std::uint32_t lanes = audit.spec.head_dim;
    return row_array("x", Element::float32, {audit.rows(), lanes}, lanes,
                     [&audit, lanes](std::uint64_t first, std::uint64_t count) {
                         std::vector<double> values;
                         for (std::uint64_t row = first; row < first + count; ++row)
                             for (std::uint32_t lane = 0; lane < lanes; ++lane)
                                 values.push_back(audit.x(row, lane));
                         return values;
                     });
}

// The Spec as configs spell it, for the program; and for read_request the words that say the same.
std::string request_json(const Audit& audit) {
    nlohmann::ordered_json json = spec_json(audit.spec),
                           positions = nlohmann::ordered_json::array();
    for (const double position : audit.positions[0]) positions.push_back(json_position(position));
    json["rope_check"] = {{"spec", spec_words(audit.spec)},
                          {"positions", std::move(positions)},
                          {"seed", audit.seed}};
    return json_text(json, 2) + "\n";
}

[[noreturn]] void refuse_request(const std::string& name) {
    throw InputError(name + ": is not what `rope-check audit new` writes; write the request again");
}

std::uint64_t whole_of(const nlohmann::json& json, const std::string& name) {
    if (!json.is_number_unsigned()) refuse_request(name);
    return json.get<std::uint64_t>();
}

Spec spec_of(const nlohmann::json& words, const std::string& name) {
    std::vector<Flag> flags;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        if (!words[i].is_string() || !words[i + 1].is_string()) refuse_request(name);
        flags.push_back({words[i].get<std::string>(), words[i + 1].get<std::string>()});
    }
    return resolve_spec(std::nullopt, flags).spec;
}

std::vector<std::uint64_t> answer_shape(const Audit& audit) {
    return {audit.rows(), audit.spec.head_dim};
}

std::string wanted(const Audit& audit) {
    return "it must hold floats " + shape_text(answer_shape(audit)) + ", a row for each of x.npy";
}

// The one answer in the folder, of any file type.
fs::path find_answer(const fs::path& folder, const Audit& audit) {
    fs::path found;
    for (const char* name : {"y.npy", "y.npz", "y.safetensors"}) {
        if (!fs::exists(fs::symlink_status(folder / name))) continue;
        if (!found.empty())
            throw InputError(printable((folder / name).native()) + ": exists beside " +
                             printable(found.filename().native()) + "; write one of them");
        found = folder / name;
    }
    if (found.empty())
        throw InputError("there is no " + printable((folder / "y.npy").native()) + "; " +
                         wanted(audit));
    return found;
}

// Anything but a regular file is the program's fault, not the system's.
TensorFile open_answer(const fs::path& path, const Audit& audit) {
    const std::uint64_t values = audit.rows() * audit.spec.head_dim;
    try {
        std::vector<std::byte> bytes =
            read_file(path, values * sizeof(double) + header_bytes, Links::refused);
        const std::uint64_t size = bytes.size();
        return tensor_file_of(path, {std::move(bytes), size});
    } catch (const IoError& error) {
        throw InputError(std::string(error.what()) + "; write a regular file there");
    }
}

}  // namespace

void write_request(const fs::path& folder, const Audit& audit) {
    write_file_atomically(folder / "x.npy",
                          [&](const Sink& write) { write_npy(x_array(audit), write); });
    write_file_atomically(folder / "positions.npy", positions_bytes(audit));
    write_file_atomically(folder / "spec.json", request_json(audit));
    write_file_atomically(folder / "README.txt", audit_protocol(audit));
}

Audit read_request(const fs::path& folder) {
    const std::string name = printable((folder / "spec.json").native());
    const nlohmann::json json = read_json(folder / "spec.json");
    if (!json.is_object() || !json.contains("rope_check")) refuse_request(name);
    const nlohmann::json& own = json["rope_check"];
    for (const char* key : {"spec", "positions", "seed"})
        if (!own.is_object() || !own.contains(key)) refuse_request(name);
    if (!own["spec"].is_array() || !own["positions"].is_array()) refuse_request(name);
    std::vector<double> positions;
    for (const nlohmann::json& position : own["positions"]) {
        if (!position.is_number()) refuse_request(name);
        positions.push_back(position.get<double>());
    }
    return plan_audit(spec_of(own["spec"], name), std::move(positions),
                      whole_of(own["seed"], name));
}

Answers read_answers(const fs::path& folder, Audit audit, std::string origin) {
    const fs::path path = find_answer(folder, audit);
    const TensorFile file = open_answer(path, audit);
    const NamedArray y = file.named_array(file.has("") ? "" : "y");
    const auto format = y.array.format();
    if (!format || y.array.shape != answer_shape(audit))
        throw InputError(y.name + ": holds " + std::string(to_string(y.array.element)) + " " +
                         shape_text(y.array.shape) + "; " + wanted(audit));
    const std::uint32_t lanes = audit.spec.head_dim;
    const StridedRows rows{y.array.element, y.array.bytes, 0, lanes, 1, y.array.owner};
    const auto narrow = narrower_format(rows, audit.rows(), lanes);
    return {std::move(audit), rows, narrow.value_or(*format), std::move(origin)};
}

}  // namespace rope::io
