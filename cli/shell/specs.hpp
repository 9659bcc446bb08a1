// Specs from arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/model/resolved_model.hpp"
#include "plots/figures/subject.hpp"
#include "rope/rows/pipeline.hpp"

namespace rope::cli {

// Returns the pipeline of that name. Throws InputError if there is none.
const Pipeline& pipeline_named(const std::string& name);

// The arguments of one of several Specs, and a label that distinguishes it.
struct OneOfSeveral {
    Arguments arguments;
    std::string label;
};

// Splits arguments into Specs: a flag given n times makes n, a flag given once applies to all.
// Throws InputError if two flags have different n > 1.
std::vector<OneOfSeveral> one_by_one(const Arguments& arguments);

// Whether a config flag is given several times, or several configs are.
bool names_several(const Arguments& arguments);

// Adds the model classes of --classes. Must precede the reading of configs.
void use_classes(const Arguments& arguments);

// Throws InputError for an unknown model or reading, with the nearest known one.
void refuse_unknown_names(const Arguments& arguments);

// Returns every Spec of the model of --config and the config flags.
io::ResolvedModel model_of(const Arguments& arguments);

// Returns a path without its folders; for config.json and params.json the name of the folder.
std::string file_name(const std::string& path);

// Returns the words that name the config, as typed: "config.json --layers 5".
std::vector<std::string> config_words(const Arguments& arguments);

// Returns the name of the config's file or of the model; empty for flags only.
std::string subject_name(const Arguments& arguments);

// Returns one Spec of --config and the config flags.
io::ResolvedSpec spec_of(const Arguments& arguments);

// Prints the warnings about a config to stderr, for commands without a report.
void say_lint(const std::vector<io::Lint>& lint, const Arguments& arguments);

// Returns several Specs. A flag given n times makes n Specs, a flag given once applies to all:
//   --config a --config b             a, b
//   --config a --model m              a, m
//   --dim 64 --base 1e4 --base 5e5    d = 64 with base 10⁴, d = 64 with base 5·10⁵
// A model with differing layers gives a Spec per group. Labels distinguish the Specs. Throws
// InputError if two flags have different n > 1. Of two tables, the one
// for sequences of `context` positions is taken; default: all positions that the model supports.
std::vector<plots::NamedSpec> specs_of(const Arguments& arguments,
                                       std::optional<std::uint64_t> context = {});

}  // namespace rope::cli
