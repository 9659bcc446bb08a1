// Tables whose cos or sin are read at another place than they are stored at.
#pragma once

#include <optional>

#include "rope/changes/reading.hpp"

namespace rope {

// What one table by the Spec, at positions that are whole numbers of one axis, is read as in every
// row of the part. None where no way to read it explains them all.
std::optional<Explanation> explain_misread_table(const Spec& asked, const DumpPart& part,
                                                 const Judgement& judgement);

}  // namespace rope
