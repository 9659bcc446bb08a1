// Orders of lanes in which a rotation's result is written, and which are no pair layout's.
#pragma once

#include <span>
#include <string_view>

#include "rope/evidence/hypothesis.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

struct WrittenOrder {
    std::string_view name, what;
    std::size_t (*place_of)(std::size_t lane, std::size_t rotary_dim);
};

// Of pairs that are read by this layout. One order of theirs is the other layout, and not here.
std::span<const WrittenOrder> written_orders(PairLayout read);

// Of two lanes the places, where `spec` has its rotary_dim lanes.
Lanes written_at(const WrittenOrder& order, const Spec& spec, const Lanes& read);

NamedMistake written_mistake(PairLayout read, const WrittenOrder& order);

}  // namespace rope
