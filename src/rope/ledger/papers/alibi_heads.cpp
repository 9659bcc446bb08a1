// Press et al., Train Short, Test Long: Attention with Linear Biases.
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/alibi.hpp"

namespace rope::ledger {
namespace {

void derive_slopes(Derivation& d) {
    d.say(
        "For 12 heads take the 8 slopes of n = 8, and then every other one of n = 16: "
        "2^{−1/2}, 2^{−3/2}, ….");
    const std::vector<BigReal> slopes = alibi_slopes(12);
    d.number("number of slopes", static_cast<double>(slopes.size()), "12");
    constexpr const char* added[] = {"0.70711", "0.35355", "0.17678", "0.088388"};
    for (std::size_t h = 0; h < 4; ++h)
        d.number("slope of head " + decimal(9 + h), slopes[8 + h], added[h]);
    bool between = true;
    for (std::size_t h = 0; h < 3; ++h)
        between = between && slopes[h] < slopes[8 + h] && slopes[9 + h] < slopes[h];
    d.confirm("The added slopes fall between those of the first eight heads.", between);
}

void derive_distance(Derivation& d) {
    d.say(
        "A head forgets what is far: with equal logits the weight at distance s is "
        "e^{−slope·s} of that at 0. n = 8.");
    const std::vector<BigReal> slopes = alibi_slopes(8);
    const BigReal fast =
        d.number("weight at s = 100, head 1", exponential(-100.0 * slopes.front()), "1.92875e-22");
    const BigReal slow =
        d.number("weight at s = 100, head 8", exponential(-100.0 * slopes.back()), "0.676634");
    d.confirm("Heads differ in how far they look, and each weight falls at every step.",
              fast < slow && slow < real(1));
}

constexpr Entry alibi_heads_entries[] = {
    {"alibi-heads", "§3, get_slopes", "Slopes exist for any number of heads.", Status::theorem,
     derive_slopes},
    {"alibi-distance", "§3", "The bias prefers near tokens, by head.", Status::theorem,
     derive_distance},
};

}  // namespace

std::span<const Entry> alibi_heads() { return alibi_heads_entries; }

}  // namespace rope::ledger
