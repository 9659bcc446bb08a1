// The entry point of every claim; each is defined in the file of its name.
#pragma once

#include <cstdint>
#include <optional>

#include "rope/comparison/check.hpp"

namespace rope {

// How far claims are searched: the context, and at least 8·max_position_embeddings.
std::uint64_t search_limit(const Trial& trial);

// The first s at which a curve that should fall does not.
struct Rise {
    std::optional<std::uint64_t> first;  // empty: none was found
    double before = 0, at = 0;           // the curve at first − 1 and at first
};
// The verdict over [0, context], and the rise as witness.
void report_rise(const Trial& trial, const Rise& rise, Finding& finding);

void settle_c3_literal(const Trial& trial, Finding& finding);          // R0
void settle_c3_angle(const Trial& trial, Finding& finding);            // R1
void settle_c3_cosine(const Trial& trial, Finding& finding);           // R2
void settle_c3_modulus(const Trial& trial, Finding& finding);          // R3
void settle_c3_weighted_cosine(const Trial& trial, Finding& finding);  // R4
void settle_score_decay(const Trial& trial, Finding& finding);         // R5
void settle_roformer_decay(const Trial& trial, Finding& finding);      // R6

}  // namespace rope
