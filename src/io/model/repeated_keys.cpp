#include "io/model/repeated_keys.hpp"

#include <algorithm>

namespace rope::io {
namespace {

struct RepeatedKey {
    const char* name;
    bool (*agrees)(ConfigSection& model, const char* name, const Spec& spec);
};

// GPT-J's, of mesh-transformer-jax.
bool rotates(ConfigSection& model, const char* name, const Spec&) {
    return model.boolean(name)->value;
}

// Bamba's; vllm/model_executor/models/bamba.py looks there behind partial_rotary_factor.
bool is_rotary_dim(ConfigSection& model, const char* name, const Spec& spec) {
    return model.whole({name}, 0, max_head_dim)->value == spec.rotary_dim;
}

// Minitron's, of NeMo, beside partial_rotary_factor.
bool is_fraction(ConfigSection& model, const char* name, const Spec& spec) {
    return model.real({name})->value * spec.head_dim == spec.rotary_dim;
}

// GLM-5's, whose class always does so.
bool is_interleaved_to_half_split(ConfigSection& model, const char* name, const Spec& spec) {
    return model.boolean(name)->value && spec.layout == PairLayout::interleaved_to_half_split;
}

constexpr RepeatedKey keys[] = {{"rotary", rotates},
                                {"attn_rotary_emb", is_rotary_dim},
                                {"rope_percent", is_fraction},
                                {"rope_interleave", is_interleaved_to_half_split}};

bool agrees_with(const ConfigFile& file, const RepeatedKey& key, const SpecDraft& draft) {
    ConfigSection model = file.model;  // a copy, which notes what is read
    try {
        return !draft.rotates || key.agrees(model, key.name, draft.spec);
    } catch (const InputError&) {  // another kind of value
        return false;
    }
}

}  // namespace

void accept_repeated_keys(ConfigFile& file, std::span<const SpecDraft> drafts) {
    for (const RepeatedKey& key : keys)
        if (file.model.has(key.name) && std::ranges::all_of(drafts, [&](const SpecDraft& draft) {
                return agrees_with(file, key, draft);
            }))
            file.repeated.emplace_back(key.name);
}

}  // namespace rope::io
