#include "io/subject/identified.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/render/command_line.hpp"
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

Identity identity_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                           const std::vector<Spec>& known) {
    Identity found = identify_judged(dump.dump, known);
    if (found.fits || !std::holds_alternative<RotatedDump>(dump.dump)) return found;
    for (const std::uint32_t head_dim : usual_head_dims) {
        if (dump.lanes <= head_dim || dump.lanes % head_dim != 0) continue;
        DumpHints fused = hints;
        fused.head_dim = head_dim;
        for (NamedDump& other : load_dump(tensors, fused)) {
            if (other.name != dump.name) continue;
            Identity again = identify_judged(other.dump, known);
            if (!again.fits) continue;
            dump = std::move(other);
            return again;
        }
    }
    return found;
}

}  // namespace

Identified identified(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                      const KnownSpecs& known) {
    const Identity found = identity_in_heads(dump, tensors, hints, known.specs);
    if (found.is_open && axis_count(found.spec.axes) > 1)
        throw InputError(
            "no known parameters fit positions on " + decimal(axis_count(found.spec.axes)) +
            " axes; give the config, as in --config FILE, or its axes, as in --axis-map "
            "blocks --mrope-section 8,28,28");
    if (found.is_open)
        throw InputError(
            "no known parameters fit, and without rows at neighbouring positions the frequencies "
            "cannot be told; give the config, as in --config FILE or --base 500000");
    Identified one{
        {found.spec, {}, {}},
        found.fits ? identity_of(found, known)
                   : "no known parameters fit; judged as " + shell_words(spec_words(found.spec))};
    for (const char* field : {"head_dim", "rotary_dim", "layout", "rope_theta", "rope_type"})
        one.resolved.origins.push_back({field, "the dump"});
    return one;
}

}  // namespace rope::io
