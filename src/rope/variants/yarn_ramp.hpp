// Where YaRN's ramp over the pair's index begins and ends.
#pragma once

#include "rope/exact/big_real.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// Up to pair `low` all of θ is kept, from pair `high` on none; exchanged where high < low.
struct YarnRamp {
    BigReal low, high;
};

// Of a valid yarn, by transformers' rule: rounded outwards, cut to [0, d − 1], equal ends set
// apart.
YarnRamp yarn_ramp(const Spec& spec, Precision scalar);

}  // namespace rope
