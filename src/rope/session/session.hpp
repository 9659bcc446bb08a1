// Implements the commands verify, compare and audit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/checks/report.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/session/judge.hpp"
#include "rope/spec/readings.hpp"
#include "rope/suite/audit.hpp"

namespace rope {

struct DumpEvidence;

struct SessionOptions : JudgeOptions {
    DumpEvidence* evidence = nullptr;  // receives compare()'s evidence, if not nullptr
};

// Limits of memory (64 MiB in addition to a dump) and of verify()'s time (half an hour of processor
// time): the widest head, and positions × pairs.
inline constexpr std::uint32_t widest_judged_head = 16384;
inline constexpr std::uint64_t most_verified = std::uint64_t{1} << 38;

// Checks positions 0 … context − 1 as the pipeline computes them for a valid Spec. Throws
// InputError if `only` has an unknown check or a limit above is exceeded.
Report verify(const Spec& spec, const Pipeline& pipeline, std::uint64_t context,
              const SessionOptions& options = {});

struct CompareOptions {
    // The implementation that made the dump; nullptr if unknown. If it rounds inv_freq to 16 bits
    // or TF32, its values replace the exact ones, unless max_error is set.
    const Pipeline* pipeline = nullptr;
    std::uint64_t context = 0;  // of a dump of frequencies; 0: the Spec's maximum
    // Facts of the config, to test other libraries' readings of it; if empty, those of the Spec.
    std::optional<ConfigFacts> facts = {};
    // The rotations of the config's other layers, by their names, such as "full_attention".
    std::vector<std::pair<std::string, Spec>> other_layers = {};
    // Whether the Spec is only assumed. If a diagnosis finds another Spec that fits most heads and
    // batch entries, the report is based on it, since a deviation from an assumption is no mistake.
    bool is_assumed = false;
};

// Checks a dump against a Spec and diagnoses failures; identify_judged() infers the Spec of an
// unknown dump. A dump whose dimensions do not fit fails table-accuracy and is diagnosed. Requires
// a valid Spec, or rotary_dim 0 for vectors that must not rotate. Throws InputError if the shapes
// of the dump contradict each other, or its vectors are zero in every pair.
Report compare(const Spec& spec, const Dump& dump, const CompareOptions& how = {},
               const SessionOptions& options = {});

// Returns whether table-accuracy and turn-rate hold for every row. The dump must have the Spec's
// dimensions.
bool rotates_by(const Spec& spec, const Dump& dump);

// Returns identify(dump), confirmed with rotates_by().
Identity identify_judged(const Dump& dump, std::span<const Spec> known = {});

// Checks a program's answers against the Spec of their audit, with the limits of `pipeline` if it
// is known, and diagnoses failures.
Report audit(Answers answers, const SessionOptions& options = {},
             const Pipeline* pipeline = nullptr);

// The diagnosis of a report.

// Diagnoses the failures of the report and adds the result to it; cos and sin may have been rounded
// to the format `table`. Returns the Spec by which the dump rotates apart from the named mistakes,
// if the diagnosis has one.
std::optional<Spec> diagnose_into(Report& report, const Dump& dump, const Exactness& exactness,
                                  Format table, const SessionOptions& options);

// Returns, for each fault, the number of values, their place and size, as observations.
std::vector<std::string> failure_facts(const Report& report);

// Adds the explanations and observations to the report.
void take(Report& report, Diagnosis diagnosis);

// An offset of q alone or of k alone changes the scores and is not the start of the dump: corrects
// the notes and the advice of both reports.
void take_offsets_of_one(std::span<Report> reports);

}  // namespace rope
