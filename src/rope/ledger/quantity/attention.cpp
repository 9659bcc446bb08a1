#include "rope/ledger/quantity/attention.hpp"

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

BigReal attended(double query, std::span<const double> tokens) {
    BigReal weights = real(0), sum = real(0);
    for (const double token : tokens) {
        const BigReal weight = exponential(real(query * token));
        weights = weights + weight;
        sum = sum + weight * token;
    }
    return sum / weights;
}

}  // namespace rope::ledger
