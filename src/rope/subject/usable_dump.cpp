#include "rope/subject/usable_dump.hpp"

#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "rope/spec/axis.hpp"
#include "rope/subject/exactness.hpp"

namespace rope {
namespace {

// What rounding may be of a pair's norm for its angle to say anything.
constexpr double most_rounding = 0.1;

void require_room(const std::string& name, const StridedRows& values, std::size_t rows,
                  std::size_t width) {
    if (values.size() >= rows * width) return;
    throw InputError(name + " has " + decimal(values.size()) + " values; it must have " +
                     decimal(rows) + " rows of " + decimal(width));
}

void require_positions(const std::vector<double>& positions, std::size_t rows) {
    if (positions.empty()) throw InputError("positions are empty; at least one row is needed");
    if (positions.size() != rows)
        throw InputError("an axis has " + decimal(positions.size()) + " positions; there are " +
                         decimal(rows) + " rows");
    for (const double position : positions)
        if (!(std::abs(position) < static_cast<double>(max_context)))
            throw InputError("position", decimal(position), "between -2^32 and 2^32");
}

// What no row says anything of. θ_0 is 1 whatever the base.
std::string untested(const Spec& spec, std::span<const std::uint32_t> untold) {
    if (untold.empty()) return "";
    const std::vector<std::uint32_t> pairs(untold.begin(), untold.end());
    const bool only_first = pairs.size() + 1 == spec.pairs() && pairs.front() == 1;
    return std::string("; ") + (pairs.size() == 1 ? "pair " : "pairs ") + ranges(pairs, 4) +
           " in every row that turns, so that " +
           (pairs.size() == 1 ? "its frequency was" : "their frequencies were") + " not tested" +
           (only_first ? ", nor rope_theta, nor a scaling that leaves pair 0 as it is" : "");
}

template <class Dump>
void require_axes(const Spec& spec, const Dump& dump) {
    require_positions(dump.positions, dump.positions.size());
    for (const auto& positions : dump.more_positions)
        require_positions(positions, dump.positions.size());
    const std::size_t axes = dump.more_positions.size() + 1;
    if (axes != 1 && axes != axis_count(spec.axes))
        throw InputError("positions have " + decimal(axes) + " axes; the Spec has " +
                         decimal(axis_count(spec.axes)));
}

}  // namespace

void require_usable(const Spec& spec, const TableDump& dump) {
    require_axes(spec, dump);
    if (dump.pairs != spec.pairs())
        throw InputError("the table has " + decimal(dump.pairs) + " pairs; rotary_dim " +
                         decimal(spec.rotary_dim) + " needs " + decimal(spec.pairs()));
    require_room("cos", dump.cos, dump.positions.size(), dump.pairs);
    require_room("sin", dump.sin, dump.positions.size(), dump.pairs);
}

void require_usable(const Spec& spec, const RotatedDump& dump) {
    require_axes(spec, dump);
    require_room("q", dump.before, dump.positions.size(), spec.head_dim);
    require_room("q_rot", dump.after, dump.positions.size(), spec.head_dim);
}

double rounding_of_small_vectors(const RotatedDump& dump, double coarseness) {
    const double rounding = coarseness * rotation_rounding(dump.format, 1);
    if (coarseness > 1 && rounding > most_rounding)
        throw InputError(dump.origin + ": every value is so small that " +
                         std::string(to_string(dump.format)) + " rounds it by " +
                         decimal(std::round(100 * rounding)) +
                         " % or more; scale q up before it is rotated");
    return rounding;
}

std::vector<std::string> notes_on(const Spec& spec, const RotatedDump& dump, double coarseness,
                                  std::uint64_t left_out, std::span<const std::uint32_t> untold) {
    std::vector<std::string> notes;
    const std::string format(to_string(dump.format));
    if (dump.stored_in)
        notes.push_back(note_on_narrow_values("rotated", dump.format, *dump.stored_in));
    const std::uint64_t pairs = dump.positions.size() * spec.pairs();
    if (left_out == pairs)
        throw InputError(dump.origin +
                         ": vectors are zero in every pair; a rotation has no effect on them");
    if (coarseness > 1)
        notes.push_back("every value is so small that " + format +
                        " is subnormal: its roundings, " + decimal(std::ceil(coarseness)) +
                        " times as large in proportion, are allowed");
    if (left_out > 0)
        notes.push_back("vectors are zero, or too small for " + format + ", in " +
                        decimal(left_out) + " of " + decimal(pairs) +
                        " pairs: these were left out" + untested(spec, untold));
    return notes;
}

}  // namespace rope
