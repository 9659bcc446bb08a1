#include "cli/command/identifying.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "io/model/models.hpp"
#include "io/render/command_line.hpp"
#include "rope/session/session.hpp"

namespace rope::cli {

KnownSpecs known_specs() {
    KnownSpecs known;
    for (const io::Model& model : io::models()) {
        const io::Flag flag{"--model", std::string(model.name)};
        for (const io::LayerGroup& group : io::resolve_model(std::nullopt, {&flag, 1}).groups)
            if (group.rotates) {
                known.specs.push_back(group.resolved.spec);
                known.models.push_back(model.name);
            }
    }
    return known;
}

namespace {

// "llama-3-8b, llama-3-70b"; empty where no built-in model rotates so.
std::string models_of(const Spec& spec, const KnownSpecs& known) {
    std::string names;
    int count = 0;
    for (std::size_t k = 0; k < known.specs.size(); ++k) {
        const Spec& other = known.specs[k];
        if (!rotate_alike(other, spec) || ++count > 4) continue;
        names += (names.empty() ? "" : ", ") + std::string(known.models[k]);
    }
    if (count > 4) names += ", …";
    return names;
}

std::string identity_of(const Identity& found, const KnownSpecs& known) {
    constexpr std::size_t most = 3;
    std::string text = io::shell_words(io::spec_words(found.spec));
    if (const std::string names = models_of(found.spec, known); !names.empty())
        text += "; matches " + names;
    const std::span<const Spec> others(found.also);
    for (const Spec& other : others.first(std::min(most, others.size()))) {
        const std::string names = models_of(other, known);
        text += (&other == others.data() ? "; these values fit as well: " : "; ") +
                (names.empty() ? io::shell_words(io::spec_words(other)) : names);
    }
    return text + (others.size() > most ? "; …" : "");
}

}  // namespace

Identified identified(const Dump& dump, const KnownSpecs& known) {
    const Identity found = identify_judged(dump, known.specs);
    Identified one{{found.spec, {}, {}},
                   found.fits ? identity_of(found, known)
                              : "no known parameters fit; judged as " +
                                    io::shell_words(io::spec_words(found.spec)),
                   found.fits,
                   found.is_open};
    for (const char* field : {"head_dim", "rotary_dim", "layout", "rope_theta", "rope_type"})
        one.resolved.origins.push_back({field, "the dump"});
    return one;
}

namespace {

Identified in_heads(io::NamedDump& dump, io::DumpTensors& tensors, const io::DumpHints& hints,
                    const KnownSpecs& known) {
    Identified found = identified(dump.dump, known);
    if (found.fits || !std::holds_alternative<RotatedDump>(dump.dump)) return found;
    for (const std::uint32_t head_dim : {128, 64, 80, 96, 256, 112, 192, 72, 48, 32}) {
        if (dump.lanes <= head_dim || dump.lanes % head_dim != 0) continue;
        io::DumpHints fused = hints;
        fused.head_dim = head_dim;
        for (io::NamedDump& other : load_dump(tensors, fused)) {
            if (other.name != dump.name) continue;
            Identified again = identified(other.dump, known);
            if (!again.fits) continue;
            dump = std::move(other);
            return again;
        }
    }
    return found;
}

}  // namespace

Identified identified_in_heads(io::NamedDump& dump, io::DumpTensors& tensors,
                               const io::DumpHints& hints, const KnownSpecs& known) {
    Identified found = in_heads(dump, tensors, hints, known);
    if (found.is_open)
        throw InputError(
            "no known parameters fit, and without rows at neighbouring positions the frequencies "
            "cannot be told; give the config, as in --config FILE or --base 500000");
    return found;
}

}  // namespace rope::cli
