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

// The last two axes of an array: queries and keys of each head.
struct Bias {
    const Array& array;
    std::uint64_t queries, keys, heads;

    double at(std::uint64_t head, std::uint64_t query, std::uint64_t key) const {
        return array.at((head * queries + query) * keys + key);
    }
};

std::optional<Bias> bias_of(const Array& array) {
    const std::vector<std::uint64_t>& shape = array.shape;
    if (shape.size() < 2 || array.size() == 0) return std::nullopt;
    const std::uint64_t queries = shape[shape.size() - 2], keys = shape.back();
    if (keys < 4 || (queries != keys && queries != 1)) return std::nullopt;
    return Bias{array, queries, keys, array.size() / (queries * keys)};
}

// −m·(i − j) at or before key i; later keys may be masked, or lie as far on the other side.
bool falls_with_distance(const Bias& bias, std::uint64_t head, std::uint64_t query, double slope) {
    for (std::uint64_t key = 0; key < bias.keys; ++key) {
        const double b = bias.at(head, query, key);
        const double distance = static_cast<double>(query) - static_cast<double>(key);
        const bool is_masked = key > query && (b < -1e4 || std::isinf(b) || b == 0);
        if (!is_masked && !is_near(std::abs(b), slope * std::abs(distance))) return false;
        if (key < query && b > 0) return false;
    }
    return true;
}

// m·j of key j, which softmax takes for −m·(i − j).
bool rises_with_key(const Bias& bias, std::uint64_t head, double slope) {
    for (std::uint64_t key = 0; key < bias.keys; ++key)
        if (!is_near(bias.at(head, 0, key), slope * static_cast<double>(key))) return false;
    return true;
}

std::optional<double> slope_of(const Bias& bias, std::uint64_t head) {
    const std::uint64_t last = bias.keys - 1, middle = bias.keys / 2;
    const double slope = bias.queries == 1 ? bias.at(head, 0, last) / static_cast<double>(last)
                                           : -bias.at(head, last, 0) / static_cast<double>(last);
    if (!(slope > 0) || std::isinf(slope)) return std::nullopt;
    const bool holds = bias.queries == 1 ? rises_with_key(bias, head, slope)
                                         : falls_with_distance(bias, head, 0, slope) &&
                                               falls_with_distance(bias, head, middle, slope) &&
                                               falls_with_distance(bias, head, last, slope);
    return holds ? std::optional(slope) : std::nullopt;
}

std::optional<std::vector<double>> alibi_slopes_of(const Array& array) {
    const auto bias = bias_of(array);
    constexpr std::uint64_t most_heads = 4096;
    if (!bias || bias->heads > most_heads) return std::nullopt;
    std::vector<double> slopes;
    for (std::uint64_t head = 0; head < bias->heads; ++head) {
        const auto slope = slope_of(*bias, head);
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

// Row 0 is (0, 1, 0, 1, …), and every pair of neighbours lies on a circle.
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
