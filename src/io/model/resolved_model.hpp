// A model's config.json and the command line's flags -> Specs, with the origin of every field.
#pragma once

#include <array>
#include <filesystem>

#include "io/model/lint.hpp"
#include "io/model/spec_flags.hpp"
#include "rope/checks/report.hpp"
#include "rope/spec/readings.hpp"

namespace rope::io {

struct ResolvedSpec {
    Spec spec;                         // validated
    std::vector<Origin> origins;       // in Spec order; optional keys only if they are set
    std::vector<std::string> ignored;  // keys about rotary embeddings that nothing used
    std::vector<Lint> lint = {};       // the whole model's
    ConfigFacts facts = {};            // for other libraries' readings
    // The layers with q and k that do not rotate, "layers 3, 7, …, 35", where no flag chose layers.
    std::string still_layers = {};
};

// Throws InputError if checking so many positions takes minutes; `how` advises how to ask for
// them.
void require_brief(std::string_view what, std::uint64_t positions, std::uint32_t pairs,
                   std::string_view how);

// Layers that rotate alike: "all layers", "full_attention", "layers 0–2, 4–6"; layers that do not
// rotate are "NoPE: 3, 7", and their Spec means nothing.
struct LayerGroup {
    std::string layers;
    ResolvedSpec resolved;
    bool rotates = true;
    std::vector<std::string> names = {};      // the names of the layers that it joins, if several
    std::vector<std::uint32_t> numbers = {};  // its layers, ascending, where they are known
    std::string sequences = {};  // "short sequences", where long ones have another table

    // Returns the length of the sequences of its table, else all positions of the model.
    std::uint64_t context() const {
        return resolved.spec.seq_len.value_or(resolved.spec.max_position_embeddings);
    }
};

struct ResolvedModel {
    std::string origin;                // "config.json", "--model phi-2"; empty for only flags
    std::vector<LayerGroup> groups;    // every distinct Spec once, in the config's order
    std::vector<std::string> read;     // keys of the config that were used: "rope_scaling.factor"
    std::vector<std::string> ignored;  // keys about rotary embeddings that were not
    std::vector<Origin> defaulted;     // fields that nothing gives, and their values: "32"
    std::vector<Lint> lint;
    std::string permuted_architecture = {};  // ConfigFile's
};

// `config` is a config.json or the folder that holds one. Flags override the file; what neither
// gives is Spec's default, except that rotary_dim follows head_dim.
// The file's keys are read as transformers reads them. Throws InputError (naming file, key, value
// and what is accepted) or IoError.
ResolvedModel resolve_model(const std::optional<std::filesystem::path>& config,
                            std::span<const Flag> flags);

// Resolves a model that rotates in one way, or of which --layers picks one. Throws InputError
// naming the groups when there are several.
ResolvedSpec resolve_spec(const std::optional<std::filesystem::path>& config,
                          std::span<const Flag> flags);
ResolvedSpec only_rotation(const ResolvedModel& model);

// Chooses the table of a sequence of that length, if the Spec has two (short_length); `why` is
// seq_len's origin.
void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why);

// Chooses longrope's list that these inv_freq are nearer to, where the length is not known.
void choose_nearest_table(ResolvedSpec& resolved, const std::vector<double>& inv_freq);

// Splits each group of two tables into two groups, "short sequences" and "long sequences". The long
// ones have max_position_embeddings positions (longrope) or factor times as many (dynamic). With
// `common` lengths into one for each of these.
ResolvedModel with_both_tables(ResolvedModel model, std::span<const std::uint64_t> common = {});

// Splits two models at lengths that are common to both: if one uses its second table and the
// other does not, "sequences of" the latter's longest short one.
std::array<ResolvedModel, 2> with_common_tables(ResolvedModel a, ResolvedModel b);

}  // namespace rope::io
