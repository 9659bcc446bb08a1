#include <memory>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/export/export.hpp"
#include "io/export/table_arrays.hpp"
#include "io/tensor/writers/row_array.hpp"
#include "rope/exact/phase.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope::io {
namespace {

using Golden = std::shared_ptr<GoldenRows>;

// [L], or [axes, L]
WrittenArray position_ids(const RowPositions& positions) {
    const std::uint64_t length = positions.rows();
    std::vector<std::uint64_t> shape{length};
    if (positions.axes() > 1) shape.insert(shape.begin(), positions.axes());
    const bool whole = !positions.first_not_whole(-static_cast<double>(max_context));
    const auto flat = [=](std::uint64_t first, std::uint64_t count) {
        std::vector<double> values;
        for (std::uint64_t at = first, some = 0; at < first + count; at += some) {
            some = std::min(length - at % length, first + count - at);
            const std::vector<double> axis = positions.at(at % length, some)[at / length];
            values.insert(values.end(), axis.begin(), axis.end());
        }
        return values;
    };
    return row_array("position_ids", whole ? Element::int64 : Element::float64, std::move(shape), 1,
                     flat);
}

// What the rows of `x` become at their positions.
Rows rotated(const ExportRequest& request, const Golden& golden, Rows x) {
    return [golden, positions = request.positions, x = std::move(x)](std::uint64_t first,
                                                                     std::uint64_t count) {
        return golden->rotated(positions.at(first, count), x(first, count));
    };
}

Rows random_rows(std::uint64_t seed, std::uint64_t width, Format format) {
    return [=](std::uint64_t first, std::uint64_t count) {
        return golden_normals(seed, first * width, count * width, format);
    };
}

Rows rows_of(const Array& array) {
    return [array, width = array.shape.back()](std::uint64_t first, std::uint64_t count) {
        std::vector<double> values(count * width);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = array.at(first * width + k);
        return values;
    };
}

void add_vectors(const ExportRequest& request, const Golden& golden,
                 std::vector<WrittenArray>& arrays) {
    const std::uint64_t width = request.spec.head_dim;
    std::vector<std::uint64_t> shape{request.positions.rows(), width};
    std::vector<std::pair<std::string, Rows>> vectors;
    if (request.q) {
        shape = request.q->shape;
        vectors = {{"q", rows_of(*request.q)}};
    } else if (request.seed) {
        vectors = {{"q", random_rows(*request.seed, width, request.format)},
                   {"k", random_rows(~*request.seed, width, request.format)}};
    }
    const Element element = element_of(request.format);
    for (const auto& [name, x] : vectors)
        arrays.push_back(row_array(name, element, shape, width, x));
    for (const auto& [name, x] : vectors)
        arrays.push_back(
            row_array(name + "_rot", element, shape, width, rotated(request, golden, x)));
}

void refuse_layout(const ExportRequest& request) {
    const bool is_half = request.format == Format::bfloat16 || request.format == Format::float16;
    if (request.layout == CacheLayout::complex && is_half)
        throw InputError("--dtype", ": complex numbers have parts of float32 or float64, not " +
                                        std::string(to_string(request.format)));
}

void refuse_misfit(const ExportRequest& request) {
    const Array& q = *request.q;
    const std::uint64_t rows = q.shape[q.shape.size() - 2];
    if (rows != request.positions.rows())
        throw InputError("--q", ": it has " + decimal(rows) + " rows for " +
                                    decimal(request.positions.rows()) +
                                    " positions; give as many of both");
    for (std::uint64_t i = 0; i < q.size(); ++i)
        if (const double x = q.at(i); round_to(request.format, x) != x)
            throw InputError("--q", ": " + decimal(x) + " is no " +
                                        std::string(to_string(request.format)) +
                                        "; --dtype must hold every value");
}

}  // namespace

std::vector<WrittenArray> export_arrays(const ExportRequest& request) {
    if (request.q) refuse_misfit(request);
    refuse_layout(request);
    const auto golden = std::make_shared<GoldenRows>(request.spec, request.format);
    std::vector<WrittenArray> arrays{position_ids(request.positions)};
    for (WrittenArray& array : table_arrays(request, golden)) arrays.push_back(std::move(array));
    add_vectors(request, golden, arrays);
    return arrays;
}

}  // namespace rope::io
