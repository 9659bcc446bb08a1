// A Spec while it is being put together, each field with where it came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/config/config_file.hpp"
#include "io/config/config_section.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

struct SpecDraft {
    std::string layers = "all layers";
    bool rotates = true;
    std::vector<std::uint32_t> numbers = {};  // of the layers, where they are known
    std::string rope_path = {};  // "config.json: rope_scaling.", where a missing key belongs
    Spec spec = {};
    std::map<std::string_view, std::string> from = {};  // by field; what is absent is the default
    std::optional<Found<double>> rotary_fraction = {};  // partial_rotary_factor
    bool has_null_factor = false;                       // yarn derives it then
    std::vector<std::uint64_t> mrope_section = {};  // of a file; resolve_defaults makes them axes
    bool mrope_interleaved = false;
    bool mrope_assumed = false;                  // the class's: as many as there are pairs for
    std::optional<std::string> last_lanes = {};  // who rotates the end of the head; else its start
    bool is_two_dimensional = false;             // ChatGLM-6B
    std::optional<ConfigFacts> facts = {};       // of a file
};

// What overrides the file's own, and is not looked up there.
struct GivenByFlags {
    std::optional<std::string> rope_type;
    bool base = false;
};

// The name that rope_types go by here: su is longrope, deepseek_yarn and telechat3-yarn yarn, mrope
// and llm-foundry's no_scaling default.
std::string canonical_rope_type(std::string_view rope_type);

// Every field that the file sets for these layers. Throws InputError.
SpecDraft draft_from_config(ConfigFile& file, LayerSection& layer, const GivenByFlags& given);

}  // namespace rope::io
