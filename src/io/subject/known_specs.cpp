#include "io/subject/known_specs.hpp"

#include "io/model/models.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/diagnose/diagnosis.hpp"

namespace rope::io {

KnownSpecs known_specs() {
    KnownSpecs known;
    for (const Model& model : models()) {
        const Flag flag{"--model", std::string(model.name)};
        for (const LayerGroup& group : resolve_model(std::nullopt, {&flag, 1}).groups)
            if (group.rotates) {
                known.specs.push_back(group.resolved.spec);
                known.models.push_back(model.name);
            }
    }
    return known;
}

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

}  // namespace rope::io
