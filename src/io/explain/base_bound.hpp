// The report of `base-bound`, as a value and as output.
#pragma once

#include <optional>

#include "io/text/document.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

struct BaseBoundReport {
    Spec spec;
    BaseQuestion asked;
    std::optional<BaseBound> found;  // for unscaled frequencies
    std::optional<BaseScan> judged;  // for the Spec's frequencies, if asked
};

// Returns the document. With scaled frequencies, the JSON has no keys of the search. "certified" is
// true if the result is proved, false if only searched. "infimum" is null if it is proved that no
// base holds; its "base" is null if none was found. `verbose` lists every interval.
Document base_bound_document(const BaseBoundReport& report, bool verbose);

}  // namespace rope::io
