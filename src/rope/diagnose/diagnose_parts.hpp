// What is wrong with each part of a dump that is wrong in a way of its own: heads and batch
// entries.
#pragma once

#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/evidence/named_mistake.hpp"

namespace rope {

// Of a table or of vectors; `cleared`: what was taken out of the dump before.
Diagnosis diagnose_parts(const Spec& asked, const Dump& dump, const Judgement& judgement,
                         std::vector<NamedMistake> cleared = {});

}  // namespace rope
