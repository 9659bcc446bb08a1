#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "io/audit/request.hpp"
#include "io/file/file_descriptor.hpp"
#include "io/file/read_file.hpp"
#include "io/shape/position_ids.hpp"
#include "io/tensor/readers/array.hpp"
#include "io/tensor/tensor_file.hpp"
#include "rope/number/element.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

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
        throw InputError("there is no " +
                         printable((folder / (request.form.is_raw ? "y.f32" : "y.npy")).native()) +
                         "; " + wanted(request));
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
    const std::uint32_t lanes = request.audit.spec.head_dim;
    if (request.form.contiguous == 0) return {y.element, y.bytes, 0, lanes, 1, y.owner};
    const std::size_t row_bytes = lanes * bytes_of(y.element);
    const auto rows = std::make_shared<std::vector<std::byte>>(request.audit.rows() * row_bytes);
    std::byte* to = rows->data();
    for (std::uint64_t row = 0; row < request.audit.rows(); ++row, to += row_bytes)
        std::memcpy(to, y.bytes.data() + request.row_of(row) * row_bytes, row_bytes);
    return {y.element, *rows, 0, lanes, 1, rows};
}

// A line for each fault: its kind and, if it is of one, the argument.
std::vector<CallFault> read_call_faults(const fs::path& path) {
    using enum CallFault::Kind;
    constexpr std::pair<std::string_view, CallFault::Kind> kinds[] = {
        {"state", state}, {"reused", reused}, {"ignored", ignored}, {"modified", modified}};
    std::vector<CallFault> faults;
    if (!fs::exists(fs::symlink_status(path))) return faults;
    const FileBytes bytes = read_file(path, header_bytes, Links::refused);
    std::istringstream lines(
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind, of;
        words >> kind >> of;
        const auto known =
            std::ranges::find(kinds, kind, [](const auto& one) { return one.first; });
        if (known == std::end(kinds) ||
            !(of.empty() || of == "x" || of == "q" || of == "k" || of == "positions"))
            throw InputError(printable(path.native()) + ": is not what rope-check's caller writes");
        faults.push_back({known->second, of});
    }
    return faults;
}

}  // namespace

Answers read_answers(const fs::path& folder, Request request, std::string origin) {
    const NamedArray y = load_answer(folder, request);
    const auto format = y.array.format();
    if (!format || y.array.shape != request.shape())
        throw InputError(y.name + ": holds " + std::string(to_string(y.array.element)) + " " +
                         shape_text(y.array.shape) + "; " + wanted(request));
    const StridedRows rows = rows_at_places(y.array, request);
    const auto narrow = narrower_format(rows, request.audit.rows(), request.audit.spec.head_dim);
    return {std::move(request.audit),       rows,
            narrow.value_or(*format),       std::move(origin),
            narrow ? format : std::nullopt, read_call_faults(folder / "calls.txt")};
}

}  // namespace rope::io
