// Which of a model's layers --layers means.
#pragma once

#include <vector>

#include "io/config/config_file.hpp"
#include "io/draft/spec_draft.hpp"
#include "io/draft/spec_flags.hpp"

namespace rope::io {

// Leaves the drafts that the flag picks: by a group's name, the start of one ("sliding"), or the
// number of a layer. Throws InputError naming what there is, where a layer does not rotate, and
// where the config does not say how that layer attends.
void keep_layers(const Flag& flag, ConfigFile* file, std::vector<SpecDraft>& drafts);

}  // namespace rope::io
