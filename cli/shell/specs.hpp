// Arguments -> Specs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/resolve/resolved_model.hpp"
#include "plots/figures/subject.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope::cli {

// What --pipeline names. Throws InputError on any other name.
const Pipeline& pipeline_named(const std::string& name);

// One of several Specs: the arguments that name it alone, and what sets it apart.
struct OneOfSeveral {
    Arguments arguments;
    std::string label;
};

// A flag that is given n times makes n, one that is given once is for all of them. Throws
// InputError when two flags disagree about n.
std::vector<OneOfSeveral> one_by_one(const Arguments& arguments);

// Adds the model classes of --classes, before any config is read.
void use_classes(const Arguments& arguments);

// Says which known model or reading is nearest to one that is not known.
void refuse_unknown_names(const Arguments& arguments);

// Every Spec of the model that --config and the SPEC flags name.
io::ResolvedModel model_of(const Arguments& arguments);

// A path without its folders; of a config.json, which each model has, the folder that it is in.
std::string file_name(const std::string& path);

// The config's file name or the model's name; empty for flags alone.
std::string subject_name(const Arguments& arguments);

// One Spec from --config and the SPEC flags.
io::ResolvedSpec spec_of(const Arguments& arguments);

// Says what is suspicious in a config to stderr, where no report does.
void say_lint(const std::vector<io::Lint>& lint, const Arguments& arguments);

// Several: a flag that is given n times makes n Specs, one that is given once is for all of them.
//   --config a --config b             a, b
//   --config a --model m              a, m
//   --dim 64 --base 1e4 --base 5e5    d = 64 with base 10⁴, d = 64 with base 5·10⁵
// A model whose layers differ gives a Spec for each of their groups. Each is labelled by what sets
// it apart. Throws InputError when two flags disagree about n, or it is more than 256.
// Of two tables it is that of sequences of `context` positions, else of all that a model supports.
std::vector<plots::NamedSpec> specs_of(const Arguments& arguments,
                                       std::optional<std::uint64_t> context = {});

}  // namespace rope::cli
