// The diagnosis of a dump: the mistakes that turn the exact values into it, found by applying
// each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/checks/report.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"

namespace rope {

struct Diagnosis {
    std::vector<Explanation> explanations;  // best first; empty if nothing is wrong
    std::vector<std::string> observations;  // sentences about a dump that is not explained
    // The heads and batch entries that are wrong throughout and not explained, if others are.
    std::string unexplained = {};
    bool is_open = false;  // whether there are any
    // The Spec with which most heads and batch entries rotate, apart from mistakes that no config
    // can have; none if these are not explained.
    std::optional<Spec> spec = {};
};

// Returns the mistakes that turn the exact values of `asked` into the dump. Samples at most 256
// rows, among them those that the checks found wrong, then compares every row. An explanation
// leaves no value outside its tolerance.
Diagnosis diagnose(const Spec& asked, const Dump& dump, const CheckFacts& checked = {});

struct Identity {
    // If nothing fits: the default Spec of the dump's width, in a pair layout that keeps norms, if
    // there is one.
    Spec spec;
    bool fits = false;            // apart from the mistakes of diagnose(spec, dump)
    std::vector<Spec> also = {};  // other Specs that fit as well
    // Nothing fits, but the pairs of `spec` keep their norms, or the frequencies decrease.
    bool may_be_right = false;
    // Each pair rotates at a constant rate, by 0 at position 0.
    bool has_frequencies = false;
    // Nothing fits, and the frequencies are not determined: one row, rows several positions apart,
    // or several axes.
    bool is_open = false;
    // Every row rotates by `spec`, as far as identify_judged() found out.
    bool fits_all = false;
};

// Returns the simplest Spec that the dump matches: unscaled first, then by the digits of its base
// and factor. `known`: Specs of published models; their layouts are ignored. Looks at a sample of
// rows; `allows` compares all of them, and a Spec that it refuses is returned only if it refuses
// every one.
Identity identify(const Dump& dump, std::span<const Spec> known = {},
                  const AllowsSpec& allows = {});

// Returns whether two Specs differ at most in context and sequence length.
bool rotate_alike(Spec a, const Spec& b);

// Names the one mistake by which slow pairs rotate wrongly, in a dump whose values are all within
// the tolerance of a diagnosis: another order of the axes, other frequencies.
std::vector<Explanation> name_slow_pairs(const Spec& asked, const Dump& dump,
                                         const CheckFacts& checked);

// Returns whether a group of `length` rows is wrong as a whole, not only in a few rows.
bool is_wrong_throughout(const GroupErrors& errors, std::uint64_t length);

}  // namespace rope
