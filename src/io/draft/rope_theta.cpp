#include "io/config/config_facts.hpp"
#include "io/draft/draft_readers.hpp"

namespace rope::io {
namespace {

// As Step-3.5 has, whose class reads it (config_layers.cpp).
bool is_list_of_bases(const ConfigFile& file, bool is_given) {
    if (!file.model.holds_list("rope_theta")) return false;
    if (is_given) return true;
    throw InputError(file.model.origin("rope_theta") +
                     " is a list, a base for each layer, which is not read; give the base of the "
                     "layer to check with --base, and which it is with --layers");
}

}  // namespace

void read_rope_theta(SpecDraft& draft, ConfigFile& file, LayerSection& layer, bool is_given) {
    double& base = draft.spec.rope_theta;
    if (set(draft, base, "rope_theta", layer.base)) {
        layer.rope.mark_read({"rope_theta"});  // which the list overrules
        return;
    }
    if (set(draft, base, "rope_theta", layer.rope.real({"rope_theta"}))) return;
    const auto top = [&](ConfigSection& section) {
        return layer.local
                   ? section.real({"rope_local_base_freq", "local_rope_theta", "rope_local_theta"})
                   : section.real({"rope_theta", "rotary_emb_base", "rotary_embedding_base",
                                   "global_rope_theta", "rope_embedding_base"});
    };
    if (is_list_of_bases(file, is_given)) {
        file.model.mark_read({"rope_theta"});
        return;
    }
    if (const auto key = file.defaults.text({"base_key"});  // LFM2's theta
        key && set(draft, base, "rope_theta", file.model.real({key->value})))
        return;
    if (set(draft, base, "rope_theta", top(file.model))) return;
    if (set(draft, base, "rope_theta", file.attention.real({"rope_theta"}))) return;
    // ChatGLM: base = 10000 · rope_ratio
    if (set(draft, base, "rope_theta", file.model.real({"rope_ratio"}))) base *= 10000;
    if (draft.from.contains("rope_theta")) return;
    if (set(draft, base, "rope_theta", file.defaults.real({default_theta}))) return;
    set(draft, base, "rope_theta", top(file.defaults));
}

}  // namespace rope::io
