// What was found, on its way from one process to another.
#pragma once

#include "base/archive.hpp"
#include "rope/report/report.hpp"

namespace rope {

void exchange(Archive& archive, Witness& witness);
void exchange(Archive& archive, Violations& violations);
void exchange(Archive& archive, FieldValue& value);
void exchange(Archive& archive, Field& field);
void exchange(Archive& archive, Finding& finding);

}  // namespace rope
