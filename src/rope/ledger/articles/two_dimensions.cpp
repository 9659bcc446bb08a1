// Article 003, §1 and §2: the formulas in one and two dimensions.
#include <string>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/rotation.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/tensor_shape.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

using enum PairLayout;

void derive_one_angle(Derivation& d) {
    d.say(
        "The example with four lanes has one θ in both blocks; the general formula below it has "
        "θ_0 and θ_1. With base 10000 and d = 4 these are:");
    const FrequencyPlan plan = base_rope(4);
    const BigReal first = d.number("θ_0", plan.pairs[0].inv_freq, "1");
    const BigReal second = d.number("θ_1", plan.pairs[1].inv_freq, "0.010000000000");
    d.refute("The two blocks turn at different speeds.", first > second * 2.0);
}

void derive_sparse(Derivation& d) {
    d.say(
        "The sparse form multiplies lane by lane: q·(cos mθ_0, cos mθ_0, cos mθ_1, …) plus "
        "(−q_1, q_0, −q_3, q_2, …)·(sin mθ_0, sin mθ_0, …). Take q = (1, 2, 3, 4) at m = 2.");
    const FrequencyPlan plan = base_rope(4);
    const Vector q = vector_of({1, 2, 3, 4}), swapped = vector_of({-2, 1, -4, 3});
    const Vector wanted = rotated(q, plan, interleaved, 2);
    BigReal apart = real(0);
    for (std::size_t i = 0; i < 4; ++i) {
        const BigReal angle = 2.0 * plan.pairs[i / 2].inv_freq;
        apart = apart + absolute(q[i] * cosine(angle) + swapped[i] * sine(angle) - wanted[i]);
    }
    d.number("lane 0, cos 2 − 2·sin 2", wanted[0], "-2.234741690198506");
    d.number("lane 3, 4·cos 0.02 + 3·sin 0.02", wanted[3], "4.059196");
    d.confirm("It is the product with the matrix.", apart < rounding_residue());
}

void derive_tensor_product(Derivation& d) {
    d.say(
        "⊗ is the sign of the tensor product, which of two vectors of d lanes has d² entries. "
        "RoFormer prints ⊗, too; the product lane by lane, ⊙, is meant. d = 4.");
    const Shape tensor = matrix_product({4, 1}, {1, 4}).value();
    const Shape by_lane = broadcast({4}, {4}).value();
    const double entries = d.number("entries of a tensor product", numbers_in(tensor), "16");
    const double lanes = d.number("entries of the product lane by lane", numbers_in(by_lane), "4");
    d.refute("Read as it is printed, the result has too many entries.", entries > lanes);
}

// q at (x, y): the first half of the lanes turns by x, the second by y.
Vector placed(const Vector& q, double x, double y) {
    const auto middle = q.begin() + static_cast<std::ptrdiff_t>(q.size() / 2);
    const FrequencyPlan plan = base_rope(static_cast<std::uint32_t>(q.size() / 2));
    Vector turned = rotated(Vector(q.begin(), middle), plan, interleaved, x);
    for (const BigReal& lane : rotated(Vector(middle, q.end()), plan, interleaved, y))
        turned.push_back(lane);
    return turned;
}

void derive_relative_axes(Derivation& d) {
    d.say(
        "R_xy is a diagonal of R(xθ_j) and R(yθ_j), so R_xyᵀR_x'y' has R((x' − x)θ_j) and "
        "R((y' − y)θ_j). Take q = (1, 2, 3, 4) at (7, 3) and k = (2, −1, 1, 3) at (5, 2).");
    const Vector q = vector_of({1, 2, 3, 4}), k = vector_of({2, -1, 1, 3});
    const BigReal near = d.number("score", dot(placed(q, 7, 3), placed(k, 5, 2)), "7.765402");
    const BigReal far = d.number("score 1000 columns and 500 rows on",
                                 dot(placed(q, 1007, 503), placed(k, 1005, 502)), "7.765402");
    d.confirm("The score depends on the two differences alone.",
              absolute(near - far) < real(0x1p-280));
}

void derive_unswapped(Derivation& d) {
    d.say(
        "In the second vector of the two-dimensional sparse form some pairs read "
        "(−q_even, q_odd), where (−q_odd, q_even) is needed. A pair (a, b) then becomes "
        "(a(cosθ − sinθ), b(cosθ + sinθ)). Take (1, 2) and θ = 1.");
    const BigReal c = cosine(real(1)), s = sine(real(1));
    const BigReal x = c - s, y = 2.0 * (c + s);
    const BigReal printed = d.number("square of its length, a²(1 − sin 2θ) + b²(1 + sin 2θ)",
                                     x * x + y * y, "7.727892280477045");
    const Row2 right = Row2{real(1), real(2)} * rotation(real(1));
    const BigReal wanted = d.number("with the pair swapped", dot(right, right), "5.0000000000000");
    d.refute("A rotation keeps the length.", absolute(printed - wanted) > real(1));
}

void derive_labels(Derivation& d) {
    d.say(
        "The lanes are labelled q_{0,0} to q_{d/2−1,d/2−1}, differently in the two displays. Two "
        "indices below d/2 name (d/2)² things. d = 8.");
    const double labels = d.number("labels with two indices below 4", 4.0 * 4.0, "16");
    const double lanes = d.number("lanes", 8, "8");
    d.refute("q has d lanes, q_0 to q_{d−1}: x and y are positions, not indices of a lane.",
             labels > lanes);
}

constexpr Entry two_dimensions_entries[] = {
    {"003-one-angle", "§1", "A query of four lanes turns by one θ in both pairs.",
     Status::false_as_stated, derive_one_angle},
    {"003-sparse-form", "§1", "The sparse product equals the product with the matrix.",
     Status::theorem, derive_sparse},
    {"003-tensor-product", "§1 and §2", "The sparse form is q ⊗ cos + q' ⊗ sin.",
     Status::false_as_stated, derive_tensor_product},
    {"003-relative", "§2", "R_xy, one rotation per direction, encodes both differences.",
     Status::theorem, derive_relative_axes},
    {"003-unswapped-pair", "§2, sparse form", "The second vector has −q_{·,d/4−2}, q_{·,d/4−1}, ….",
     Status::false_as_stated, derive_unswapped},
    {"003-labels", "§2", "The lanes are q_{0,0}, …, q_{d/2−1,d/2−1}.", Status::false_as_stated,
     derive_labels},
};

}  // namespace

std::span<const Entry> two_dimensions() { return two_dimensions_entries; }

}  // namespace rope::ledger
