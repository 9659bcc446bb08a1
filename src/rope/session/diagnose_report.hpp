// Diagnoses the failures of a Report and adds the named mistakes or observations to it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/checks/report.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/rows/dump.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/readings.hpp"

namespace rope {

// If turn-rate failed, finds which pairs rotate wrongly and writes it to the finding's note.
std::optional<WrongRates> wrong_rates_in(Report& report, const Dump& dump, Format table);

// Diagnoses the failures of the report and adds the result to it. Returns the Spec by which the
// dump rotates apart from the named mistakes, if the diagnosis has one.
std::optional<Spec> diagnose_into(Report& report, const Dump& dump, const Exactness& exactness,
                                  const std::optional<WrongRates>& wrong,
                                  const SessionOptions& options);

// Returns, for each fault, the number of values, their place and size, as observations.
std::vector<std::string> failure_facts(const Report& report);

// Adds the explanations and observations to the report.
void take(Report& report, Diagnosis diagnosis);

// Returns the table-accuracy of the dump with another Spec, violated if its turn-rate is.
using JudgedBy = std::function<Finding(const Spec& spec)>;

// If table-accuracy or turn-rate is violated, and every value holds for the rotation of another
// layer of the config, replaces the diagnosis by that layer and returns true.
bool name_layers(Report& report, std::span<const std::pair<std::string, Spec>> others,
                 const JudgedBy& judged_by);

// If table-accuracy or turn-rate is violated, adds the readings of the config for which every value
// holds: as equivalents of a diagnosis by one mistake, else as the diagnosis.
void name_reading(Report& report, const ConfigFacts& facts, const JudgedBy& judged_by);

}  // namespace rope
