// What a report says in a line, and the numbers that it has.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rope/report/report.hpp"

namespace rope::plots {

// The diagnosis, the fault of the pipeline, or what the arithmetic is like where all is sound.
std::string verdict_line(const Report& report);

// "3 subjects: 2 sound, 1 violated", or the verdict that all of them share.
std::string verdicts(std::span<const Report* const> reports);

// Its table-accuracy; null where that was not asked for.
const Finding* accuracy_of(const Report& report);

// A field of a finding, where it has it as a number.
std::optional<double> number_of(const Finding& finding, std::string_view name);

}  // namespace rope::plots
