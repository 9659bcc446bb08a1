#include <span>

#include "base/decimal.hpp"
#include "rope/diagnose/cleared/undone.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// Its own inverse.
void transform_lanes(std::span<double> all, std::size_t lanes) {
    for (std::size_t from = 0; from < all.size(); from += lanes)
        hadamard_transform(all.subspan(from, lanes));
}

NamedMistake transform_of(std::size_t lanes, std::size_t head_dim, bool is_before) {
    return {
        "lane-transform",
        {{"applied", std::string(is_before ? "before" : "after")}, {"lanes", std::uint64_t{lanes}}},
        std::string("a Hadamard transform of ") + (lanes == head_dim ? "all " : "each ") +
            decimal(lanes) + " lanes " + (is_before ? "precedes" : "follows") + " the rotation"};
}

}  // namespace

void clear_of_transform(const Spec& asked, const RotatedDump& dump,
                        const IsExplained& is_explained) {
    constexpr std::size_t least = 16;
    if (dump.positions.size() * asked.head_dim > most_changed_lanes) return;
    std::size_t lanes = 1;
    while (asked.head_dim % (2 * lanes) == 0) lanes *= 2;
    // H of all lanes undone by that of each half keeps the norms of half_split pairs, and is
    // refused
    for (const Spec& spec : in_both_layouts(asked))
        for (std::size_t each = lanes; each >= least; each /= 2)
            for (const bool is_before : {false, true}) {
                const Undo undo = [=](SampledVector& one) {
                    transform_lanes(is_before ? one.before : one.after, each);
                };
                if (keeps_pairs_undone(spec, dump, undo) &&
                    is_explained(
                        undone(spec, dump, undo, transform_of(each, spec.head_dim, is_before))))
                    return;
            }
}

}  // namespace rope
