#include "io/subject/identified.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/render/command_line.hpp"
#include "rope/diagnose/identity/identify_axes.hpp"
#include "rope/diagnose/majority.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
namespace {

constexpr std::uint32_t usual_head_dims[] = {128, 64, 80, 96, 256, 112, 192, 72, 48, 32};

std::string identity_of(const Identity& found, const KnownSpecs& known) {
    constexpr std::size_t most = 3;
    std::string text = shell_words(spec_words(found.spec));
    if (const std::string names = models_of(found.spec, known); !names.empty())
        text += "; matches " + names;
    const std::span<const Spec> others(found.also);
    for (const Spec& other : others.first(std::min(most, others.size()))) {
        const std::string names = models_of(other, known);
        text += (&other == others.data() ? "; these values fit as well: " : "; ") +
                (names.empty() ? shell_words(spec_words(other)) : names);
    }
    return text + (others.size() > most ? "; …" : "");
}

// With the base, which was assumed like the rest, where it is the default.
std::string assumed_words(const Spec& spec) {
    const std::string words = shell_words(spec_words(spec));
    return spec.rope_theta == Spec{}.rope_theta ? words + " --base " + decimal(spec.rope_theta)
                                                : words;
}

std::string identity_of(const Majority& found, const KnownSpecs& known) {
    const auto count = [](std::size_t some, std::size_t all, const std::string& what) {
        return decimal(some) + " of the " + decimal(all) + " " + what;
    };
    std::string text = "no known parameters fit all of it; assumed, as nobody gave any: " +
                       assumed_words(found.spec) + ", by whose frequencies " +
                       count(found.pairs, found.of_pairs, "pairs that tell bases apart rotate");
    if (found.of_rows > 0) text += ", in " + count(found.rows, found.of_rows, "rows looked at");
    if (const std::string names = models_of(found.spec, known); !names.empty())
        text += "; matches " + names;
    return text;
}

std::string identity_by_default(const Spec& spec) {
    return "no known parameters fit; judged by defaults that nobody gave: " + assumed_words(spec);
}

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

// The vectors as fused heads of each usual width, until `is_it`, which is then the dump.
template <class IsIt>
void read_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                   const IsIt& is_it) {
    if (!std::holds_alternative<RotatedDump>(dump.dump)) return;
    for (const std::uint32_t head_dim : usual_head_dims) {
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

Identity identity_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                           const std::vector<Spec>& known) {
    Identity found = identify_judged(dump.dump, known);
    if (found.fits) return found;
    read_in_heads(dump, tensors, hints, [&](const Dump& fused) {
        Identity again = identify_judged(fused, known);
        if (again.fits) found = std::move(again);
        return found.fits;
    });
    return found;
}

// The first pairs of an interleaved head are those of a narrower one, by another base: of several
// axes it is one of heads only where most of them are.
bool may_be_fused(const Majority& found) {
    return axis_count(found.spec.axes) == 1 || 2 * found.rows > found.of_rows;
}

std::optional<Majority> majority_in_heads(NamedDump& dump, DumpTensors& tensors,
                                          const DumpHints& hints, const std::vector<Spec>& known) {
    std::optional<Majority> found = majority_of(dump.dump, known);
    if (!found)
        read_in_heads(dump, tensors, hints, [&](const Dump& fused) {
            found = majority_of(fused, known);
            if (found && !may_be_fused(*found)) found.reset();
            return found.has_value();
        });
    return found;
}

void refuse_open(const Identity& found) {
    if (!found.is_open) return;
    if (axis_count(found.spec.axes) > 1)
        throw InputError(
            "no known parameters fit positions on " + decimal(axis_count(found.spec.axes)) +
            " axes; give the config, as in --config FILE, or its axes, as in --axis-map "
            "blocks --mrope-section 8,28,28");
    throw InputError(
        "no known parameters fit, and without rows at neighbouring positions the frequencies "
        "cannot be told; give the config, as in --config FILE or --base 500000");
}

}  // namespace

Identified identified(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                      const KnownSpecs& known) {
    const Identity found = identity_in_heads(dump, tensors, hints, known.specs);
    Identified one{{found.spec, {}, {}}, ""};
    if (found.fits) {
        one.identity = identity_of(found, known);
    } else if (auto majority = majority_in_heads(dump, tensors, hints, known.specs)) {
        one.identity = identity_of(*majority, known);
        one.resolved.spec = std::move(majority->spec);
    } else {
        refuse_open(found);
        one.identity = identity_by_default(found.spec);
    }
    for (const char* field : {"head_dim", "rotary_dim", "layout", "rope_theta", "rope_type"})
        one.resolved.origins.push_back({field, "the dump"});
    return one;
}

}  // namespace rope::io
