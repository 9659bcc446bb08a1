// The entry point of every claim; each is defined in the file of its name.
#pragma once

#include "rope/check.hpp"

namespace rope {

// How far claims are searched: the context, and at least 8·max_position_embeddings.
std::uint64_t search_limit(const Trial& trial);

void settle_c3_literal(const Trial& trial, Finding& finding);          // R0
void settle_c3_angle(const Trial& trial, Finding& finding);            // R1
void settle_c3_cosine(const Trial& trial, Finding& finding);           // R2
void settle_c3_modulus(const Trial& trial, Finding& finding);          // R3
void settle_c3_weighted_cosine(const Trial& trial, Finding& finding);  // R4
void settle_score_decay(const Trial& trial, Finding& finding);         // R5
void settle_roformer_decay(const Trial& trial, Finding& finding);      // R6

}  // namespace rope
