// What is wrong with a dump: the mistake that turns the truth into it, found by replaying each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/report/report.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

struct Diagnosis {
    std::vector<Explanation> explanations;  // report.hpp; best first; empty when nothing is wrong
    std::vector<std::string> observations;  // what is known where nothing fits, a sentence each
    // The Spec by which most heads and batch entries rotate, up to mistakes that no config can
    // have; none where these are not explained.
    std::optional<Spec> spec = {};
};

// What turns the truth of `asked` into the dump. Looks at 256 rows at most, those that were found
// wrong among them. Nothing is explained by a replay that leaves any value outside its allowance.
Diagnosis diagnose(const Spec& asked, const Dump& dump, const CheckOutcome& judgement = {});

struct Identity {
    Spec spec;                    // the default of the dump's width where nothing fits
    bool fits = false;            // up to the mistakes that diagnose(spec, dump) then names
    std::vector<Spec> also = {};  // others that fit as well
    // Nothing fits, and a single row, or rows several positions apart, tell no frequencies, nor do
    // positions on several axes.
    bool is_open = false;
};

// The Spec that the dump matches, of several the simplest: unscaled first, then by the digits of
// its base and factor. `known` are Specs to try, as published models have them. Their layouts do
// not matter. It looks at some of the rows; what `allows` refuses, having looked at all, is the
// answer only where it refuses everything.
Identity identify(const Dump& dump, std::span<const Spec> known = {},
                  const AllowsSpec& allows = {});

// Context and sequence length are no part of a rotation.
bool rotate_alike(Spec a, const Spec& b);

// Names the mistake by which slow pairs rotate wrongly, in a report where only turn-rate failed.
// Pairs that do not rotate or rotate backwards are known mistakes; other rates are an observation.
Diagnosis name_wrong_rates(const Report& report, const WrongRates& wrong,
                           const std::string& in_words);

// Groups that are as asked but for a few rows.

// Whether a group of so many rows is wrong, not a few rows of it.
bool is_wrong_throughout(const GroupErrors& errors, std::uint64_t length);

class FewRows {
  public:
    // Holds every row of the part against the Spec.
    FewRows(const DumpReading& asked, const DumpPart& part);

    // In more than a few rows.
    bool is_wrong(std::size_t group) const;
    // Groups with a few wrong rows.
    const std::vector<std::size_t>& groups() const { return groups_; }

    // The same two rows of each, swapped.
    std::optional<Explanation> explanation();
    std::string observation() const;

  private:
    const DumpPart& part_;
    RowReplay replay_;
    std::vector<GroupErrors> errors_;  // of each group of the part
    std::vector<std::size_t> groups_;
    double worst_ = 0;
};

}  // namespace rope
