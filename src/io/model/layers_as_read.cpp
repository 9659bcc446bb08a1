#include "io/model/layers_as_read.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace rope::io {
namespace {

// Whether these layers are others now. Drafts that are named by their numbers follow them.
bool renumber(SpecDraft& draft, const Reading& reading) {
    if (!draft.rotates || !draft.facts) return false;
    const auto layers = layers_as_read(reading, *draft.facts);
    if (!layers) return false;
    draft.numbers = *layers;
    if (draft.layers == "all layers" || draft.layers.starts_with("layers "))
        draft.layers = "layers " + ranges(draft.numbers);
    return true;
}

// Layers below `count` that no draft turns.
LayerNumbers unrotated(const std::vector<SpecDraft>& drafts, std::uint64_t count) {
    std::set<std::uint32_t> turned;
    for (const SpecDraft& draft : drafts)
        if (draft.rotates) turned.insert(draft.numbers.begin(), draft.numbers.end());
    LayerNumbers others;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!turned.contains(i)) others.push_back(i);
    return others;
}

}  // namespace

void move_layers(std::vector<SpecDraft>& drafts, const Reading& reading) {
    std::uint64_t count = 0;
    for (SpecDraft& draft : drafts)
        if (renumber(draft, reading)) count = draft.facts->layer_count;
    if (count == 0) return;
    const LayerNumbers others = unrotated(drafts, count);
    std::erase_if(drafts, [](const SpecDraft& draft) {
        return !draft.rotates || (draft.facts && draft.numbers.empty());
    });
    if (!others.empty())
        drafts.push_back(
            {.layers = "NoPE: " + ranges(others), .rotates = false, .numbers = others});
}

}  // namespace rope::io
