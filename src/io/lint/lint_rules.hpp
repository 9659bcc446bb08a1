// The rules behind lint(): each a question to the keys as the file has them, or to the Spec that
// they make.
#pragma once

#include <optional>
#include <span>

#include "io/config/config_file.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/lint/lint.hpp"

namespace rope::io {

// Keys that are doubled, contradictory, missing or in the wrong place.
using KeyRule = std::optional<Lint> (*)(const ConfigFile& file, const LayerSection& layer);
std::span<const KeyRule> key_rules();
std::optional<Lint> unread_length(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> unread_base(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> long_context_base(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> top_base_of_mimo(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> fraction_of_mimo(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> pattern_of_mimo(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> unread_time_pairs(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> layer_list_length(const ConfigFile& file, const LayerSection& layer);
std::optional<Lint> uneven_heads(const ConfigFile& file, const LayerSection& layer);

// Values that are out of range or do not go together.
using ValueRule = std::optional<Lint> (*)(const SpecDraft& draft);
std::span<const ValueRule> value_rules();

}  // namespace rope::io
