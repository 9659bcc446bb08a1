// Keys that repeat what the rest of a config says.
#pragma once

#include <span>

#include "io/config/config_file.hpp"
#include "io/draft/spec_draft.hpp"

namespace rope::io {

// Notes those that agree with every draft, which the class reads from other keys; one that
// disagrees stays ignored. Requires drafts with their defaults.
void accept_repeated_keys(ConfigFile& file, std::span<const SpecDraft> drafts);

}  // namespace rope::io
