#include "io/subject/fused_heads.hpp"

#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
namespace {

constexpr std::uint32_t usual_head_dims[] = {128, 64, 80, 96, 256, 112, 192, 72, 48, 32};

// The vectors as `hints` have them; nothing where their shape leaves open then which axis is the
// sequence.
std::optional<NamedDump> loaded(const std::string& name, DumpTensors& tensors,
                                const DumpHints& hints) {
    try {
        for (NamedDump& other : load_dump(tensors, hints))
            if (other.name == name) return std::move(other);
    } catch (const InputError&) {
    }
    return std::nullopt;
}

// The vectors as fused heads of each width, until `is_it`, which is then the dump.
template <class IsIt>
void read_in_heads(std::span<const std::uint32_t> head_dims, NamedDump& dump, DumpTensors& tensors,
                   DumpHints hints, const IsIt& is_it) {
    if (!std::holds_alternative<RotatedDump>(dump.dump)) return;
    for (const std::uint32_t head_dim : head_dims) {
        if (dump.lanes <= head_dim || dump.lanes % head_dim != 0) continue;
        hints.head_dim = head_dim;
        auto other = loaded(dump.name, tensors, hints);
        // three fused heads have no row of position_ids each
        if (!other || axes_of(other->dump) != axes_of(dump.dump) || !is_it(other->dump)) continue;
        dump = std::move(*other);
        return;
    }
}

// Those of two to four heads, of [heads, L] rows, at positions on as many axes, which look like
// those of a batch.
std::optional<NamedDump> read_on_axes(const NamedDump& dump, DumpTensors& tensors,
                                      DumpHints hints) {
    if (!std::holds_alternative<RotatedDump>(dump.dump) || axes_of(dump.dump) > 1)
        return std::nullopt;
    hints.has_no_batch = true;
    auto other = loaded(dump.name, tensors, hints);
    return other && axes_of(other->dump) > 1 ? std::move(other) : std::nullopt;
}

// The first pairs of an interleaved head are those of a narrower one, by another base: of several
// axes it is one of heads only where most of them are.
bool may_be_fused(const Majority& found) {
    return axis_count(found.spec.axes) == 1 || 2 * found.rows > found.of_rows;
}

// In no smaller a part of its rows.
bool has_more(const Majority& one, const Majority& other) {
    return one.rows * other.of_rows >= other.rows * one.of_rows;
}

}  // namespace

Identity identity_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                           const std::vector<Spec>& known) {
    Identity found = identify_judged(dump.dump, known);
    if (found.fits) return found;
    if (auto other = read_on_axes(dump, tensors, hints))
        if (Identity again = identify_judged(other->dump, known); again.fits) {
            dump = std::move(*other);
            return again;
        }
    read_in_heads(usual_head_dims, dump, tensors, hints, [&](const Dump& fused) {
        // on several axes what its samples fit is found far sooner than that nothing does
        if (axes_of(fused) > 1 && !identify(fused, known).fits) return false;
        Identity again = identify_judged(fused, known);
        if (again.fits) found = std::move(again);
        return found.fits;
    });
    return found;
}

std::optional<Majority> majority_in_heads(NamedDump& dump, DumpTensors& tensors,
                                          const DumpHints& hints, const std::vector<Spec>& known) {
    std::optional<Majority> found = majority_of(dump.dump, known);
    if (auto other = read_on_axes(dump, tensors, hints))
        if (auto again = majority_of(other->dump, known);
            again && !(found && has_more(*found, *again))) {
            dump = std::move(*other);
            return again;
        }
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
