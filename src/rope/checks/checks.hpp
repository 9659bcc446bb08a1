// The entry point of every check; each is defined in the file of its name.
#pragma once

#include <memory>

#include "rope/comparison/check.hpp"

namespace rope {

std::unique_ptr<RowCheck> make_table_accuracy(const Trial& trial, PairRange pairs);
std::unique_ptr<RowCheck> make_identity_at_zero(const Trial& trial, PairRange pairs);
std::unique_ptr<RowCheck> make_orthogonality(const Trial& trial, PairRange pairs);
std::unique_ptr<RowCheck> make_relative_position(const Trial& trial, PairRange pairs);

void check_linearity(const Trial& trial, const Answers& answers, Finding& finding);
void check_structure(const Trial& trial, const Answers& answers, Finding& finding);

void probe_score_accuracy(const Trial& trial, const Probe& probe, Finding& finding);
void probe_pair_norm(const Trial& trial, const Probe& probe, Finding& finding);
void probe_self_inner_product(const Trial& trial, const Probe& probe, Finding& finding);
void probe_composition(const Trial& trial, const Probe& probe, Finding& finding);
void probe_pass_through(const Trial& trial, const Probe& probe, Finding& finding);

}  // namespace rope
