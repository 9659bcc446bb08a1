#include "rope/session/sweep_row_bytes.hpp"

namespace rope {
namespace {

// All but the reason, which follows.
struct Numbers {
    static constexpr bool has_no_padding = true;
    double k, worst_error;
    std::uint64_t worst_position, worst_pair, first_beyond, verdict;
    std::uint64_t known;  // bits, of the first five
};
static_assert(sizeof(Numbers) == 7 * sizeof(double));

template <class T>
std::optional<T> known_or_none(const Numbers& numbers, unsigned bit, T value) {
    return (numbers.known >> bit & 1) != 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

Bytes bytes_of(const SweepRow& row) {
    std::uint64_t known = 0;
    unsigned bit = 0;
    for (const bool is_known :
         {row.k.has_value(), row.worst_error.has_value(), row.worst_position.has_value(),
          row.worst_pair.has_value(), row.first_beyond.has_value()})
        known |= std::uint64_t{is_known} << bit++;
    return to_bytes(Numbers{row.k.value_or(0), row.worst_error.value_or(0),
                            row.worst_position.value_or(0), row.worst_pair.value_or(0),
                            row.first_beyond.value_or(0), static_cast<std::uint64_t>(row.verdict),
                            known}) +
           row.reason;
}

SweepRow sweep_row_of(const Bytes& bytes) {
    const auto numbers = value_of<Numbers>(bytes.substr(0, sizeof(Numbers)));
    return {.k = known_or_none(numbers, 0, numbers.k),
            .worst_error = known_or_none(numbers, 1, numbers.worst_error),
            .worst_position = known_or_none(numbers, 2, numbers.worst_position),
            .worst_pair = known_or_none(numbers, 3, numbers.worst_pair),
            .first_beyond = known_or_none(numbers, 4, numbers.first_beyond),
            .verdict = static_cast<RowVerdict>(numbers.verdict),
            .reason = bytes.substr(sizeof(Numbers))};
}

}  // namespace rope
