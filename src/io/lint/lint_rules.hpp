// The rules behind lint(): each a question to the keys as the file has them, or to the Spec that
// they make.
#pragma once

#include <optional>
#include <span>

#include "io/config/config_file.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/lint/lint.hpp"

namespace rope::io {

// The rows of data/lint.jsonl that hold.
std::vector<Lint> rows_that_hold(const ConfigFile& file, const LayerSection& layer);
std::vector<Lint> rows_that_hold(const SpecDraft& draft);

using KeyRule = std::optional<Lint> (*)(const ConfigFile& file, const LayerSection& layer);
std::span<const KeyRule> key_rules();

using ValueRule = std::optional<Lint> (*)(const SpecDraft& draft);
std::span<const ValueRule> value_rules();

}  // namespace rope::io
