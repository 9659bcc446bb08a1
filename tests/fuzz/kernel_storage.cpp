// Kernels of tables and vectors as they are stored.
#include "rope/kernels/table.hpp"
#include "rope/number/codec.hpp"
#include "rope/number/memory.hpp"
#include "tests/fuzz/kernels.hpp"

namespace rope::fuzz {
namespace {

std::size_t piece_for(Draw& draw, std::uintptr_t multiples) {
    return draw.one_in(2) ? piece_of(multiples) : 0;
}

// Rows in doubt are made again; all others are the same.
template <class Stored, class Build>
void compare_tables(const std::string& kernel, std::size_t rows, std::size_t stride,
                    const Build& build) {
    struct Table {
        AlignedVector<Stored> c, s;
        std::uint32_t doubts;
    };
    const auto table_of = [&](const Kernels& set) {
        Table table{AlignedVector<Stored>(rows * stride), AlignedVector<Stored>(rows * stride), 0};
        table.doubts = build(set, table.c.data(), table.s.data());
        return table;
    };
    const std::vector<const Kernels*> sets = every_kernels();
    const Table want = table_of(*sets.back());
    for (const Kernels* set : sets) {
        const Table got = table_of(*set);
        for (std::size_t k = 0; k < rows * stride; ++k)
            if (((got.doubts | want.doubts) >> (k / stride) & 1) == 0)
                require(got.c[k] == want.c[k] && got.s[k] == want.s[k],
                        kernel + " of " + set->isa + " differs at " + std::to_string(k) + " of " +
                            std::to_string(stride) + ": " + std::to_string(got.c[k]) + ", " +
                            std::to_string(got.s[k]) + ", not " + std::to_string(want.c[k]) + ", " +
                            std::to_string(want.s[k]));
    }
}

void tables(Draw& draw) {
    const std::size_t rows = 1 + draw.below(32), stride = 1 + draw.below(40), n = rows * stride;
    const double amplitude = draw.one_in(2) ? draw.between_powers(-9, 9) : 1;
    const Circle block(draw, stride, amplitude), base(draw, n);
    const AlignedVector<float> bc = floats(block.c), bs = floats(block.s), c = floats(base.c),
                               s = floats(base.s);
    const TileSource source{
        {block.c.data(), block.s.data(), base.c.data(), base.s.data(), 0x1p-48 * amplitude},
        {bc.data(), bs.data(), c.data(), s.data(), static_cast<float>(5.01 * 0x1p-24 * amplitude)}};
    const std::size_t piece32 = piece_for(draw, 4 * stride), piece16 = piece_for(draw, 2 * stride);
    compare_tables<float>(
        "float32_tile", rows, stride, [&](const Kernels& set, float* cos, float* sin) {
            return set.tables->float32_tile(rows, stride, &source, piece32, cos, sin);
        });
    for (const auto tile : {&TableKernels::bfloat16_tile, &TableKernels::float16_tile})
        compare_tables<std::uint16_t>(
            "16-bit tile", rows, stride, [&](const Kernels& set, auto* cos, auto* sin) {
                return (set.tables->*tile)(rows, stride, &source, piece16, cos, sin);
            });
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    tables(draw);
}

}  // namespace rope::fuzz
