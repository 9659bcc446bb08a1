// The entry point of every claim; each is defined in the file of its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rope/comparison/check.hpp"

namespace rope {

// Positions times pairs to which claims are searched beyond the context: ten seconds. A position
// takes as long as 16 pairs of it, at least.
inline constexpr std::uint64_t most_searched = std::uint64_t{1} << 33;

// How far claims are searched: the context, and 8·max_position_embeddings within most_searched.
std::uint64_t search_limit(const Comparison& comparison);

// The fields of a claim's search: the first s at which something happens, and how far was searched.
Field first_event(const char* event, const std::optional<std::uint64_t>& s);
Field searched_to(std::uint64_t last);

// "-0.653644 at s = 4, after -0.989992 at s = 3": how a value that should fall or grow does not.
std::string step_in_words(double before, double at, std::uint64_t s);

// The first s at which a curve that should fall rises.
struct Rise {
    std::optional<std::uint64_t> first = {};  // empty: none was found
    double before = 0, at = 0;                // the curve at first − 1 and at first
    const char* constant = nullptr;           // why the curve is the same at every s
};
// The verdict over [0, context], and the rise as witness; where violated, the curve's name and why
// it rises. The claim is not about a constant curve.
void report_rise(const Comparison& comparison, const Rise& rise, const char* curve, const char* why,
                 Finding& finding);

void judge_c3_literal(const Comparison& comparison, Finding& finding);          // R0
void judge_c3_angle(const Comparison& comparison, Finding& finding);            // R1
void judge_c3_cosine(const Comparison& comparison, Finding& finding);           // R2
void judge_c3_modulus(const Comparison& comparison, Finding& finding);          // R3
void judge_c3_weighted_cosine(const Comparison& comparison, Finding& finding);  // R4
void judge_score_decay(const Comparison& comparison, Finding& finding);         // R5
void judge_roformer_decay(const Comparison& comparison, Finding& finding);      // R6

}  // namespace rope
