// The ways to read a dump: which lanes are pairs, where they are, which axis turns them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rope/diagnose/evidence/judgement.hpp"
#include "rope/diagnose/evidence/samples.hpp"
#include "rope/report/report.hpp"

namespace rope {

// What is said of one mistake.
struct NamedMistake {
    std::string mistake;
    std::vector<std::pair<std::string, FieldValue>> parameters = {};
    std::string what = {};
};

struct DumpReading {
    std::vector<NamedMistake>
        mistakes;  // mistakes that this reading assumes; none if it is the Spec's
    Spec asked;    // with the rotary_dim and the layout of this reading
    Samples samples;
    std::vector<std::uint32_t> axis;  // of each pair
};

// The Spec's first. Impossible readings are left out: those in which lanes outside the pairs moved
// or norms of pairs changed.
std::vector<DumpReading> readings(const Spec& asked, const Dump& dump, const Judgement& judgement);

// Whether the pairs' norms are one multiple of what they were, at every row that is finite.
bool keeps_norms(const Samples& samples);

}  // namespace rope
