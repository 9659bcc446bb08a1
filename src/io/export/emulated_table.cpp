#include "io/export/emulated_table.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "rope/subject/emulate.hpp"

namespace rope::io {
namespace {

void refuse_what_is_not_emulated(const ExportRequest& request) {
    if (request.positions.axes() > 1)
        throw InputError("--pipeline", ": it computes rows of one position; leave out --grid");
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

}  // namespace

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

}  // namespace rope::io
