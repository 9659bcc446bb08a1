// Refuses position encodings that rotate nothing.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/dump/dump.hpp"
#include "rope/claims/quantities.hpp"

namespace rope::io {
namespace {

constexpr double bf16 = 0x1p-8;  // the coarsest format's relative rounding

bool is_near(double x, double wanted) { return std::abs(x - wanted) <= bf16 * std::abs(wanted); }

// A bias of ALiBi on scores: heads × queries × keys.
struct Bias {
    const Array& array;
    std::uint64_t heads, queries, keys;

    double at(std::uint64_t head, std::uint64_t query, std::uint64_t key) const {
        return array.at((head * queries + query) * keys + key);
    }

    // Whether row i is −m·(i − j). Later keys may be masked, or lie as far on the other side. Only
    // one row may be m·j, which softmax takes for −m·(i − j).
    bool has_slope(std::uint64_t head, std::uint64_t query, double slope) const {
        for (std::uint64_t key = 0; key < keys; ++key) {
            const double b = at(head, query, key);
            const double wanted = slope * (static_cast<double>(key) -
                                           (queries == 1 ? 0 : static_cast<double>(query)));
            const bool is_later = queries > 1 && key > query;
            if (is_later && (b < -1e4 || std::isinf(b) || b == 0)) continue;
            if (!is_near(is_later ? std::abs(b) : b, wanted)) return false;
        }
        return true;
    }

    std::optional<double> slope_of(std::uint64_t head) const {
        const std::uint64_t last = keys - 1;
        const double most = queries == 1 ? at(head, 0, last) : -at(head, last, 0);
        const double slope = most / static_cast<double>(last);
        if (!(slope > 0) || std::isinf(slope)) return std::nullopt;
        for (const std::uint64_t query : {std::uint64_t{0}, queries / 2, queries - 1})
            if (!has_slope(head, query, slope)) return std::nullopt;
        return slope;
    }
};

std::optional<std::vector<double>> alibi_slopes_of(const Array& array) {
    constexpr std::uint64_t most_heads = 4096;
    const std::vector<std::uint64_t>& shape = array.shape;
    if (shape.size() < 2 || array.size() == 0) return std::nullopt;
    const std::uint64_t queries = shape[shape.size() - 2], keys = shape.back();
    if (keys < 4 || (queries != keys && queries != 1)) return std::nullopt;
    const Bias bias{array, array.size() / (queries * keys), queries, keys};
    if (bias.heads > most_heads) return std::nullopt;
    std::vector<double> slopes;
    for (std::uint64_t head = 0; head < bias.heads; ++head) {
        const auto slope = bias.slope_of(head);
        if (!slope) return std::nullopt;
        slopes.push_back(*slope);
    }
    return slopes;
}

std::string words_of(const std::vector<double>& slopes) {
    if (slopes.size() == 1) return "slope " + decimal(slopes[0]);
    const std::vector<BigReal> usual = ledger::alibi_slopes(static_cast<int>(slopes.size()));
    const bool is_usual = std::ranges::equal(slopes, usual, [](double own, const BigReal& one) {
        return is_near(own, one.to_double());
    });
    return "slopes " + decimal(slopes.front()) + " to " + decimal(slopes.back()) +
           (is_usual ? ", those of its paper for " : ", not those of its paper for ") +
           decimal(slopes.size()) + " heads";
}

// Whether row 0 is (0, 1, 0, 1, …), and neighbours lie on a circle.
bool is_sinusoidal(const Array& array) {
    if (array.shape.size() < 2) return false;
    const std::uint64_t lanes = array.shape.back(),
                        rows = array.size() / std::max(std::uint64_t{1}, lanes);
    if (lanes < 4 || lanes % 2 != 0 || rows < 2) return false;
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
        if (array.at(lane) != static_cast<double>(lane % 2)) return false;
    for (const std::uint64_t row : {std::uint64_t{1}, rows / 2, rows - 1})
        for (std::uint64_t lane = 0; lane < lanes; lane += 2) {
            const double sine = array.at(row * lanes + lane),
                         cosine = array.at(row * lanes + lane + 1);
            if (!(std::abs(sine * sine + cosine * cosine - 1) <= 2 * bf16)) return false;
        }
    return true;
}

}  // namespace

void refuse_other_encodings(const NamedArray& array) {
    if (const auto slopes = alibi_slopes_of(array.array))
        throw InputError(array.name + ": is a bias of ALiBi, " + words_of(*slopes) +
                         "; it is added to scores and rotates nothing, so there is no rotary "
                         "table to check");
    if (is_sinusoidal(array.array))
        throw InputError(
            array.name +
            ": is a sinusoidal position encoding, sines in even dimensions and cosines in "
            "odd ones; it is added to embeddings and rotates nothing. No rotary cache "
            "of this order is known; one is passed as --cos and --sin");
}

}  // namespace rope::io
