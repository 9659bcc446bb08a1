// Figures of reports: the comparison of a dump with its config, and error maps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plots/parts/figure.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/checks/report.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::plots {

// `label`: "position", or "row".
Axis position_axis(const PositionParts& positions, const std::string& label = "position");

// Returns the place on the axis where a position's column begins; the middle of the column if it is
// for one position.
double place_of(double position, const PositionParts& parts);
double middle_of(double position, const PositionParts& parts);

std::string position_text(double position);

// Returns the error to two digits, or "not finite".
std::string error_text(double error);

// The claims that --require names; a report fails if one of them is violated.
using RequiredClaims = std::vector<std::string>;

// Returns the diagnosis, the fault of the pipeline, the other checks that failed, or the largest
// error if all passed.
std::string verdict_line(const Report& report, const RequiredClaims& required);

// Returns a figure without panels. Its title is the verdict of a single report, whose label begins
// the subtitle; of several what failed, the subjects in parentheses, then how many others passed:
// "Pairs are interleaved instead of half_split (q); 2 of 3 subjects pass".
Figure figure_of_reports(std::span<const DrawnReport> all, const RequiredClaims& required,
                         std::string description);

// Returns the finding of table-accuracy; null if it was not requested.
const Finding* accuracy_of(const Report& report);

// Returns a field of a finding, if it is a number.
std::optional<double> number_of(const Finding& finding, std::string_view name);

// Four panels per subject, two in a row, with common y axes: each pair's fitted frequency and the
// asked one; their ratio; the errors from the config and from the fit; the error of every row, with
// a line of cells per head. Only the first three for a FrequencyDump.
Figure compared_figure(std::span<const DrawnReport> compared, const RequiredClaims& required = {});

// A panel per report: |ẑ − a·z|, the larger of cos and sin, as the largest in each cell, with lines
// at the first position beyond 1e-3 and the first beyond its tolerance, and a ring at the worst
// cell, all as in the report's table-accuracy.
Figure precision_figure(std::span<const DrawnReport> reports, const RequiredClaims& required = {});

}  // namespace rope::plots
