#include "io/export/table_arrays.hpp"

#include <string>
#include <utility>

#include "io/export/emulated_table.hpp"
#include "io/tensor/writers/row_array.hpp"

namespace rope::io {
namespace {

// f0 f1 … g0 g1 … of each row.
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

// ((c, −s), (s, c)) of each pair.
std::vector<double> matrices(const RotaryTable& table) {
    std::vector<double> all;
    all.reserve(4 * table.cos.size());
    for (std::size_t k = 0; k < table.cos.size(); ++k)
        all.insert(all.end(), {table.cos[k], -table.sin[k], table.sin[k], table.cos[k]});
    return all;
}

using Shape = std::vector<std::uint64_t>;

// The arrays of one table.
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

}  // namespace

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

}  // namespace rope::io
