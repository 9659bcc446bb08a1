// The arrays of an export: rotated vectors, and tables as an implementation computes them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/export/export.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/exact/phase.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope::io {
namespace {

// Returns `count` rows from `first` on.
using TableRows = std::function<RotaryTable(std::uint64_t first, std::uint64_t count)>;

struct EmulatedTable {
    TableRows rows;
    std::optional<std::vector<double>> inv_freq;  // if they differ from the Spec's
};

void refuse_what_is_not_emulated(const ExportRequest& request) {
    if (request.positions.axes() > 1)
        throw InputError("--pipeline", ": it computes rows of one position; give no HxW positions");
    if (request.layout == CacheLayout::angles)
        throw InputError("--pipeline",
                         ": it has cosines and sines, no angles; choose another "
                         "--cache-layout");
    if (const auto position = request.positions.first_not_whole(0))
        throw InputError("--pipeline", ": position " + decimal(*position) +
                                           " is not one that it computes: they are whole, from 0");
}

RotaryTable table_of(RowReader& reader, const std::vector<double>& positions, std::uint32_t pairs) {
    RotaryTable table{{positions.begin(), positions.end()}, pairs, {}, {}};
    table.cos.resize(positions.size() * pairs);
    table.sin.resize(table.cos.size());
    for (std::size_t r = 0; r < positions.size(); r += tile_rows) {
        const std::size_t rows = std::min(tile_rows, positions.size() - r);
        reader.fill(std::span(table.positions).subspan(r, rows), &table.cos[r * pairs],
                    &table.sin[r * pairs]);
    }
    return table;
}

// The table of request.pipeline. Throws InputError unless positions are whole and ≥ 0.
EmulatedTable emulated_table(const ExportRequest& request) {
    refuse_what_is_not_emulated(request);
    const std::shared_ptr<const RowSource> source =
        emulate(request.spec, *request.pipeline, request.positions.context());
    const std::uint32_t pairs = request.spec.pairs();
    EmulatedTable emulated;
    if (const auto* own = source->effective_inv_freq()) {
        emulated.inv_freq.emplace();
        for (const BigReal& inv_freq : *own) emulated.inv_freq->push_back(inv_freq.to_double());
    }
    emulated.rows = [source, reader = std::shared_ptr<RowReader>(source->read({0, pairs})),
                     positions = request.positions,
                     pairs](std::uint64_t first, std::uint64_t count) {
        return table_of(*reader, positions.at(first, count).front(), pairs);
    };
    return emulated;
}

// f0 f1 … g0 g1 … per row.
std::vector<double> joined(const std::vector<double>& f, const std::vector<double>& g,
                           std::uint32_t pairs) {
    std::vector<double> both;
    both.reserve(2 * f.size());
    for (std::size_t at = 0; at < f.size(); at += pairs) {
        const auto from = static_cast<std::ptrdiff_t>(at), to = from + pairs;
        both.insert(both.end(), f.begin() + from, f.begin() + to);
        both.insert(both.end(), g.begin() + from, g.begin() + to);
    }
    return both;
}

// f0 g0 f1 g1 …
std::vector<double> alternating(const std::vector<double>& f, const std::vector<double>& g) {
    std::vector<double> both;
    both.reserve(2 * f.size());
    for (std::size_t k = 0; k < f.size(); ++k) {
        both.push_back(f[k]);
        both.push_back(g[k]);
    }
    return both;
}

// ((c, −s), (s, c)) per pair.
std::vector<double> matrices(const RotaryTable& table) {
    std::vector<double> all;
    all.reserve(4 * table.cos.size());
    for (std::size_t k = 0; k < table.cos.size(); ++k)
        all.insert(all.end(), {table.cos[k], -table.sin[k], table.sin[k], table.cos[k]});
    return all;
}

using Shape = std::vector<std::uint64_t>;

// The arrays of one table in the requested layout.
struct Layout {
    const ExportRequest& request;
    TableRows table_rows;
    std::vector<WrittenArray> arrays = {};

    void add(std::string name, Shape shape, std::vector<double> (*arranged)(const RotaryTable&)) {
        const std::uint64_t pairs = request.spec.pairs();
        const std::uint64_t width = request.layout == CacheLayout::half       ? pairs
                                    : request.layout == CacheLayout::matrices ? 4 * pairs
                                                                              : 2 * pairs;
        arrays.push_back(
            row_array(std::move(name), element_of(request.format), std::move(shape), width,
                      [at = table_rows, arranged](std::uint64_t first, std::uint64_t count) {
                          return arranged(at(first, count));
                      }));
    }

    void add_angles(const std::shared_ptr<GoldenRows>& golden) {
        const std::uint32_t pairs = request.spec.pairs();
        const std::uint64_t width = 2 * std::uint64_t{pairs};
        arrays.push_back(row_array(
            "angles", element_of(request.format), {request.positions.rows(), 1, 1, width}, width,
            [golden, positions = request.positions, pairs](std::uint64_t first,
                                                           std::uint64_t count) {
                const auto angles = golden->angles(positions.at(first, count));
                return joined(angles, angles, pairs);
            }));
    }

    void add_tables(const std::shared_ptr<GoldenRows>& golden) {
        const std::uint64_t rows = request.positions.rows(), pairs = request.spec.pairs();
        using Table = const RotaryTable&;
        const Shape wide{rows, 2 * pairs}, paired{rows, pairs, 2};
        switch (request.layout) {
            case CacheLayout::duplicated:
                add("cos", wide, [](Table t) { return joined(t.cos, t.cos, t.pairs); });
                return add("sin", wide, [](Table t) { return joined(t.sin, t.sin, t.pairs); });
            case CacheLayout::repeated:
                add("cos", wide, [](Table t) { return alternating(t.cos, t.cos); });
                return add("sin", wide, [](Table t) { return alternating(t.sin, t.sin); });
            case CacheLayout::half:
                add("cos", {rows, pairs}, [](Table t) { return t.cos; });
                return add("sin", {rows, pairs}, [](Table t) { return t.sin; });
            case CacheLayout::cos_sin:
                return add("cos_sin", wide, [](Table t) { return joined(t.cos, t.sin, t.pairs); });
            case CacheLayout::sin_cos:
                return add("sin_cos", wide, [](Table t) { return joined(t.sin, t.cos, t.pairs); });
            case CacheLayout::stacked:
                return add("cos_sin", paired, [](Table t) { return alternating(t.cos, t.sin); });
            case CacheLayout::complex:
                add("freqs_cis", paired, [](Table t) { return alternating(t.cos, t.sin); });
                arrays.back().is_complex = true;
                return;
            case CacheLayout::ggml:
                return add("cos_sin", wide, [](Table t) { return alternating(t.cos, t.sin); });
            case CacheLayout::matrices:
                return add("freqs_cis", {rows, pairs, 2, 2}, matrices);
            case CacheLayout::angles:
                return add_angles(golden);
        }
    }
};

// inv_freq as float64 and float32, and the table. Throws InputError if request.pipeline does not
// compute it.
std::vector<WrittenArray> table_arrays(const ExportRequest& request,
                                       const std::shared_ptr<GoldenRows>& golden) {
    EmulatedTable table;
    if (request.pipeline != nullptr)
        table = emulated_table(request);
    else
        table.rows = [golden, positions = request.positions](std::uint64_t first,
                                                             std::uint64_t count) {
            return golden->table(positions.at(first, count));
        };
    const std::vector<double> inv_freq = table.inv_freq.value_or(golden->inv_freq());
    Layout layout{request, table.rows};
    for (const auto& [name, element] :
         {std::pair("inv_freq", Element::float64), std::pair("inv_freq_float32", Element::float32)})
        layout.arrays.push_back({name, encoded(element, {inv_freq.size()}, inv_freq)});
    layout.add_tables(golden);
    return std::move(layout.arrays);
}

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

// The rows of `x` rotated to their positions.
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
