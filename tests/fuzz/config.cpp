#include "tests/fuzz/models.hpp"

void rope::fuzz::try_input(Bytes input) {
    io::ResolvedModel model = io::resolve_model(file_of(text_of(input), "config.json"), {});
    for (const io::LayerGroup& group : model.groups)
        if (group.rotates) require_own_words(group.resolved.spec);
    explain_model(std::move(model));
}
