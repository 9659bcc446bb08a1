// The files of a request, spec.json, README.txt and arrays, and those of an answer.
#include "io/audit/request.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "io/dump/shape.hpp"
#include "io/model/resolved_model.hpp"
#include "io/render/results.hpp"
#include "io/system/unfinished.hpp"
#include "io/system/write_file.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/tensor/written_array.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"
#include "io/text/rows.hpp"
#include "rope/spec/readings.hpp"

namespace rope::io {
namespace {

Shape shape_of_positions(const Audit& audit) {
    return audit.positions.size() == 1 ? Shape{audit.rows()}
                                       : Shape{audit.positions.size(), audit.rows()};
}

// Describes the files and the answer, in the words of data/request.jsonl.
std::string audit_protocol(const Request& request) {
    const Audit& audit = request.audit;
    const RequestForm& form = request.form;
    const bool is_contiguous = form.contiguous > 0, is_raw = form.is_raw;
    const std::uint64_t first = is_contiguous ? request.vectors() : audit.matrix_rows(),
                        length = is_contiguous ? form.contiguous : audit.places(),
                        sequences = request.vectors() + audit.sequences();
    const Element whole = encoded_positions({audit.places()}, audit.positions[0]).element;
    const auto padded = [](Element element, const Shape& shape) {
        return fmt::format("{:<24}", fmt::format("{} {}", to_string(element), shape_text(shape)));
    };
    ConfigFacts facts;
    facts.add("contiguous", is_contiguous);
    facts.add("raw", is_raw);
    facts.add("several_axes", audit.positions.size() > 1);
    facts.add("groups", audit.sequences() > 0);
    facts.add("shared_positions", audit.groups.order == SequenceOrder::shared);
    facts.add("k", form.k_heads > 0);
    facts.add("backward", audit.is_backward);
    facts.texts = {
        {"x_type", padded(Element::float32, request.shape())},
        {"positions_type", padded(is_raw ? Element::float64 : whole, shape_of_positions(audit))},
        {"shape", shape_text(request.shape())}};
    for (const auto& [name, number] :
         {std::pair("count", is_contiguous ? sequences * length : audit.rows()),
          {"offset", form.offset},
          {"next", form.offset + 1},
          {"sequences", audit.sequences()},
          {"first", first},
          {"last", audit.rows() - 1},
          {"batch", audit.groups.batch},
          {"heads", audit.groups.heads},
          {"k_heads", form.k_heads},
          {"length", length},
          {"head_dim", std::uint64_t{audit.spec.head_dim}}})
        facts.texts[name] = decimal(number);
    std::string text;
    for (const RowText& row : row_texts_of(request_rows, "data/request.jsonl"))
        if (hold(row.text("if"), {}, facts)) text += sentence(row.row().text("say"), {}, facts);
    return text;
}

namespace fs = std::filesystem;

std::uint64_t whole_in(const nlohmann::json& own, const char* key, std::uint64_t otherwise) {
    return own.contains(key) ? own[key].get_ref<const std::uint64_t&>() : otherwise;
}

Spec spec_of(const std::vector<std::string>& words) {
    std::vector<Flag> flags;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const bool is_rope = words[i] == rope_option;
        for (Flag& own :
             is_rope ? flags_of_rope(words[i + 1]) : std::vector<Flag>{{words[i], words[i + 1]}})
            flags.push_back(std::move(own));
    }
    return resolve_spec(std::nullopt, flags).spec;
}

// Throws nlohmann::json::exception if a key is missing, or its value is of another kind.
Request request_of(const nlohmann::json& json) {
    const nlohmann::json& own = json.at("rope_check");
    const auto is_set = [&](const char* key) { return own.contains(key) && own[key] == true; };
    const std::uint64_t contiguous = whole_in(own, "contiguous", 0);
    AuditGroups groups{.batch = whole_in(own, "batch", 1), .heads = whole_in(own, "heads", 1)};
    if (own.contains("position_axes") && own["position_axes"] == "s")
        groups.order = SequenceOrder::shared;
    if (own.contains("contiguous")) groups.order = SequenceOrder::as_they_are;
    Spec spec = spec_of(own.at("spec"));
    if (json.contains("reading"))  // the Spec already has its rules
        spec.reading = find_reading(json["reading"].get_ref<const std::string&>()).name;
    Request request{plan_audit(spec, own.at("positions").get<std::vector<double>>(),
                               own.at("seed").get_ref<const std::uint64_t&>(), groups),
                    {.is_raw = is_set("raw"),
                     .contiguous = contiguous,
                     .offset = whole_in(own, "offset", 0),
                     .k_heads = whole_in(own, "k_heads", 0)}};
    request.audit.is_backward = is_set("backward");
    return request;
}

// The Spec with the keys of a config, for the program, and as flags, for read_request.
std::string request_json(const Request& request) {
    const Audit& audit = request.audit;
    Json json = spec_json(audit.spec);
    json["rope_check"] = {{"spec", spec_words(audit.spec)},
                          {"positions", json_array(audit.positions[0], json_position)},
                          {"seed", audit.seed}};
    Json& own = json["rope_check"];
    if (audit.groups.batch > 1) own["batch"] = audit.groups.batch;
    if (audit.groups.heads > 1) own["heads"] = audit.groups.heads;
    if (audit.groups.order == SequenceOrder::shared) own["position_axes"] = "s";
    if (request.form.k_heads > 0) own["k_heads"] = request.form.k_heads;
    if (request.form.contiguous > 0) own["contiguous"] = request.form.contiguous;
    if (request.form.offset > 0) own["offset"] = request.form.offset;
    if (request.audit.is_backward) own["backward"] = true;
    if (request.form.is_raw) own["raw"] = true;
    return json_text(json, 2) + "\n";
}

constexpr std::uint64_t most_x_bytes = std::uint64_t{1} << 30;

std::vector<double> asked_positions(const Request& request) {
    const double sign = request.audit.is_backward ? -1 : 1;
    std::vector<double> values;
    for (const std::vector<double>& positions : request.audit.positions)
        for (std::uint64_t row = 0; row < request.audit.rows(); ++row) {
            const double position = positions[request.audit.place_of(row)];
            values.push_back(position == 0 ? 0 : sign * position);
        }
    return values;
}

// The row of the audit with the vector of a row of x. A contiguous sequence repeats a vector at
// every position; positions that are not audited have place 0's.
std::uint64_t audited_row(const Request& request, const std::vector<std::uint64_t>& place_at,
                          std::uint64_t row) {
    if (place_at.empty()) return row;
    const std::uint64_t sequence = row / place_at.size(), vectors = request.vectors();
    return sequence < vectors
               ? sequence
               : request.audit.row_of(sequence - vectors, place_at[row % place_at.size()]);
}

WrittenArray x_array(const Request& request) {
    const std::uint32_t dimensions = request.audit.spec.head_dim;
    std::vector<std::uint64_t> place_at(request.form.contiguous);
    for (std::uint64_t place = 0; !place_at.empty() && place < request.audit.places(); ++place)
        place_at[request.row(place, 0)] = place;
    const auto rows = [=, &request](std::uint64_t first, std::uint64_t count) {
        std::vector<double> values;
        for (std::uint64_t row = first; row < first + count; ++row)
            for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension)
                values.push_back(request.audit.x(audited_row(request, place_at, row), dimension));
        return values;
    };
    return row_array("x", Element::float32, request.shape(), dimensions, rows);
}

WrittenArray positions_array(const Request& request) {
    const std::vector<double> values = asked_positions(request);
    const Shape shape = shape_of_positions(request.audit);
    return {"positions", request.form.is_raw ? encoded(Element::float64, shape, values)
                                             : encoded_positions(shape, values)};
}

// As NAME.npy, or without a header as NAME.f32 or NAME.f64.
void write_array(const fs::path& folder, const WrittenArray& array, bool is_raw) {
    const bool is_wide = array.array.element == Element::float64;
    const auto write_it = [&](const Sink& write) {
        is_raw ? write_bytes(array, write) : write_npy(array, write);
    };
    write_file_atomically(folder / (array.name + (!is_raw   ? ".npy"
                                                  : is_wide ? ".f64"
                                                            : ".f32")),
                          write_it);
}

constexpr std::uint64_t header_bytes = 64 << 10;  // for a header and a wider format

// `raw` is empty for a file format that contains its dtype.
struct AnswerName {
    const char* name;
    std::optional<Element> raw;
};
constexpr std::array answer_names{
    AnswerName{"y.npy", std::nullopt},         AnswerName{"y.npz", std::nullopt},
    AnswerName{"y.safetensors", std::nullopt}, AnswerName{"y.f64", Element::float64},
    AnswerName{"y.f32", Element::float32},     AnswerName{"y.f16", Element::float16},
    AnswerName{"y.bf16", Element::bfloat16}};

std::string wanted(const Request& request) {
    return "it must hold floats " + shape_text(request.shape()) + ", a row for each of " +
           (request.form.is_raw ? "x.f32" : "x.npy");
}

// The only answer in the folder, of any file type.
const AnswerName& find_answer(const fs::path& folder, const Request& request) {
    const AnswerName* found = nullptr;
    for (const AnswerName& one : answer_names) {
        if (!fs::exists(fs::symlink_status(folder / one.name))) continue;
        if (found != nullptr)
            throw InputError(printable((folder / one.name).native()) + ": exists next to " +
                             found->name + "; write one of them");
        found = &one;
    }
    if (found == nullptr)
        throw InputError("the program wrote no " +
                         printable((folder / (request.form.is_raw ? "y.f32" : "y.npy")).native()) +
                         "; its last argument is the folder; " + wanted(request));
    return *found;
}

// Anything other than a regular file is an error of the program, not of the system.
FileBytes answer_bytes(const fs::path& path, const Request& request) {
    std::uint64_t limit = sizeof(double);
    for (const std::uint64_t length : request.shape()) limit *= length;
    try {
        return read_file(path, limit + header_bytes, Links::refused);
    } catch (const IoError& error) {
        std::error_code unknown;
        if (fs::is_regular_file(fs::symlink_status(path, unknown))) throw;
        throw InputError(std::string(error.what()) + "; write a regular file there");
    }
}

NamedArray raw_array(std::string name, const FileBytes& bytes, Element element,
                     const Request& request) {
    try {
        Array array = typed_array(bytes, {0, bytes.size(), 0}, request.shape(), element);
        array.owner = bytes.owner();
        return {std::move(name), std::move(array)};
    } catch (const ReadError& error) {
        throw InputError(name + ": " + error.what() + "; " + wanted(request));
    }
}

NamedArray load_answer(const fs::path& folder, const Request& request) {
    const AnswerName& found = find_answer(folder, request);
    const fs::path path = folder / found.name;
    FileBytes bytes = answer_bytes(path, request);
    if (found.raw) return raw_array(printable(path.native()), bytes, *found.raw, request);
    const std::uint64_t size = bytes.size();
    const TensorFile file = tensor_file_of(path, {std::move(bytes), size});
    return file.named_array(file.has("") ? "" : "y");
}

// The rows at the audit's positions; contiguous sequences have others in between.
StridedRows rows_at_places(const Array& y, const Request& request) {
    const std::uint32_t dimensions = request.audit.spec.head_dim;
    if (request.form.contiguous == 0) return {y.element, y.bytes, 0, dimensions, 1, y.owner};
    const std::size_t row_bytes = dimensions * bytes_of(y.element);
    const auto rows = std::make_shared<std::vector<std::byte>>(request.audit.rows() * row_bytes);
    std::byte* to = rows->data();
    for (std::uint64_t row = 0; row < request.audit.rows(); ++row, to += row_bytes)
        std::memcpy(to, y.bytes.data() + request.row_of(row) * row_bytes, row_bytes);
    return {y.element, *rows, 0, dimensions, 1, rows};
}

// The number of compared rows, and a line for each fault: its kind and, if it is of one, the
// argument.
void read_calls(const fs::path& path, Answers& answers) {
    // in the order of CallFault::Kind
    constexpr std::string_view kinds[] = {"state", "reused", "mixed", "ignored", "modified"};
    constexpr std::string_view subjects[] = {"",        "x",     "q",    "k",     "positions",
                                             "entries", "heads", "rows", "offset"};
    if (!fs::exists(fs::symlink_status(path))) return;
    const FileBytes bytes = read_file(path, header_bytes, Links::refused);
    for (const std::string_view line : split(as_text(bytes), "\n")) {
        std::vector<std::string_view> words = split(line, " ");
        words.resize(2);
        if (words[0] == "compared") {
            answers.compared_rows =
                parse_whole(printable(path.native()), std::string(words[1]), 1, max_context);
            continue;
        }
        const auto known = std::ranges::find(kinds, words[0]);
        if (known == std::end(kinds) || std::ranges::count(subjects, words[1]) == 0)
            throw InputError(printable(path.native()) + ": is not what rope-check's caller writes");
        answers.call_faults.push_back(
            {static_cast<CallFault::Kind>(known - std::begin(kinds)), std::string(words[1])});
    }
}

}  // namespace

Request read_request(const fs::path& folder) {
    const nlohmann::json json = read_json(folder / "spec.json");
    const auto refused = [&](const std::string& is) {
        return InputError(printable((folder / "spec.json").native()) + ": " + is +
                          "; write the request again");
    };
    std::optional<Request> request;
    try {
        request = request_of(json);
    } catch (const nlohmann::json::exception&) {
        throw refused("is not what `rope-check audit new` writes");
    }
    require_form(*request);
    const auto written = nlohmann::json::parse(request_json(*request));
    for (const auto& [key, value] : written.items())
        if (!json.contains(key) || json[key] != value)
            throw refused(key + " has changed since `rope-check audit new` wrote it");
    return *std::move(request);
}

Request Request::of_k() const {
    Request k = *this;
    k.audit.groups.heads = std::exchange(k.form.k_heads, 0);
    return k;
}

std::vector<std::uint64_t> Request::shape() const {
    if (form.contiguous == 0) return {audit.rows(), audit.spec.head_dim};
    return {vectors() + audit.sequences(), form.contiguous, audit.spec.head_dim};
}

std::uint64_t Request::row(std::uint64_t place, std::uint64_t vector) const {
    if (form.contiguous == 0) return place * vectors() + vector;
    return vector * form.contiguous +
           static_cast<std::uint64_t>(std::abs(audit.positions[0][place])) - form.offset;
}

std::uint64_t Request::row_of(std::uint64_t audited) const {
    if (form.contiguous == 0) return audited;
    const std::uint64_t place = audit.place_of(audited);
    if (audited < audit.matrix_rows()) return row(place, audited % vectors());
    return row(place, vectors() + (audited - audit.matrix_rows()) / audit.places());
}

void require_form(const Request& request) {
    const std::uint64_t heads = request.audit.groups.heads, k_heads = request.form.k_heads;
    if (k_heads > 0 && heads % k_heads != 0)
        throw InputError("--heads", ": " + decimal(heads) + " of q are no multiple of " +
                                        decimal(k_heads) + " of k");
    const std::uint64_t length = request.form.contiguous;
    if (length == 0) return;
    if (request.audit.groups.order != SequenceOrder::as_they_are && request.audit.sequences() > 0)
        throw InputError("--contiguous", ": sequences have their positions in order");
    if (request.audit.positions.size() > 1)
        throw InputError("--contiguous",
                         ": these positions have several axes; audit them row by row");
    for (double position : request.audit.positions[0]) {
        if (request.audit.is_backward) position = -position;
        const auto first = static_cast<double>(request.form.offset);
        if (position < first || position >= first + static_cast<double>(length) ||
            position != std::floor(position))
            throw InputError("--contiguous", ": position " + decimal(position) + " is none of " +
                                                 decimal(first) + " to " +
                                                 decimal(request.form.offset + length - 1));
    }
    const std::uint64_t row_bytes = (request.vectors() + request.audit.sequences()) *
                                    request.audit.spec.head_dim * sizeof(float);
    if (length > most_x_bytes / row_bytes)
        throw InputError("--contiguous", ": " + decimal(length) +
                                             " positions make x larger than 1 GiB; the limit is " +
                                             decimal(most_x_bytes / row_bytes));
}

void write_request(const fs::path& folder, const Request& request, TaskCount* bytes) {
    require_form(request);
    const bool is_raw = request.form.is_raw;
    write_array(folder, counted(x_array(request), bytes), is_raw);
    if (is_raw) write_file_atomically(folder / "shape.txt", join(request.shape(), {}, " ") + "\n");
    if (request.form.contiguous == 0) write_array(folder, positions_array(request), is_raw);
    write_file_atomically(folder / "spec.json", request_json(request));
    write_file_atomically(folder / "README.txt", audit_protocol(request));
    if (request.form.k_heads == 0) return;
    make_empty_folder(folder / k_folder);
    write_request(folder / k_folder, request.of_k(), bytes);
}

Answers read_answers(const fs::path& folder, Request request, std::string origin) {
    const NamedArray y = load_answer(folder, request);
    const auto format = y.array.format();
    if (!format || y.array.shape != request.shape())
        throw InputError(y.name + ": holds " + std::string(to_string(y.array.element)) + " " +
                         shape_text(y.array.shape) + "; " + wanted(request));
    const StridedRows rows = rows_at_places(y.array, request);
    const auto narrow = narrower_format(rows, request.audit.rows(), request.audit.spec.head_dim);
    Answers answers{std::move(request.audit), rows, narrow.value_or(*format), std::move(origin),
                    narrow ? format : std::nullopt};
    read_calls(folder / "calls.txt", answers);
    return answers;
}

}  // namespace rope::io
