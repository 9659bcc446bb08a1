#include "cli/command/identifying.hpp"

#include "io/model/models.hpp"
#include "io/render/command_line.hpp"

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

// Context and sequence length are no part of a rotation.
bool rotates_alike(Spec model, const Spec& spec) {
    model.max_position_embeddings = spec.max_position_embeddings;
    model.seq_len = spec.seq_len;
    return model == spec;
}

std::string identity_of(const Spec& spec, const KnownSpecs& known) {
    std::string names;
    int count = 0;
    for (std::size_t k = 0; k < known.specs.size(); ++k) {
        const Spec& other = known.specs[k];
        if (!rotates_alike(other, spec) || ++count > 4) continue;
        names += (names.empty() ? "" : ", ") + std::string(known.models[k]);
    }
    if (count > 4) names += ", …";
    return io::shell_words(io::spec_words(spec)) + (names.empty() ? "" : "; matches " + names);
}

}  // namespace

Identified identified(const Dump& dump, const KnownSpecs& known) {
    const Identity found = identify(dump, known.specs);
    Identified one{{found.spec, {}, {}},
                   found.fits ? identity_of(found.spec, known)
                              : "no known parameters fit; judged as " +
                                    io::shell_words(io::spec_words(found.spec)),
                   found.fits};
    for (const char* field : {"head_dim", "rotary_dim", "layout", "rope_theta", "rope_type"})
        one.resolved.origins.push_back({field, "the dump"});
    return one;
}

Identified identified_in_heads(io::NamedDump& dump, io::DumpTensors& tensors,
                               const io::DumpHints& hints, const KnownSpecs& known) {
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

}  // namespace rope::cli
