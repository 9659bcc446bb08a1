// The report of `base-bound`, as a value and as what is printed.
#pragma once

#include <optional>

#include "io/text/document.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

struct BaseBoundReport {
    Spec spec;
    BaseQuestion asked;
    std::optional<BaseBound> found;  // of unscaled frequencies
    std::optional<BaseScan> judged;  // of the Spec's own frequencies, if it was asked about
};

// The JSON is without the keys of the search where the frequencies are scaled. "certified" is
// whether it is proved or only searched. "infimum" is null where it is proved that no base holds;
// its "base" is, where none was found. `verbose` lists every island.
Document base_bound_document(const BaseBoundReport& report, bool verbose);

}  // namespace rope::io
