// The order of the dimensions of vectors, read from the rows at position 0, where a rotation
// changes nothing except for the attention factor a:
//   y[i] = a·x[order[i]]
#include <string>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/exact/format.hpp"

namespace rope {
namespace {

using Order = std::vector<std::size_t>;

Order inverse(const Order& order) {
    Order inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) inverse[order[i]] = i;
    return inverse;
}

// Returns `first` applied to dimensions in the order `then`: composed[i] = first[then[i]].
Order composed(const Order& first, const Order& then) {
    Order all;
    for (const std::size_t dimension : then) all.push_back(first[dimension]);
    return all;
}

// The rows at position 0 on every axis, at most 64 of them.
class RowsAtZero {
  public:
    RowsAtZero(const JoinedHeads& rows, double amplitude)
        : amplitude_(amplitude), tolerance_(2 * half_spacing(rows.source().format, 1)) {
        constexpr std::size_t most = 64;
        const RotatedDump& dump = rows.source();
        for (std::size_t token = 0; token < rows.count() && rows_.size() < most; ++token) {
            const std::size_t row = rows.row(token, 0);
            if (dump.positions[row] == 0 &&
                std::ranges::all_of(dump.more_positions,
                                    [&](const auto& axis) { return axis[row] == 0; }))
                rows_.push_back(rows.read(token));
        }
    }

    // Whether every value of y is the one of x in this order.
    bool are_in(const Order& order) const {
        for (std::size_t to = 0; to < order.size(); ++to)
            if (!fits(order[to], to)) return false;
        return !rows_.empty();
    }

    // Returns the order if each value of y is found at exactly one dimension of x; none if the
    // order is not unique or no dimension fits.
    std::optional<Order> order() const {
        if (rows_.empty()) return std::nullopt;
        const std::size_t dimensions = rows_.front().before.size();
        Order order;
        std::vector<bool> is_taken(dimensions);
        for (std::size_t to = 0; to < dimensions; ++to) {
            std::optional<std::size_t> only;
            for (std::size_t from = 0; from < dimensions; ++from) {
                if (!fits(from, to)) continue;
                if (only) return std::nullopt;
                only = from;
            }
            if (!only || is_taken[*only]) return std::nullopt;
            is_taken[*only] = true;
            order.push_back(*only);
        }
        return order;
    }

  private:
    bool fits(std::size_t from, std::size_t to) const {
        return std::ranges::all_of(rows_, [&](const SampledVector& one) {
            return std::abs(one.after[to] - amplitude_ * one.before[from]) <=
                   tolerance_ * std::abs(one.after[to]);
        });
    }

    double amplitude_, tolerance_;
    std::vector<SampledVector> rows_;
};

// The order of rows in which GGUF stores weights of this many heads: in each head, dimensions i and
// i + d/2 become 2i and 2i + 1 (llama.cpp, convert_hf_to_gguf.py, permute).
Order of_gguf(std::size_t heads, std::size_t dimensions) {
    const std::size_t d = dimensions / heads;
    Order order;
    for (std::size_t i = 0; i < dimensions; ++i)
        order.push_back(i / d * d + i % d / 2 + i % 2 * (d / 2));
    return order;
}

// An order of all dimensions of a token; `heads`: the number of heads that it is for, if it is one
// of GGUF's.
struct Permutation {
    Order order;
    std::optional<std::size_t> heads = {};
};

// Returns the orders of weights that were permuted to GGUF's order or back with a wrong number of
// heads, by itself or together with the right one.
std::vector<Permutation> permutations(std::size_t heads, std::size_t dimensions) {
    const Order right = of_gguf(heads, dimensions), undo_right = inverse(right);
    std::vector<Permutation> all;
    for (std::size_t other = 1; 4 * other <= dimensions; ++other) {
        if (other == heads || dimensions % (2 * other) != 0) continue;
        const Order wrong = of_gguf(other, dimensions), undo_wrong = inverse(wrong);
        for (const Order& one :
             {wrong, undo_wrong, composed(right, undo_wrong), composed(undo_right, wrong)})
            all.push_back({one, other});
    }
    return all;
}

// "4, 5, 6, …": three numbers from the first one that the order changes.
std::string changed(const Order& order, const Order& shown) {
    constexpr std::size_t most = 3;
    std::size_t at = 0;
    while (order[at] == at) ++at;
    std::string text;
    for (std::size_t i = at; i < std::min(at + most, order.size()); ++i)
        text += decimal(shown[i]) + ", ";
    return text + "…";
}

// The heads in this order, if it keeps the dimensions of each together; else none.
std::optional<Order> order_of_heads(const Order& order, std::size_t heads) {
    const std::size_t d = order.size() / heads;
    Order of_heads;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i % d == 0) of_heads.push_back(order[i] / d);
        if (order[i] != of_heads.back() * d + i % d) return std::nullopt;
    }
    return of_heads;
}

NamedMistake mistake_of(const Permutation& one, std::size_t heads, bool is_before) {
    if (const auto of_heads = order_of_heads(one.order, heads))
        return named("head-order",
                     {{"heads", join(*of_heads, [](std::size_t head) { return decimal(head); })}});
    Parameters parameters{{"applied", is_before ? "before" : "after"},
                          {"dimensions", changed(one.order, numbers_below(one.order.size()))},
                          {"from", changed(one.order, one.order)}};
    if (one.heads) parameters.emplace_back("heads", std::uint64_t{*one.heads});
    return named("pair-layout", std::move(parameters), {{"asked", std::uint64_t{heads}}});
}

// Undoes y = R (x in this order), or with `is_before` false, y = (R x) in this order.
Cleared in_order(const JoinedHeads& rows, const Order& order, bool is_before,
                 NamedMistake mistake) {
    return {std::move(mistake), rows.changed([&](SampledVector& one) {
                std::vector<double>& own = is_before ? one.before : one.after;
                const std::vector<double> as_is = own;
                for (std::size_t i = 0; i < order.size(); ++i)
                    (is_before ? own[i] : own[order[i]]) = as_is[is_before ? order[i] : i];
            })};
}

// Returns the place where each dimension of a token is written if it is read in order.
Order written_order(const Spec& spec, std::size_t heads) {
    Order written = numbers_below(heads * spec.head_dim);
    for (const PairOfDimensions& pair : pairs_of(spec, heads)) {
        written[pair.read.first] = pair.written.first;
        written[pair.read.second] = pair.written.second;
    }
    return written;
}

}  // namespace

bool clear_of_order(const Undoing& of) {
    const Spec& asked = of.asked;
    const std::size_t heads = of.rows.heads();
    const double amplitude = frequencies_of(asked).amplitude;
    const RowsAtZero zero(of.rows, amplitude);
    const Order written = written_order(asked, heads), read = inverse(written);
    if (zero.are_in(read)) return false;
    const auto is_cleared = [&](const Permutation& one, bool is_before) {
        return of.is_explained(
            in_order(of.rows, one.order, is_before, mistake_of(one, heads, is_before)));
    };
    // y = W R P x: y[w[i]] = x[p[i]];  y = P W R x: y[i] = x[w⁻¹[p[i]]]
    for (const Permutation& one : permutations(heads, of.rows.dimensions()))
        for (const bool is_before : {true, false})
            if (zero.are_in(is_before ? composed(one.order, read) : composed(read, one.order)) &&
                is_cleared(one, is_before))
                return true;
    auto found = RowsAtZero(JoinedHeads(of.vectors()), amplitude).order();
    if (found)  // the same order in each head
        for (std::size_t k = asked.head_dim; k < heads * asked.head_dim; ++k)
            found->push_back((*found)[k - asked.head_dim] + asked.head_dim);
    else
        found = zero.order();
    return found && (is_cleared({composed(*found, written)}, true) ||
                     is_cleared({composed(written, *found)}, false));
}

}  // namespace rope
