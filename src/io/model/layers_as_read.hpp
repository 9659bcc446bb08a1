// Which layers turn by which draft, as a library other than transformers 5 decides it.
#pragma once

#include <vector>

#include "io/draft/spec_draft.hpp"

namespace rope::io {

// Moves layers between the drafts where the reading has rules for that; layers that none of them
// turns any longer are NoPE. Changes nothing else of the drafts.
void move_layers(std::vector<SpecDraft>& drafts, const Reading& reading);

}  // namespace rope::io
