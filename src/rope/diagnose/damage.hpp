// Rows and values that no rotation produces, and observations about dumps that are not explained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/changes/dump_view.hpp"

namespace rope {

// Returns the largest error of the samples under the Spec, divided by its tolerance.
double asked_misfit(const DumpView& view);

// Explains a part in which every row is zero, or equals its vector before the rotation.
std::optional<Explanation> explain_stillness(const DumpView& view, const DumpPart& part);

// Explains rows that are right to some position and zero or unwritten memory from there on, or
// values that are not finite among right ones.
std::optional<Explanation> explain_damage(const DumpView& view, const DumpPart& part);

// Rows of vectors that do not match the Spec and are zero, not finite, not rotated or, if all
// others match, no rotations.
struct LostRows {
    NamedMistake mistake;
    double before = 0;  // largest error of the rows, divided by its tolerance
    Dump rest;          // the dump with zeros in these rows, before and after the rotation
};
// Returns none if no row is lost, or every row that has a value is.
std::optional<LostRows> lost_rows(const Spec& asked, const RotatedDump& dump,
                                  const CheckFacts& checked);

// The rows of vectors that do not match the Spec, where the others do.
struct WrongRows {
    std::string name;  // "rows 15–23"
    Dump rest;         // the dump with zeros in all other rows, before and after the rotation
};
// Returns none without at least three right and three wrong rows, or if not the same rows are wrong
// in every head and batch entry that has wrong ones.
std::optional<WrongRows> wrong_rows(const Spec& asked, const RotatedDump& dump,
                                    const CheckFacts& checked);

// Returns sentences about values lost in q or by overflow; empty if there are none.
std::vector<std::string> lost_observations(const DumpView& view, const DumpPart& part);

// Returns at most seven sentences about a dump of frequencies that is not explained, or about all
// rows of a part. `wrong_pairs` are taken to be wrong.
std::vector<std::string> observations(const DumpView& view, const DumpPart* part = nullptr,
                                      const std::vector<std::uint32_t>& wrong_pairs = {});

}  // namespace rope
