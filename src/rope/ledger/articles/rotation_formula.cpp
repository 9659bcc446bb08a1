// Article 000, §3: the rotation of a pair, as it is written and as it is meant.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/rotation.hpp"

namespace rope::ledger {
namespace {

// (a, b) ↦ (a cosθ − b sinθ, a sinθ − b cosθ), the right-hand side that is printed
Matrix2 printed_map(const BigReal& angle) {
    const BigReal c = cosine(angle), s = sine(angle);
    return {c, s, -1.0 * s, -1.0 * c};
}

void derive_sign(Derivation& d) {
    const BigReal theta = real(1);
    const Row2 v{real(1), real(2)};
    const Matrix2 printed = printed_map(theta);
    const Row2 turned = v * printed;
    d.say(
        "Take θ = 1 and (a, b) = (1, 2). The matrix of the left-hand side is a rotation; the "
        "map printed on the right has −b·cosθ where the product has +b·cosθ.");
    const BigReal det = d.number("determinant of the printed map, −cos 2θ", determinant(printed),
                                 "0.416146836547142387");
    const BigReal defect = d.number("change of |(a, b)|², −2ab·sin 2θ",
                                    dot(turned, turned) - dot(v, v), "-3.637189707302726782");
    d.say("At θ = 0 nothing may turn, but the printed map negates b.");
    const BigReal at_zero = d.number("b after a turn by 0", (v * printed_map(real(0))).y, "-2");
    d.refute(
        "A rotation has determinant 1, keeps the length, and at 0 leaves b as it is: the "
        "printed map does none of these.",
        absolute(det - 1.0) > real(0.1) && absolute(defect) > real(0.1) && !(at_zero == v.y));
}

void derive_transpose(Derivation& d) {
    d.say(
        "R(θ) = [[cosθ, sinθ], [−sinθ, cosθ]]. cos is even and sin is odd, so −θ exchanges the "
        "two entries with sin, as transposing does.");
    const BigReal theta = real(1);
    const BigReal apart =
        d.number("largest entry of R(1)ᵀ − R(−1)",
                 distance(transposed(rotation(theta)), rotation(-1.0 * theta)), "0");
    d.confirm("They are the same numbers.", apart == real(0));
}

void derive_composition(Derivation& d) {
    const BigReal one = real(1), two = real(2);
    d.say(
        "The entries of R(θ₁)R(θ₂) are cosθ₁cosθ₂ − sinθ₁sinθ₂ and cosθ₁sinθ₂ + sinθ₁cosθ₂: "
        "by the addition theorems the cos and sin of θ₁ + θ₂.");
    const Matrix2 both = rotation(one) * rotation(two);
    d.number("first entry of R(1)R(2)", both.a, "-0.989992496600445457");
    d.number("cos 3", cosine(one + two), "-0.989992496600445457");
    d.confirm("R(1)R(2) = R(3) to the last of 300 bits.",
              distance(both, rotation(one + two)) < rounding_residue());
}

void derive_relative_rotation(Derivation& d) {
    d.say(
        "By transposing and composing, R(iθ)R(jθ)ᵀ = R(iθ)R(−jθ) = R((i − j)θ). Take θ = 1, "
        "i = 7 and j = 5.");
    const Matrix2 both = rotation(real(7)) * transposed(rotation(real(5)));
    d.number("first entry of R(7)R(5)ᵀ", both.a, "-0.416146836547142387");
    const Row2 q{real(1), real(2)}, k{real(3), real(-1)};
    const BigReal score = dot(q * rotation(real(7)), k * rotation(real(5)));
    d.say("So the score of q at 7 and k at 5 is that of q turned by 2 and k not turned at all.");
    d.number("⟨qR(7), kR(5)⟩ for q = (1, 2), k = (3, −1)", score, "-6.781228824326914255");
    d.confirm("Both sides agree to the last of 300 bits, and 1000 positions on it is the same.",
              distance(both, rotation(real(2))) < rounding_residue() &&
                  absolute(score - dot(q * rotation(real(2)), k)) < rounding_residue() &&
                  absolute(score - dot(q * rotation(real(1007)), k * rotation(real(1005)))) <
                      rounding_residue());
}

void derive_four_lanes(Derivation& d) {
    d.say(
        "Four lanes at position i = 2 with θ₁ = 1: the matrix turns (a, b) by iθ₁. The result "
        "printed beside it has θ₁ without i, and −b·cosθ again.");
    const Row2 v{real(1), real(2)};
    const Row2 right = v * rotation(real(2)), printed = v * printed_map(real(1));
    const BigReal wanted = d.number("first lane, a·cos 2 − b·sin 2", right.x, "-2.234741690198506");
    const BigReal found =
        d.number("first lane as printed, a·cos 1 − b·sin 1", printed.x, "-1.142639663747653");
    d.number("second lane, a·sin 2 + b·cos 2", right.y, "0.077003753731397");
    d.number("second lane as printed, a·sin 1 − b·cos 1", printed.y, "-0.239133626928383");
    d.refute("Neither lane is that of the product: a factor i is lost, and a sign in each pair.",
             absolute(wanted - found) > real(1));
}

constexpr Entry rotation_formula_entries[] = {
    {"000-rotation-sign", "§3.1", "(a, b)R(θ) = (a cosθ − b sinθ, a sinθ − b cosθ).",
     Status::false_as_stated, derive_sign},
    {"000-transpose", "§3.2", "R(θ)ᵀ = R(−θ): transposing turns the other way.", Status::theorem,
     derive_transpose},
    {"000-composition", "§3.2", "R(θ₁)R(θ₂) = R(θ₁ + θ₂): two turns are one.", Status::theorem,
     derive_composition},
    {"000-relative-score", "§3.3", "R(iθ)R(jθ)ᵀ = R((i − j)θ): the score knows i − j alone.",
     Status::theorem, derive_relative_rotation},
    {"000-four-lanes", "§3.4", "(a, b, c, d) at position i becomes (a cosθ₁ − b sinθ₁, …).",
     Status::false_as_stated, derive_four_lanes},
};

}  // namespace

std::span<const Entry> rotation_formula() { return rotation_formula_entries; }

}  // namespace rope::ledger
