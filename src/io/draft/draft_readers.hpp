// The parts of a config, each read into the draft. They throw InputError.
#pragma once

#include <optional>
#include <string_view>

#include "io/draft/spec_draft.hpp"

namespace rope::io {

// Puts a value into the draft, if there is one, and notes its origin.
template <typename Field, typename T>
bool set(SpecDraft& draft, Field& field, std::string_view name,
         const std::optional<Found<T>>& found) {
    if (!found) return false;
    field = static_cast<Field>(found->value);
    draft.from[name] = found->from;
    return true;
}

// The file's own value, else the one that the model's class assumes.
template <typename Read>
auto own_or_assumed(ConfigFile& file, Read read) {
    auto found = read(file.model);
    return found ? found : read(file.defaults);
}

// Zamba2's use_long_context, where it is true.
std::optional<Found<bool>> long_context(ConfigFile& file);

// head_dim, the lanes of it that rotate, and how they pair.
void read_lanes(SpecDraft& draft, ConfigFile& file, LayerSection& layer);
void read_rope_theta(SpecDraft& draft, ConfigFile& file, LayerSection& layer, bool is_given);
// rope_type and the keys that it uses.
void read_scaling(SpecDraft& draft, ConfigFile& file, LayerSection& layer,
                  const std::optional<std::string>& given_type);

// What the section's type asks for, where its rope_type says otherwise. Marks no key as read.
void add_older_type(ConfigFacts& facts, ConfigFile& file, const LayerSection& layer);

}  // namespace rope::io
