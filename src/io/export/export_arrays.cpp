#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "io/export/emulated_table.hpp"
#include "io/export/export.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope::io {
namespace {

// Of one array.
constexpr std::uint64_t most_values = std::uint64_t{1} << 24;
constexpr std::uint64_t most_vector_values = std::uint64_t{1} << 22;

std::uint64_t rows_of(const ExportRequest& request) { return request.positions.front().size(); }

void refuse_too_much(const ExportRequest& request) {
    const std::uint64_t values = rows_of(request) * std::uint64_t{request.spec.head_dim};
    const std::uint64_t most = request.seed ? most_vector_values : most_values;
    if (values <= most) return;
    throw InputError("--positions: " + decimal(rows_of(request)) + " positions of " +
                     decimal(request.spec.head_dim) + " lanes make " + decimal(values) +
                     " values per array; the limit is " + decimal(most) +
                     (request.seed
                          ? ", and with --tables-only there is none in an .npy or .safetensors"
                          : "; an .npy or .safetensors has none"));
}

// Arrays of one element over the rows of a table.
struct TableWriter {
    const ExportRequest& request;
    const RotaryTable& table;
    std::vector<WrittenArray> arrays = {};

    std::uint64_t rows() const { return rows_of(request); }
    std::uint64_t pairs() const { return table.pairs; }

    void add(std::string name, std::vector<std::uint64_t> shape, const std::vector<double>& values,
             bool is_complex = false) {
        arrays.push_back({std::move(name),
                          encoded(element_of(request.format), std::move(shape), values),
                          is_complex});
    }

    // Every row of `x` twice, one behind the other; then that of `y` in the place of the second.
    std::vector<double> joined(const std::vector<double>& x, const std::vector<double>& y) const {
        std::vector<double> both;
        both.reserve(2 * x.size());
        for (std::size_t at = 0; at < x.size(); at += table.pairs) {
            const auto from = static_cast<std::ptrdiff_t>(at), to = from + table.pairs;
            both.insert(both.end(), x.begin() + from, x.begin() + to);
            both.insert(both.end(), y.begin() + from, y.begin() + to);
        }
        return both;
    }

    // x0 y0 x1 y1 …
    static std::vector<double> alternating(const std::vector<double>& x,
                                           const std::vector<double>& y) {
        std::vector<double> both;
        both.reserve(2 * x.size());
        for (std::size_t k = 0; k < x.size(); ++k) {
            both.push_back(x[k]);
            both.push_back(y[k]);
        }
        return both;
    }

    void add_table() {
        const std::vector<double>&cos = table.cos, &sin = table.sin;
        const std::vector<std::uint64_t> wide{rows(), 2 * pairs()}, paired{rows(), pairs(), 2};
        switch (request.layout) {
            case CacheLayout::duplicated:
                add("cos", wide, joined(cos, cos));
                return add("sin", wide, joined(sin, sin));
            case CacheLayout::repeated:
                add("cos", wide, alternating(cos, cos));
                return add("sin", wide, alternating(sin, sin));
            case CacheLayout::half:
                add("cos", {rows(), pairs()}, cos);
                return add("sin", {rows(), pairs()}, sin);
            case CacheLayout::cos_sin:
                return add("cos_sin", wide, joined(cos, sin));
            case CacheLayout::sin_cos:
                return add("sin_cos", wide, joined(sin, cos));
            case CacheLayout::stacked:
                return add("cos_sin", paired, alternating(cos, sin));
            case CacheLayout::complex:
                return add("freqs_cis", paired, alternating(cos, sin), true);
            case CacheLayout::ggml:
                return add("cos_sin", wide, alternating(cos, sin));
            case CacheLayout::angles: {
                const auto angles = golden_angles(request.spec, request.positions, request.format);
                return add("angles", {rows(), 1, 1, 2 * pairs()}, joined(angles, angles));
            }
        }
    }
};

void refuse_layout(const ExportRequest& request) {
    const bool is_half = request.format == Format::bfloat16 || request.format == Format::float16;
    if (request.layout == CacheLayout::complex && is_half)
        throw InputError("--dtype: complex numbers have parts of float32 or float64, not " +
                         std::string(to_string(request.format)));
}

// A list for each row of the given vectors: every […, positions] anew.
PositionsByAxis positions_of_rows(const ExportRequest& request) {
    const std::uint64_t rows = request.q->values.size() / request.spec.head_dim;
    PositionsByAxis positions(request.positions.size());
    for (std::size_t axis = 0; axis < positions.size(); ++axis)
        for (std::uint64_t r = 0; r < rows; ++r)
            positions[axis].push_back(request.positions[axis][r % rows_of(request)]);
    return positions;
}

void refuse_misfit(const ExportRequest& request) {
    const GivenVectors& q = *request.q;
    const std::uint64_t rows = q.shape[q.shape.size() - 2];
    if (rows != rows_of(request))
        throw InputError("--q: it has " + decimal(rows) + " rows for " + decimal(rows_of(request)) +
                         " positions; give as many of both");
    if (q.values.size() > most_values)
        throw InputError("--q: it has " + decimal(q.values.size()) + " values; the limit is " +
                         decimal(most_values));
    for (const double x : q.values)
        if (round_to(request.format, x) != x)
            throw InputError("--q: " + decimal(x) + " is no " +
                             std::string(to_string(request.format)) +
                             "; --dtype must hold every value");
}

}  // namespace

WrittenArray position_ids(const PositionsByAxis& positions) {
    std::vector<std::uint64_t> shape{positions.front().size()};
    if (positions.size() > 1) shape.insert(shape.begin(), positions.size());
    std::vector<double> values;
    for (const std::vector<double>& axis : positions)
        values.insert(values.end(), axis.begin(), axis.end());
    return {"position_ids", encoded_positions(std::move(shape), values)};
}

bool is_table(std::string_view array) {
    return array != "position_ids" && !array.starts_with("inv_freq");
}

std::vector<WrittenArray> export_arrays(const ExportRequest& request) {
    if (request.q) refuse_misfit(request);
    refuse_too_much(request);
    refuse_layout(request);
    const GoldenVectors golden =
        request.pipeline != nullptr
            ? emulated_table(request)
            : golden_vectors_at(request.spec, request.positions, request.format, request.seed);
    TableWriter writer{request, golden.table};
    writer.arrays.push_back(position_ids(request.positions));
    writer.arrays.push_back(
        {"inv_freq", encoded(Element::float64, {writer.pairs()}, golden.inv_freq)});
    writer.arrays.push_back(
        {"inv_freq_float32", encoded(Element::float32, {writer.pairs()}, golden.inv_freq)});
    writer.add_table();
    const std::vector<std::uint64_t> shape{writer.rows(), request.spec.head_dim};
    for (const auto& [name, values] :
         {std::pair("q", &golden.q), std::pair("k", &golden.k), std::pair("q_rot", &golden.q_rot),
          std::pair("k_rot", &golden.k_rot)})
        if (request.seed) writer.add(name, shape, *values);
    if (request.q) {
        writer.add("q", request.q->shape, request.q->values);
        writer.add("q_rot", request.q->shape,
                   golden_rotation(request.spec, positions_of_rows(request), request.format,
                                   request.q->values));
    }
    return std::move(writer.arrays);
}

}  // namespace rope::io
