#include "io/subject/fused_heads.hpp"

#include <span>
#include <utility>

#include "base/error.hpp"
#include "rope/diagnose/identity/identify_axes.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
namespace {

constexpr std::uint32_t usual_head_dims[] = {128, 64, 80, 96, 256, 112, 192, 72, 48, 32};

// Nothing where their shape leaves open then which axis is the sequence.
std::vector<NamedDump> loaded_in_heads(DumpTensors& tensors, DumpHints hints,
                                       std::uint32_t head_dim) {
    hints.head_dim = head_dim;
    try {
        return load_dump(tensors, hints);
    } catch (const InputError&) {
        return {};
    }
}

// The vectors as fused heads of each width, until `is_it`, which is then the dump.
template <class IsIt>
void read_in_heads(std::span<const std::uint32_t> head_dims, NamedDump& dump, DumpTensors& tensors,
                   const DumpHints& hints, const IsIt& is_it) {
    if (!std::holds_alternative<RotatedDump>(dump.dump)) return;
    for (const std::uint32_t head_dim : head_dims) {
        if (dump.lanes <= head_dim || dump.lanes % head_dim != 0) continue;
        for (NamedDump& other : loaded_in_heads(tensors, hints, head_dim)) {
            // three fused heads have no row of position_ids each
            if (other.name != dump.name || axes_of(other.dump) != axes_of(dump.dump)) continue;
            if (!is_it(other.dump)) continue;
            dump = std::move(other);
            return;
        }
    }
}

// The first pairs of an interleaved head are those of a narrower one, by another base: of several
// axes it is one of heads only where most of them are.
bool may_be_fused(const Majority& found) {
    return axis_count(found.spec.axes) == 1 || 2 * found.rows > found.of_rows;
}

}  // namespace

Identity identity_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                           const std::vector<Spec>& known) {
    Identity found = identify_judged(dump.dump, known);
    if (found.fits) return found;
    read_in_heads(usual_head_dims, dump, tensors, hints, [&](const Dump& fused) {
        Identity again = identify_judged(fused, known);
        if (again.fits) found = std::move(again);
        return found.fits;
    });
    return found;
}

std::optional<Majority> majority_in_heads(NamedDump& dump, DumpTensors& tensors,
                                          const DumpHints& hints, const std::vector<Spec>& known) {
    std::optional<Majority> found = majority_of(dump.dump, known);
    if (!found)
        read_in_heads(usual_head_dims, dump, tensors, hints, [&](const Dump& fused) {
            found = majority_of(fused, known);
            if (found && !may_be_fused(*found)) found.reset();
            return found.has_value();
        });
    return found;
}

void read_in_heads_of(std::uint32_t head_dim, NamedDump& dump, DumpTensors& tensors,
                      const DumpHints& hints) {
    read_in_heads({&head_dim, 1}, dump, tensors, hints, [](const Dump&) { return true; });
}

}  // namespace rope::io
