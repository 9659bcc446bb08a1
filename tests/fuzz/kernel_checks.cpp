// Kernels of checks and of recovered rotations.
#include "rope/kernels/checks.hpp"
#include "tests/fuzz/kernels.hpp"

namespace rope::fuzz {
namespace {

struct Tile {
    std::size_t rows, stride, n;
    Circle truth;
    Numbers c, s, slope, reach, position, inverse;

    explicit Tile(Draw& draw)
        : rows(1 + draw.below(5)),
          stride(1 + draw.below(70)),
          n(rows * stride),
          truth(draw, n),
          c(numbers(draw, n, draw.between_powers(-9, 0.1))),
          s(numbers(draw, n, draw.between_powers(-9, 0.1))),
          slope(numbers(draw, stride, 1e-6)),
          reach(numbers(draw, stride, 1e-6)),
          position(numbers(draw, rows, 1e6)),
          inverse(numbers(draw, rows, 1)) {
        for (std::size_t k = 0; k < n; ++k) c[k] += truth.c[k], s[k] += truth.s[k];
    }
    RowsBeside beside() const { return {rows, stride, {c.data(), s.data()}, truth}; }
};

void tables(const Tile& tile, double rounding) {
    const std::size_t stride = tile.stride;
    compare_sets("table checks", [&](const Kernels& set) {
        Numbers out(3 * stride + 2 * stride + 2);
        double* const at = out.data();
        const ExpectedErrors expected{tile.slope.data(), rounding, 2,
                                      tile.reach.data(), rounding, 0.5};
        set.checks->table_errors(tile.beside(),
                                 {tile.position.data(), tile.inverse.data(), tile.slope.data(),
                                  tile.reach.data(), rounding, 2, 0x1p-24, 0.5},
                                 {at, at + stride, at + 2 * stride});
        set.checks->norm_errors(tile.rows, stride, 1, rounding, {tile.c.data(), tile.s.data()},
                                at + 3 * stride, at + 4 * stride);
        double* const flags = at + 5 * stride;
        flags[0] = set.checks->table_suspects(tile.beside(), 3, expected);
        flags[1] = set.checks->norm_suspects(tile.n, 1, rounding, {tile.c.data(), tile.s.data()});
        return out;
    });
    compare_sets("least_k", [&](const Kernels& set) {
        Numbers out(tile.n);
        set.checks->least_k(tile.beside(),
                            {tile.position.data(), tile.slope.data(), 1.5, rounding, rounding},
                            out.data());
        return out;
    });
}

void columns(const Tile& tile, double amplitude) {
    compare_sets("radii", [&](const Kernels& set) {
        Numbers out(tile.stride);
        set.checks->radii(tile.beside(), amplitude, out.data());
        return out;
    });
}

void recovery(const Tile& tile, double scale) {
    const std::size_t n = tile.n;
    const double *c = tile.c.data(), *s = tile.s.data();
    const CosSin truth = tile.truth;
    compare_sets("recovery", [&](const Kernels& set) {
        Numbers out(4 * n + 1);
        double* const at = out.data();
        out[4 * n] = set.recovery->recover(n, {truth.c, truth.s}, {c, s}, scale, {at, at + n});
        set.recovery->turn_errors(n, {truth.c, truth.s, c, truth.s, truth.c, s}, {c, s}, scale,
                                  at + 2 * n, at + 3 * n);
        return out;
    });
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const double size = draw.between_powers(-9, 1);
    const Tile tile(draw);
    tables(tile, size);
    columns(tile, size);
    recovery(tile, size);
}

}  // namespace rope::fuzz
