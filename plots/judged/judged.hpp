// Figures of reports: what compare found in a dump, how large errors are, and what both say.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plots/parts/figure.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/report/report.hpp"

namespace rope::plots {

Axis position_axis(const PositionParts& positions);

// On the axis, where a position's column begins; and in the middle of the column where it is of
// one position.
double place_of(double position, const PositionParts& parts);
double middle_of(double position, const PositionParts& parts);

std::string position_text(double position);

// A line from which on errors exceed a limit: "error above 10⁻³ from position 1,024".
void add_rule(Panel& panel, const PositionParts& parts, std::optional<double> position,
              const std::string& limit);

// The diagnosis, the fault of the pipeline, or the largest error of what passes.
std::string verdict_line(const Report& report);

// "3 subjects: 2 pass, 1 fails", or the verdict that all of them share.
std::string verdicts(std::span<const Report* const> reports);

// Its table-accuracy; null where that was not asked for.
const Finding* accuracy_of(const Report& report);

// A field of a finding, where it has it as a number.
std::optional<double> number_of(const Finding& finding, std::string_view name);

// Frequencies, how far they are off, and residuals.
std::vector<Panel> pair_panels(const ComparedReport& compared);

// Four panels for each, two in a row, on the same y axes in all of them: the frequency fitted to
// each pair over the one asked for; how far it is off; the errors against the config and against
// the fit; and the error of every row, a line of cells for each head where there are several. Of
// frequencies alone the first three.
Figure compared_figure(std::span<const ComparedReport> compared);

// A panel for each: |ẑ − a·z|, the larger of cos and sin, greatest in each cell; a line at the
// first position beyond 1e-3 and at the first beyond its allowance, a ring at the worst cell, all
// as the report's table-accuracy has them.
Figure precision_figure(std::span<const MappedReport> reports);

}  // namespace rope::plots
