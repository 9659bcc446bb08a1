// A table applied by rotate_half and its like in ways that are no rotation's.
#pragma once

#include <span>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// Which lane of a pair is written before the other is computed, and so takes part as what it
// became.
enum class WrittenFirst { neither, first, second };

// The partner of a lane by one layout, its column of the table by another, or signs that are no
// rotation's.
struct Application {
    PairLayout pairs, table;
    double first_sign, second_sign;  // of x_p·s in the first and the second lane of a pair
    WrittenFirst written_first = WrittenFirst::neither;
};

// Every one that is no rotation by one layout.
std::span<const Application> applications();

// Its name where the pairs should have the asked layout.
std::vector<NamedMistake> mistakes_of(const Application& one, PairLayout asked);
NamedMistake layout_mistake(PairLayout own, PairLayout asked);

// Requires a Spec whose pairs are the first rotary_dim lanes.
Arrangement applied(const Application& application, const Spec& spec);

}  // namespace rope
