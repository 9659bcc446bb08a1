#include "io/dump/dump_positions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "io/shape/position_axes.hpp"
#include "io/shape/position_ids.hpp"
#include "rope/number/element.hpp"

namespace rope::io {
namespace {

// [L] says of each batch entry what [B, L] says.
bool are_equal(const Array& a, const Array& b) {
    if (a.size() < b.size()) return are_equal(b, a);
    if (b.size() == 0 || a.size() % b.size() != 0) return a.size() == b.size();
    for (std::uint64_t k = 0; k < a.size(); ++k)
        if (a.at(k) != b.at(k % b.size())) return false;
    return true;
}

// A number beside the ids of a sequence is where this starts, or how long it is.
bool is_one_number(const Array& array, const Array& ids) {
    return array.size() == 1 && ids.size() > 1;
}

std::optional<Format> own_format(const Array& ids) {
    const auto format = ids.format();
    if (format != Format::float32 && format != Format::float64) return format;
    const std::uint64_t columns = ids.shape.empty() ? 1 : ids.shape.back();
    const StridedRows rows(ids.element, ids.bytes, 0, columns, 1, ids.owner);
    return narrower_format(rows, ids.size() / columns, columns);
}

std::optional<Assumption> rounded_positions(const NamedArray& ids) {
    if (ids.array.size() == 0) return std::nullopt;
    const auto format = own_format(ids.array);
    if (format != Format::float16 && format != Format::bfloat16) return std::nullopt;
    // of t bits, unit roundoff 2⁻ᵗ: 2ᵗ + 1 is the first whole number that is none of its own
    const double last = 1 / unit_roundoff(*format);
    bool repeats = false;
    std::set<double> distinct;
    for (std::uint64_t k = 0; k < ids.array.size(); ++k) {
        const double id = ids.array.at(k);
        distinct.insert(id);
        repeats = repeats || (k > 0 && id == ids.array.at(k - 1) && std::abs(id) >= last);
    }
    if (!repeats) return std::nullopt;
    return Assumption{
        "rounded_positions", decimal(distinct.size()) + " of " + decimal(ids.array.size()),
        ids.name + " holds " + std::string(to_string(*format)) +
            " numbers, which have no odd ones beyond " + decimal(last) + ": its " +
            decimal(ids.array.size()) + " ids are " + decimal(distinct.size()) +
            " positions, and rows are checked at these; save the ids as integers before they are "
            "rounded"};
}

}  // namespace

DumpPositions find_positions(DumpTensors& tensors) {
    DumpPositions found{tensors.named_positions(tensors.files().positions), {}};
    if (found.ids) return found;
    for (const std::string_view name : position_names) {
        std::optional<NamedArray> other = tensors.usual(name);
        if (!other) continue;
        if (!found.ids)
            found.ids = std::move(other);
        else if (!is_one_number(other->array, found.ids->array) &&
                 !are_equal(found.ids->array, other->array))
            found.differing.emplace_back(name);
    }
    return found;
}

void say_more_of(const DumpPositions& positions, std::vector<Assumption>& read_as) {
    const auto own = std::ranges::find(read_as, "positions", &Assumption::what);
    if (!positions.ids || own == read_as.end() || !own->from.starts_with(positions.ids->name))
        return;
    if (!positions.differing.empty())
        own->from += ", not " + join(positions.differing) + ", which differs";
    if (const auto rounded = rounded_positions(*positions.ids)) read_as.push_back(*rounded);
}

bool is_cache(const NamedArray& table, const NamedArray& positions, const DumpHints& asked) {
    if (table.name.ends_with("_cache") || table.name.ends_with("_cached")) return true;
    const std::vector<std::uint64_t>& shape = table.array.shape;
    if (shape.size() < 2) return false;
    const std::vector<std::uint64_t> axes(shape.begin(), shape.end() - 1);
    const NamedArray on_axis = positions_by_axis(positions, asked, axes).front();
    const std::vector<std::uint64_t>& ids = on_axis.array.shape;
    if (std::ranges::find(axes, ids.empty() ? 1 : ids.back()) != axes.end()) return false;
    const std::uint64_t rows = *std::ranges::max_element(axes);
    for (std::uint64_t k = 0; k < positions.array.size(); ++k)
        if (const double m = positions.array.at(k);
            !(m >= 0 && m < static_cast<double>(rows) && m == std::floor(m)))
            throw InputError(positions.name + ": value " + decimal(k) + " is " + decimal(m) + "; " +
                             table.name + ", shape " + shape_text(shape) +
                             ", has rows for positions 0 to " + decimal(rows - 1));
    return true;
}

}  // namespace rope::io
