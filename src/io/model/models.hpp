// Configs of any format with the command line's flags, and the built-in ones; a Spec while it is
// being put together, each field with its origin.
#pragma once

#include <filesystem>

#include "io/config/config.hpp"
#include "io/model/spec_flags.hpp"
#include "rope/checks/report.hpp"

namespace rope::io {

// A built-in model of --model NAME, a row of data/models.jsonl.
struct Model {
    std::string name;    // "llama-3.1-8b"
    std::string source;  // of the config's values
    RowText row;         // with the "config"
};

std::span<const Model> models();

bool is_model(std::string_view name);
// "--model llama-3-8b" -> "llama-3-8b"; the name of a file is unchanged.
std::string config_name(std::string_view origin);

// Throws InputError naming the known models when the name is unknown.
const Model& find_model(std::string_view name);

// Adds rows as in data/classes.jsonl and data/architectures.jsonl, or replaces those of the same
// name. Throws InputError naming `file`, the line and the fault. Call it before any config is
// read.
void add_rows(std::string_view rows, const std::string& file);

struct SpecDraft {
    std::string layers = "all layers";
    bool rotates = true;
    std::vector<std::uint32_t> numbers = {};  // of the layers, where they are known
    std::string rope_path = {};  // "config.json: rope_scaling.", where a missing key belongs
    Spec spec = {};
    std::map<std::string_view, std::string> from = {};  // by field; absent fields have defaults
    std::optional<Found<double>> rotary_fraction = {};  // partial_rotary_factor
    bool has_null_factor = false;                       // yarn derives it then
    std::vector<std::uint64_t> mrope_section = {};  // a file's; resolve_defaults makes them axes
    bool mrope_interleaved = false;
    bool mrope_assumed = false;  // the class's sections: as many as there are pairs for
    // The origin of rotating the last dimensions of the head; empty: the first.
    std::optional<std::string> last_dimensions = {};
    std::optional<ConfigFacts> facts = {};  // a file's
};

// Returns every field that the file sets for these layers. The type and the base are not looked up
// in the file if flags give them. Throws InputError.
SpecDraft draft_from_config(ConfigFile& file, LayerSection& layer,
                            const std::optional<std::string>& given_type, bool has_base);

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

// Whether nothing gives the field, so that it has its default.
inline bool has_default(std::span<const Origin> origins, std::string_view field) {
    return std::ranges::any_of(origins, [&](const Origin& one) {
        return one.field == field && one.from == default_origin;
    });
}

// --layers names a layer that does not rotate.
struct UnrotatedLayer : InputError {
    using InputError::InputError;
};

// A config and the command line's flags as one draft per set of layers, not validated yet.
struct DraftedModel {
    std::optional<ConfigFile> file;  // a built-in model's config counts as a file
    std::vector<SpecDraft> drafts;   // one at least; every silent rule is applied
    const Reading* reading;          // --reading's, not applied yet
};

// `config`, --model and --layers choose the drafts, the other flags override their fields; a flag
// goes to the drafts whose rope_type uses it, and one at least must. Throws InputError or IoError.
DraftedModel draft_model(const std::optional<std::filesystem::path>& config,
                         std::span<const Flag> flags);

}  // namespace rope::io
