// What is wrong with each part of a dump: heads and batch entries that share a mistake.
#pragma once

#include "rope/diagnose/diagnosis.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

// What was taken out of a dump before it is diagnosed.
struct TakenOut {
    NamedMistake mistake;
    const Dump& from;            // the dump with it
    const Judgement& judgement;  // of that dump
    double wider = 1;            // by how much taking it out widens the tolerance
};

// Of a table or of vectors. `taken_out` is reported only for heads and batch entries that are wrong
// with it and at least twice as exact without it; its `before` is their error.
Diagnosis diagnose_parts(const Spec& asked, const Dump& dump, const Judgement& judgement,
                         const TakenOut* taken_out = nullptr);

}  // namespace rope
