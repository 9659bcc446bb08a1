#include "io/export/streamed_export.hpp"

#include <algorithm>

#include "io/tensor/writers/npy.hpp"
#include "io/tensor/writers/safetensors.hpp"

namespace rope::io {
namespace {

constexpr std::uint64_t values_at_a_time = std::uint64_t{1} << 18;

std::uint64_t rows_of(const ExportRequest& request) { return request.positions.front().size(); }

ExportRequest part_of(const ExportRequest& whole, std::uint64_t first, std::uint64_t rows) {
    ExportRequest part{.spec = whole.spec,
                       .positions = {},
                       .format = whole.format,
                       .layout = whole.layout,
                       .seed = std::nullopt,
                       .q = std::nullopt,
                       .pipeline = whole.pipeline};
    for (const std::vector<double>& axis : whole.positions) {
        const auto from = axis.begin() + static_cast<std::ptrdiff_t>(first);
        part.positions.emplace_back(from, from + static_cast<std::ptrdiff_t>(rows));
    }
    return part;
}

std::string_view bytes_in(const WrittenArray& array) {
    return {reinterpret_cast<const char*>(array.array.bytes.data()), array.array.bytes.size()};
}

// What an array of so many rows is, without the rows of those that have them.
std::vector<WrittenArray> heads_of(const ExportRequest& request) {
    std::vector<WrittenArray> heads = export_arrays(part_of(request, 0, 1));
    heads.front() = position_ids(request.positions);
    for (WrittenArray& head : heads)
        if (is_table(head.name)) {
            head.array.shape.front() = rows_of(request);
            head.array.bytes = {};
        }
    return heads;
}

void stream_array(const WrittenArray& head, const ExportRequest& request, const Sink& write) {
    if (!is_table(head.name)) return write(bytes_in(head));
    const std::uint64_t all = rows_of(request);
    const std::uint64_t rows = std::max<std::uint64_t>(1, values_at_a_time / request.spec.head_dim);
    for (std::uint64_t first = 0; first < all; first += rows) {
        const auto part = export_arrays(part_of(request, first, std::min(rows, all - first)));
        write(bytes_in(*std::ranges::find(part, head.name, &WrittenArray::name)));
    }
}

}  // namespace

bool is_streamed(std::string_view format, const ExportRequest& request) {
    return !request.seed && !request.q && (format == "npy" || format == "safetensors");
}

void stream_export(std::string_view format, const ExportRequest& request, std::string_view tensor,
                   const Sink& write) {
    const std::vector<WrittenArray> heads = heads_of(request);
    if (format == "npy") {
        const WrittenArray& head = array_named(heads, tensor);
        write(npy_header(head));
        return stream_array(head, request, write);
    }
    refuse_tensor(tensor);
    write(safetensors_header(heads, export_metadata(request)));
    for (const WrittenArray* head : safetensors_order(heads)) stream_array(*head, request, write);
}

}  // namespace rope::io
