// One pair whose frequency is another, beside what leaves no pair a line of its own.
#pragma once

#include <vector>

#include "rope/diagnose/search/search.hpp"

namespace rope {

// Of the readings' asked frequencies, all but one pair of which are explained by other mistakes, at
// most `most` in all: the pair's own frequency then follows from where these put each row.
std::vector<Replay> search_odd_pair(const std::vector<DumpReading>& readings, int most,
                                    const Verify& verify);

}  // namespace rope
