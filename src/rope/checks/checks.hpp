// The entry point of every check; each is defined in the file of its name.
#pragma once

#include <memory>

#include "rope/comparison/check.hpp"

namespace rope {

std::unique_ptr<RowCheck> make_table_accuracy(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_max_error(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_identity_at_zero(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_orthogonality(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_inverse(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_relative_position(const Comparison& comparison, PairRange pairs);

void check_linearity(const Comparison& comparison, const Answers& answers, Finding& finding);
void check_structure(const Comparison& comparison, const Answers& answers, Finding& finding);

void check_score_accuracy(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_pair_norm(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_self_inner_product(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_composition(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_turn_rate(const Comparison& comparison, const Sample& sample, Finding& finding);
// The same of a dump in 16 bits that has no rows of its own; `table`: comparison/turn_rates.hpp.
void judge_turn_rate(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     Finding& finding);
void check_pass_through(const Comparison& comparison, const Sample& sample, Finding& finding);

}  // namespace rope
