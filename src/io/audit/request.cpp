#include "io/audit/request.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/audit/audit_protocol.hpp"
#include "io/config/spec_json.hpp"
#include "io/file/write_file.hpp"
#include "io/json/json_input.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/render/command_line.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/tensor/writers/npy.hpp"
#include "io/tensor/writers/row_array.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_x_bytes = std::uint64_t{1} << 30;
constexpr const char* reading_key = "reading";  // of spec_json

std::vector<double> asked_positions(const Request& request) {
    const double sign = request.form.is_backward ? -1 : 1;
    std::vector<double> values;
    for (const std::vector<double>& positions : request.audit.positions)
        for (const double position : positions)
            values.insert(values.end(), request.vectors(), position == 0 ? 0 : sign * position);
    return values;
}

// Each vector at its position, or at all of a contiguous form's.
WrittenArray x_array(const Request& request) {
    const std::uint64_t repeats = std::max<std::uint64_t>(request.form.contiguous, 1);
    const std::uint32_t lanes = request.audit.spec.head_dim;
    return row_array("x", Element::float32, request.shape(), lanes,
                     [&request, repeats, lanes](std::uint64_t first, std::uint64_t count) {
                         std::vector<double> values;
                         for (std::uint64_t row = first; row < first + count; ++row)
                             for (std::uint32_t lane = 0; lane < lanes; ++lane)
                                 values.push_back(request.audit.x(row / repeats, lane));
                         return values;
                     });
}

std::string words_of(const std::vector<std::uint64_t>& shape) {
    std::string words;
    for (const std::uint64_t length : shape) words += (words.empty() ? "" : " ") + decimal(length);
    return words + "\n";
}

void write_x(const fs::path& folder, const Request& request, TaskCount* bytes) {
    const WrittenArray x = counted(x_array(request), bytes);
    if (request.form.is_raw) {
        write_file_atomically(folder / "x.f32", [&](const Sink& write) { write_bytes(x, write); });
        write_file_atomically(folder / "shape.txt", words_of(request.shape()));
        return;
    }
    write_file_atomically(folder / "x.npy", [&](const Sink& write) { write_npy(x, write); });
}

void write_positions(const fs::path& folder, const Request& request) {
    const std::vector<double> values = asked_positions(request);
    const std::uint64_t axes = request.audit.positions.size();
    if (request.form.is_raw) {
        const Array array = encoded(Element::float64, {values.size()}, values);
        write_file_atomically(folder / "positions.f64", text_of(array.bytes));
        return;
    }
    std::vector<std::uint64_t> shape{request.audit.rows()};
    if (axes > 1) shape.insert(shape.begin(), axes);
    write_file_atomically(folder / "positions.npy",
                          write_npy({"positions", encoded_positions(std::move(shape), values)}));
}

// The Spec as configs spell it, for the program; and for read_request the words that say the same.
std::string request_json(const Request& request) {
    const Audit& audit = request.audit;
    nlohmann::ordered_json json = spec_json(audit.spec),
                           positions = nlohmann::ordered_json::array();
    for (const double position : audit.positions[0]) positions.push_back(json_position(position));
    json["rope_check"] = {{"spec", spec_words(audit.spec)},
                          {"positions", std::move(positions)},
                          {"seed", audit.seed}};
    if (request.form.contiguous > 0) json["rope_check"]["contiguous"] = request.form.contiguous;
    if (request.form.offset > 0) json["rope_check"]["offset"] = request.form.offset;
    if (request.form.is_backward) json["rope_check"]["backward"] = true;
    if (request.form.is_raw) json["rope_check"]["raw"] = true;
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

// Its rules are in the Spec already.
std::string reading_of(const nlohmann::json& json, const std::string& name) {
    if (!json.is_string()) refuse_request(name);
    return std::string(find_reading(json.get_ref<const std::string&>()).name);
}

RequestForm form_of(const nlohmann::json& own, const std::string& name) {
    const auto is_set = [&](const char* key) { return own.contains(key) && own[key] == true; };
    RequestForm form{.is_raw = is_set("raw"), .is_backward = is_set("backward")};
    if (own.contains("contiguous")) form.contiguous = whole_of(own["contiguous"], name);
    if (own.contains("offset")) form.offset = whole_of(own["offset"], name);
    return form;
}

}  // namespace

std::vector<std::uint64_t> Request::shape() const {
    if (form.contiguous == 0) return {audit.rows(), audit.spec.head_dim};
    return {vectors(), form.contiguous, audit.spec.head_dim};
}

std::uint64_t Request::row(std::uint64_t place, std::uint64_t vector) const {
    if (form.contiguous == 0) return place * vectors() + vector;
    return vector * form.contiguous +
           static_cast<std::uint64_t>(std::abs(audit.positions[0][place])) - form.offset;
}

void require_form(const Request& request) {
    const std::uint64_t length = request.form.contiguous;
    if (length == 0) return;
    if (request.audit.positions.size() > 1)
        throw InputError("--contiguous: these positions have several axes; audit them row by row");
    for (double position : request.audit.positions[0]) {
        if (request.form.is_backward) position = -position;
        const auto first = static_cast<double>(request.form.offset);
        if (position < first || position >= first + static_cast<double>(length) ||
            position != std::floor(position))
            throw InputError("--contiguous: position " + decimal(position) + " is none of " +
                             decimal(first) + " to " + decimal(request.form.offset + length - 1));
    }
    const std::uint64_t row_bytes = request.vectors() * request.audit.spec.head_dim * sizeof(float);
    if (length > most_x_bytes / row_bytes)
        throw InputError("--contiguous: " + decimal(length) +
                         " positions make x larger than 1 GiB; the limit is " +
                         decimal(most_x_bytes / row_bytes));
}

void write_request(const fs::path& folder, const Request& request, TaskCount* bytes) {
    require_form(request);
    write_x(folder, request, bytes);
    if (request.form.contiguous == 0) write_positions(folder, request);
    write_file_atomically(folder / "spec.json", request_json(request));
    write_file_atomically(folder / "README.txt", audit_protocol(request));
}

Request read_request(const fs::path& folder) {
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
    Spec spec = spec_of(own["spec"], name);
    if (json.contains(reading_key)) spec.reading = reading_of(json[reading_key], name);
    Request request{plan_audit(spec, std::move(positions), whole_of(own["seed"], name)),
                    form_of(own, name)};
    require_form(request);
    return request;
}

}  // namespace rope::io
