// A config and the command line's flags -> one draft per set of layers, not validated yet.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "io/draft/spec_draft.hpp"
#include "io/draft/spec_flags.hpp"

namespace rope::io {

struct DraftedModel {
    std::optional<ConfigFile> file;  // --model's observations count as a file
    std::vector<SpecDraft> drafts;   // one at least; every silent rule is applied
    const Reading* reading;          // --reading, applied to none of them yet
};

// `config`, --model and --layers choose the drafts, the other flags override their fields; a flag
// goes to the drafts whose rope_type uses it, and one at least must. Throws InputError or IoError.
DraftedModel draft_model(const std::optional<std::filesystem::path>& config,
                         std::span<const Flag> flags);

}  // namespace rope::io
