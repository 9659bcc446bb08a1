#include "rope/ledger/quantity/alibi.hpp"

#include <bit>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace {

BigReal slope(int head, int heads) {
    return pow(real(2), real(-8.0 * head) / static_cast<double>(heads));
}

}  // namespace

std::vector<BigReal> alibi_slopes(int heads) {
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    std::vector<BigReal> slopes;
    for (int h = 1; h <= power; ++h) slopes.push_back(slope(h, power));
    for (int h = 1; static_cast<int>(slopes.size()) < heads; h += 2)
        slopes.push_back(slope(h, 2 * power));
    return slopes;
}

}  // namespace rope::ledger
