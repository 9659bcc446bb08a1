#include "rope/diagnose/reading/written_orders.hpp"

#include <array>
#include <string>

namespace rope {
namespace {

constexpr WrittenOrder halves_swapped{
    "halves swapped", "with their halves swapped: cat(y2, y1)",
    [](std::size_t lane, std::size_t dim) { return (lane + dim / 2) % dim; }};

// y[..., 0::2] before y[..., 1::2]: of interleaved pairs this is half_split.
constexpr std::array of_halves{
    WrittenOrder{"even lanes first", "with the even lanes first: cat(y[0::2], y[1::2])",
                 [](std::size_t lane, std::size_t dim) { return lane / 2 + lane % 2 * (dim / 2); }},
    halves_swapped};

// Lanes i and i + d/2 next to each other: of half_split pairs this is interleaved.
constexpr std::array of_neighbours{
    WrittenOrder{"halves interleaved", "with the halves interleaved: y[0], y[d/2], y[1], …",
                 [](std::size_t lane, std::size_t dim) {
                     return 2 * lane < dim ? 2 * lane : 2 * lane - dim + 1;
                 }},
    halves_swapped,
    WrittenOrder{"lanes swapped", "with the two lanes of each pair swapped",
                 [](std::size_t lane, std::size_t) { return lane ^ 1; }}};

}  // namespace

std::span<const WrittenOrder> written_orders(PairLayout read) {
    if (read == PairLayout::half_split) return of_halves;
    return of_neighbours;
}

Lanes written_at(const WrittenOrder& order, const Spec& spec, const Lanes& read) {
    const std::size_t start = spec.rotary_offset;
    return {start + order.place_of(read.first - start, spec.rotary_dim),
            start + order.place_of(read.second - start, spec.rotary_dim)};
}

NamedMistake written_mistake(PairLayout read, const WrittenOrder& order) {
    const std::string layout(to_string(read));
    return {"pair-layout",
            {{"before", layout}, {"after", std::string(order.name)}},
            "pairs are read " + layout + " and written " + std::string(order.what)};
}

}  // namespace rope
