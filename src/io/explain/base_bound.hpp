// The report of `base-bound`, as a value and as what is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/base_bound/base_bound.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

struct BaseBoundReport {
    Spec spec;
    BaseQuestion asked;
    std::optional<BaseBound> found;  // of unscaled frequencies
    std::optional<BaseScan> judged;  // of the Spec's own frequencies, if it was asked about
};

inline constexpr std::string_view base_bound_schema = "rope-check-base-bound/1";

// Keys in a fixed order; without those of the search where the frequencies are scaled. "certified"
// is whether it is proved or only searched. "infimum" is null where it is proved that no base
// holds; its "base" is, where none was found.
std::string base_bound_json(const BaseBoundReport& report, std::string_view version);

// `verbose` lists every island.
std::string base_bound_text(const BaseBoundReport& report, bool verbose);

}  // namespace rope::io
