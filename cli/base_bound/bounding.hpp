// What base-bound asks of a config.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "cli/shell/arguments.hpp"
#include "io/file/task_log.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/spec/spec.hpp"

namespace rope::cli {

// The Spec whose B(s) is asked about. Throws InputError where its axes make a distance several.
Spec spec_to_judge(const Arguments& arguments);

// The Spec whose base is to be bounded. Throws InputError where scaling changes what a base means.
Spec spec_to_bound(const Arguments& arguments);

// Whether this SPEC flag was typed, by any of its names.
bool asks_for(const Arguments& arguments, std::string_view spec_flag);

// Throws InputError naming a SPEC flag on which B(s) does not depend.
void refuse_idle(const Arguments& arguments, const Spec& spec);

PairCounts pairs_to_bound(const Spec& spec);

// --resume FILE: what finished tasks found is kept there, and not searched for again. None where it
// was not asked for, and on all ranks but the first.
Option resume_option();
std::unique_ptr<io::FileTaskLog> log_of(const Arguments& arguments, PairCounts pairs,
                                        std::uint64_t context);

// --context, else the Spec's max_position_embeddings
std::uint64_t context_to_bound(const Arguments& arguments, const Spec& spec);

}  // namespace rope::cli
