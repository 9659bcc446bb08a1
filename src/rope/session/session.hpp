// Spec and subject in, Report out: what the commands verify, compare and audit do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/readings/readings.hpp"
#include "rope/report/report.hpp"
#include "rope/session/judge.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/suite/audit.hpp"

namespace rope {

struct DumpEvidence;

struct SessionOptions : JudgeOptions {
    bool digest = false;               // of every cos and sin, for a baseline
    DumpEvidence* evidence = nullptr;  // where what compare() looks at of a dump goes
};

// What is judged in 64 MiB, beside a dump: the widest head, and positions times pairs of verify(),
// which take half an hour of processor time.
inline constexpr std::uint32_t widest_judged_head = 16384;
inline constexpr std::uint64_t most_verified = std::uint64_t{1} << 38;

// Judges positions 0 … context − 1 of what the pipeline makes of the Spec. Requires validate(spec).
// Throws InputError on an unknown check in `only`, and where that is more than can be judged.
Report verify(const Spec& spec, const Pipeline& pipeline, std::uint64_t context,
              const SessionOptions& options = {});

struct CompareOptions {
    // Who made the dump; null: unknown. One that rounds inv_freq to 16 bits or TF32 is judged by
    // what it computes in place of the truth, unless a largest error is set.
    const Pipeline* pipeline = nullptr;
    std::uint64_t context = 0;  // positions that frequencies are judged at; 0: the Spec's maximum
    // Of the config, to find out whether another library reads it so; empty: the Spec's.
    std::optional<ConfigFacts> facts = {};
    // Nobody asked for the Spec. Where a diagnosis fits another one to most heads and batch
    // entries, that is the report's: a difference from what was assumed is no mistake.
    bool is_assumed = false;
};

// Judges a dump and diagnoses what is violated; identify_judged() infers the Spec of an unknown
// one. A dump of other widths than the Spec's is a violated table-accuracy, and its diagnosis.
// Requires validate(spec), or rotary_dim 0: vectors that must not rotate. Throws InputError when
// the dump's shapes contradict each other, or its vectors are zero in every pair.
Report compare(const Spec& spec, const Dump& dump, const CompareOptions& how = {},
               const SessionOptions& options = {});

// Whether table-accuracy and turn-rate of every row hold. Requires a dump of the Spec's width.
bool rotates_by(const Spec& spec, const Dump& dump);

// identify(), held against rotates_by().
Identity identify_judged(const Dump& dump, std::span<const Spec> known = {});

// Judges a program's answers against their audit's Spec, by the class of `pipeline` where it is
// known, and diagnoses what is violated.
Report audit(Answers answers, const SessionOptions& options = {},
             const Pipeline* pipeline = nullptr);

// What checks found, as observations, where the diagnosis sees nothing.

// Of each fault how many values, where, and by how much.
std::vector<std::string> failure_facts(const Report& report);

}  // namespace rope
