#include "io/export/emulated_table.hpp"

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::io {
namespace {

std::vector<std::uint64_t> whole_positions(const std::vector<double>& positions) {
    std::vector<std::uint64_t> whole;
    for (const double m : positions) {
        if (m < 0 || m != std::trunc(m))
            throw InputError("--pipeline: position " + decimal(m) +
                             " is not one that it computes: they are whole, from 0");
        whole.push_back(static_cast<std::uint64_t>(m));
    }
    return whole;
}

}  // namespace

GoldenVectors emulated_table(const ExportRequest& request) {
    if (request.positions.size() > 1)
        throw InputError("--pipeline: it computes rows of one position; leave out --grid");
    if (request.layout == CacheLayout::angles)
        throw InputError(
            "--pipeline: it has cosines and sines, no angles; choose another "
            "--cache-layout");
    const std::vector<std::uint64_t> positions = whole_positions(request.positions.front());
    const std::uint32_t pairs = request.spec.pairs();
    const auto source =
        emulate(request.spec, *request.pipeline, 1 + *std::ranges::max_element(positions));
    GoldenVectors emulated;
    emulated.format = request.format;
    const FrequencyPlan plan = plan_frequencies(request.spec, exact_precision);
    emulated.attention_factor = plan.attention_factor;
    for (std::uint32_t i = 0; i < pairs; ++i)
        emulated.inv_freq.push_back(source->effective_inv_freq() != nullptr
                                        ? (*source->effective_inv_freq())[i].to_double()
                                        : plan.pairs[i].inv_freq.to_double());
    RotaryTable& table = emulated.table;
    table = {positions, pairs, {}, {}};
    table.cos.resize(positions.size() * pairs);
    table.sin.resize(table.cos.size());
    const auto reader = source->read({0, pairs});
    for (std::size_t r = 0; r < positions.size(); r += tile_rows) {
        const std::size_t rows = std::min(tile_rows, positions.size() - r);
        reader->fill(std::span(positions).subspan(r, rows), &table.cos[r * pairs],
                     &table.sin[r * pairs]);
    }
    return emulated;
}

}  // namespace rope::io
