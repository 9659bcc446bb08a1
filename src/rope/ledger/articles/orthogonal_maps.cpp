// Article 001, §3: which maps satisfy (c1) and (c2), in the article's row vectors.
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/rotation.hpp"

namespace rope::ledger {
namespace {

Row2 query() { return {real(1), real(2)}; }
Row2 key() { return {real(3), real(-1)}; }

void derive_c1(Derivation& d) {
    d.say(
        "r̂_ii = qA(kA)ᵀ = q(AAᵀ)kᵀ. If AAᵀ = I it is qkᵀ. For the converse take unit vectors: "
        "q = e_a and k = e_b read entry (a, b) of AAᵀ, which must be that of I.");
    const Matrix2 turn = rotation(real(1));
    const BigReal kept = d.number("score of (1, 2) and (3, −1), both turned by 1 rad",
                                  dot(query() * turn, key() * turn), "1.000000000000000000");
    const Matrix2 grown{1.1 * turn.a, 1.1 * turn.b, 1.1 * turn.c, 1.1 * turn.d};
    d.say("A map that is not orthogonal changes it: a rotation times 1.1, say.");
    const BigReal changed = d.number("the same score with 1.1·R(1), 1.1²",
                                     dot(query() * grown, key() * grown), "1.210000000000000");
    d.confirm("(c1) holds just where AAᵀ = I.",
              absolute(kept - dot(query(), key())) < rounding_residue() &&
                  absolute(changed - kept) > real(0.2));
}

void derive_not_identity(Derivation& d) {
    d.say(
        "(c1) gives A_iA_iᵀ = I. Nothing in it excludes A_i = I; the article's own choice "
        "θ_i = iθ̄₀ has it at i = 0.");
    const BigReal apart =
        d.number("largest entry of A₀ − I", distance(rotation(real(0)), identity2()), "0");
    d.refute("A₀ = I, for any θ̄₀.", apart == real(0));
}

void derive_reflections(Derivation& d) {
    d.say("F(θ) = [[cosθ, sinθ], [sinθ, −cosθ]] mirrors. It is orthogonal as well, so (c1) holds.");
    const Matrix2 f1 = reflection(real(1)), f3 = reflection(real(3));
    const BigReal residue = distance(f1 * transposed(f1), identity2());
    const BigReal det =
        d.number("determinant of F(1)", BigReal(determinant(f1), Precision{280}), "-1");
    d.say(
        "Two of them make a rotation by the difference: F(1)F(3)ᵀ = R(3 − 1), so (c2) holds, too.");
    const Matrix2 both = f1 * transposed(f3);
    d.number("first entry of F(1)F(3)ᵀ, cos 2", both.a, "-0.416146836547142387");
    d.refute(
        "Orthogonal maps need not be rotations: F(1) has determinant −1 and meets (c1) and "
        "(c2).",
        residue < rounding_residue() && det == real(-1) &&
            distance(both, rotation(real(2))) < rounding_residue());
}

void derive_c2(Derivation& d) {
    d.say(
        "R(θ_i)R(θ_j)ᵀ = R(θ_i − θ_j). That depends on i − j alone only if θ_i − θ_j does, which "
        "makes θ_i = iθ̄ + const: an arithmetic progression, as the article then chooses.");
    const Row2 q = query(), k = key();
    const auto score = [&](double angle_i, double angle_j) {
        return dot(q * rotation(real(angle_i)), k * rotation(real(angle_j)));
    };
    const BigReal near =
        d.number("θ_i = i: score at (i, j) = (1, 0)", score(1, 0), "-5.349994587787136");
    const BigReal far = d.number("θ_i = i: score at (2, 1)", score(2, 1), "-5.349994587787136");
    d.confirm("With θ_i = i the score at distance 1 is the same anywhere.",
              absolute(near - far) < rounding_residue());
    d.say("Any other choice fails: θ_i = i², for one, is a rotation at each position, too.");
    const BigReal square_near =
        d.number("θ_i = i²: score at (1, 0)", score(1, 0), "-5.34999458779");
    const BigReal square_far = d.number("θ_i = i²: score at (2, 1)", score(4, 1), "-1.97783255302");
    d.refute("With θ_i = i² the score at distance 1 depends on where it is.",
             absolute(square_near - square_far) > real(1));
}

void derive_blocks(Derivation& d) {
    d.say(
        "A_i is a diagonal of 2×2 rotations, so A_iA_jᵀ is one of R((i − j)θ̄_t), block by block. "
        "Take two blocks, θ̄₀ = 1 and θ̄₂ = 1/100, at i = 7 and j = 5.");
    const BigReal slow = real(1) / 100.0;
    const Matrix2 first = rotation(real(7)) * transposed(rotation(real(5)));
    const Matrix2 second = rotation(slow * 7.0) * transposed(rotation(slow * 5.0));
    d.number("first entry of block 0, cos 2", first.a, "-0.416146836547142387");
    d.number("first entry of block 2, cos 0.02", second.a, "0.999800006666577778");
    d.confirm("Both blocks are the rotation by (i − j)θ̄, so (c1) and (c2) hold for any even width.",
              distance(first, rotation(real(2))) < rounding_residue() &&
                  distance(second, rotation(slow * 2.0)) < rounding_residue());
}

constexpr Entry orthogonal_maps_entries[] = {
    {"001-c1", "§3, (2) and (3)", "(c1) holds for all q and k exactly if A_iA_iᵀ = I.",
     Status::theorem, derive_c1},
    {"001-not-identity", "§3, (3)", "It follows from (c1) that A_i ≠ I.", Status::false_as_stated,
     derive_not_identity},
    {"001-reflections", "§3", "An orthogonal A_i is a rotation.", Status::false_as_stated,
     derive_reflections},
    {"001-c2", "§3, (4)", "Rotations by any angles θ_i satisfy (c2).", Status::on_a_range,
     derive_c2},
    {"001-block-matrix", "§3, matrix A_i", "Blocks of two keep (c1) and (c2) for any even width.",
     Status::theorem, derive_blocks},
};

}  // namespace

std::span<const Entry> orthogonal_maps() { return orthogonal_maps_entries; }

}  // namespace rope::ledger
