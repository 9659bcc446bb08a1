// Another library's reading of a config.
#pragma once

#include "io/draft/spec_draft.hpp"

namespace rope::io {

// What libraries look at beside the Spec; a length given by a flag counts for every one of them.
ConfigFacts facts_of(const SpecDraft& draft);

// Changes the Spec to that of the reading, and says of each field that changed where it came from:
// "--reading vllm". Throws InputError where the library does not read it. Requires a valid Spec.
void apply_reading(SpecDraft& draft, const Reading& reading);

}  // namespace rope::io
