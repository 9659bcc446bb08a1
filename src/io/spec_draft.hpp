// A Spec while it is being put together, each field with where it came from.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/config_file.hpp"
#include "io/config_section.hpp"
#include "rope/spec.hpp"

namespace rope::io {

struct SpecDraft {
    Spec spec;
    std::map<std::string_view, std::string> from;  // by field name; what is absent is the default
    std::optional<Found<double>> rotary_fraction;  // partial_rotary_factor
};

// The optional keys that a rope_type uses; the others are nothing to it.
std::span<const std::string_view> scaling_keys(std::string_view rope_type);

// Every field that the file sets. `rope_type` overrides the file's own. Throws InputError.
SpecDraft draft_from_config(ConfigFile& file, std::optional<std::string> rope_type);

}  // namespace rope::io
