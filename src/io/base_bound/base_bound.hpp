// The report of `base-bound`, as a value and as what is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/base_bound/base_bound.hpp"

namespace rope::io {

struct JudgedBase {
    double base;
    BaseScan scan;
};

struct BaseBoundReport {
    BaseQuestion asked;
    BaseBound found;
    std::optional<JudgedBase> judged;  // the base that was asked about
};

inline constexpr std::string_view base_bound_schema = "rope-check-base-bound/1";

// Keys in a fixed order. "certified" is whether it is proved or only searched. "infimum" is null
// where it is proved that no base holds; its "base" is, where none was found.
std::string base_bound_json(const BaseBoundReport& report, std::string_view version);

// `verbose` lists every island.
std::string base_bound_text(const BaseBoundReport& report, bool verbose);

}  // namespace rope::io
