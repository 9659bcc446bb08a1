// A Spec while it is being put together, each field with where it came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/config/config.hpp"
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
    std::vector<std::uint64_t> mrope_section = {};  // a file's; resolve_defaults makes them axes
    bool mrope_interleaved = false;
    bool mrope_assumed = false;  // the class's sections: as many as there are pairs for
    // The origin of rotating the last dimensions of the head; empty: the first.
    std::optional<std::string> last_lanes = {};
    std::optional<ConfigFacts> facts = {};  // a file's
};

// Fields that a flag gives, and that are not looked up in the file.
struct GivenByFlags {
    std::optional<std::string> rope_type;
    bool base = false;
};

// Returns the name of a rope_type here: su is longrope, deepseek_yarn and telechat3-yarn yarn,
// mrope and llm-foundry's no_scaling default.
std::string canonical_rope_type(std::string_view rope_type);

// Returns every field that the file sets for these layers. Throws InputError.
SpecDraft draft_from_config(ConfigFile& file, LayerSection& layer, const GivenByFlags& given);

// Applies the silent rules of transformers to what config and flags left open:
//   rotary_dim = int(head_dim · partial_rotary_factor), truncated as Python's int; proportional
//                keeps the fraction as a key and rotates the whole head
//   original_max_position_embeddings of a file's llama3, yarn or longrope is else
//                max_position_embeddings
//   factor       of a file's yarn, where it is null: max/original_max_position_embeddings
// Throws InputError when two keys contradict each other.
void resolve_defaults(SpecDraft& draft, bool has_file);

// Returns the origin that a report prints for a field: "--dim", "config.json: head_dim", "default".
std::string origin_of(const SpecDraft& draft, std::string_view field);
inline constexpr std::string_view default_origin = "default";

}  // namespace rope::io
