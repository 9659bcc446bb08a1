#include <cmath>

#include "rope/exact/elementary.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/suite/wrong_rows.hpp"

namespace rope {
namespace {

constexpr WrongRow rotations_rows[] = {
    {"pair-layout", plain_case, "pairs are interleaved",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.layout = PairLayout::interleaved; });
     }},
    {"direction", plain_case, "every pair turns by -m*theta",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.direction = Direction::reverse; });
     }},
    {"direction", plain_case, "the gradient is turned by +m*theta",
     [](const FaultySubject& of) { return by_spec(of, [](Spec&) {}); }, SuiteOutput::dx},
    {"cos-sin-swapped", plain_case, "cos and sin are swapped",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) { return TableEntry{z.sin, z.cos}; });
     }},
    {"table-indexing", plain_case, "cos is read for sin",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) { return TableEntry{z.cos, z.cos}; });
     }},
    {"sign", plain_case, "cos is negated",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double) { return TableEntry{-z.cos, z.sin}; });
     }},
    {"rotate-half-sign", plain_case, "rotate_half returns (x2, x1)",
     [](const FaultySubject& of) {
         return by_pairs(of, [](double& x1, double& x2, const TableEntry& z) {
             const double y1 = x1 * z.cos + x2 * z.sin;
             x2 = x2 * z.cos + x1 * z.sin;
             x1 = y1;
         });
     }},
    {"rotated-in-place", plain_case, "x2 is computed from what x1 became",
     [](const FaultySubject& of) {
         return by_pairs(of, [](double& x1, double& x2, const TableEntry& z) {
             x1 = x1 * z.cos - x2 * z.sin;
             x2 = x2 * z.cos + x1 * z.sin;
         });
     }},
    {"rotary-dim", "partial-half", "all 16 lanes turn, not the first 8",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.rotary_dim = spec.head_dim; });
     }},
    {"rotary-dim", "partial-half", "the last 8 lanes turn, not the first",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.rotary_offset = 8; });
     }},
    {"lane-scale", plain_case, "lane i of d is multiplied by 1 + i/d, as by a norm's weights",
     [](const FaultySubject& of) {
         Answer y = by_spec(of, [](Spec&) {});
         const std::uint32_t lanes = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); ++k)
             y[k] *= 1 + static_cast<double>(k % lanes) / lanes;
         return y;
     }},
    {"lane-shift", plain_case, "i/d is added to lane i of d, as by a bias",
     [](const FaultySubject& of) {
         Answer y = by_spec(of, [](Spec&) {});
         const std::uint32_t lanes = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); ++k) y[k] += static_cast<double>(k % lanes) / lanes;
         return y;
     }},
    {"lane-transform", plain_case, "a Hadamard transform of all lanes follows the rotation",
     [](const FaultySubject& of) {
         Answer y = by_spec(of, [](Spec&) {});
         const std::uint32_t lanes = of.right.spec.head_dim;
         for (std::size_t k = 0; k < y.size(); k += lanes)
             hadamard_transform(std::span(y).subspan(k, lanes));
         return y;
     }},
    {"vector-scale", plain_case, "1 + 0.1*ln(1 + floor(m/4096)) multiplies what is turned",
     [](const FaultySubject& of) {
         return by_entries(of, [](TableEntry z, double m) {
             const double scale = 1 + 0.1 * portable::log(1 + std::floor(m / 4096));
             return TableEntry{scale * z.cos, scale * z.sin};
         });
     }},
    {"rotated-twice", plain_case, "R(m) is applied twice",
     [](const FaultySubject& of) {
         return by_positions(of, [](double m, std::size_t) { return 2 * m; });
     }},
    {"not-rotated", plain_case, "the answer is q", [](const FaultySubject& of) { return of.x; }},
    {"axis-map", "sectioned-half", "sections are interleaved",
     [](const FaultySubject& of) {
         return by_spec(of, [](Spec& spec) { spec.axes.scheme = AxisScheme::interleaved; });
     }},
};

}  // namespace

std::span<const WrongRow> wrong_rotations() { return rotations_rows; }

}  // namespace rope
