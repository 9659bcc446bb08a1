// Kernels of angles and of sums.
#include "rope/kernels/parts.hpp"
#include "rope/kernels/sums.hpp"
#include "tests/fuzz/kernels.hpp"

namespace rope::fuzz {
namespace {

void angles(Draw& draw) {
    const std::size_t n = 1 + draw.below(70);
    Random random(draw.bits(2));
    std::vector<std::uint64_t> turn(n), low(n);
    for (std::uint64_t& t : turn) t = random.bits();
    for (std::uint64_t& t : low) t = random.bits();
    turn[0] = draw.bits();
    const std::uint64_t position = draw.bits(4);
    AlignedVector<float> angle = floats(numbers(draw, n, draw.between_powers(-3, 9.9)));
    for (float& x : angle) x = std::abs(x) < 0x1p33F ? x : 1;
    compare_sets("cos_sin_of_turns", [&](const Kernels& set) {
        Numbers out(2 * n);
        set.cos_sin_of_turns(n, turn.data(), out.data(), out.data() + n);
        return out;
    });
    compare_sets("cos_sin_of_angles", [&](const Kernels& set) {
        Numbers out(2 * n);
        set.cos_sin_of_angles(n, angle.data(), out.data(), out.data() + n);
        return out;
    });
    compare_sets("turns_at", [&](const Kernels& set) {
        std::vector<std::uint64_t> turns(n);
        set.turns_at(n, position, turn.data(), low.data(), turns.data());
        Numbers out;
        for (const std::uint64_t t : turns)
            for (const std::uint64_t half : {t >> 32, t & 0xffffffff})
                out.push_back(static_cast<double>(half));
        return out;
    });
}

void products(Draw& draw) {
    const std::size_t rows = 1 + draw.below(5), stride = 1 + draw.below(40), n = rows * stride;
    const Circle block(draw, stride), base(draw, n);
    const Numbers x = numbers(draw, n, draw.between_powers(-40, 39));
    const AlignedVector<float> m = floats(numbers(draw, rows, 1e6)),
                               theta = floats(numbers(draw, stride));
    compare_sets("add_angles", [&](const Kernels& set) {
        Numbers out(2 * n);
        set.add_angles(rows, stride, block, base, {out.data(), out.data() + n});
        return out;
    });
    compare_sets("multiply", [&](const Kernels& set) {
        AlignedVector<float> out(n);
        set.multiply(rows, stride, m.data(), theta.data(), out.data());
        return Numbers(out.begin(), out.end());
    });
    compare_sets("round_to_float32", [&](const Kernels& set) {
        Numbers out(n + 1);
        out[n] = static_cast<double>(set.round_to_float32(n, cos_sin_error, x.data(), out.data()));
        return out;
    });
}

// What Ziv's test leaves in doubt may differ in its last bits.
void beside(Draw& draw) {
    const std::size_t rows = 1 + draw.below(5), stride = 1 + draw.below(40), n = rows * stride;
    const Circle block(draw, stride), base(draw, n);
    AlignedVector<float> m(rows), theta(stride);
    for (float& x : m) x = static_cast<float>(draw.below(1 << 20));
    for (float& x : theta) x = static_cast<float>(draw.between_powers(-7, 0));
    Numbers want;
    for (const Kernels* set : every_kernels()) {
        Numbers own(2 * n), rounded(2 * n);
        const bool doubt =
            set->round_beside(rows, stride, m.data(), theta.data(), block, base,
                              {own.data(), own.data() + n}, {rounded.data(), rounded.data() + n});
        if (doubt) continue;
        own.insert(own.end(), rounded.begin(), rounded.end());
        if (want.empty()) want = own;
        require_same("round_beside", *set, own, want);
    }
}

void sums(Draw& draw) {
    const std::size_t pairs = 1 + draw.below(40), rows = 1 + draw.below(64), n = 64 * pairs;
    const Circle block(draw, pairs), base(draw, n);
    const Numbers offsets = Circle(draw, n).s;
    const AlignedVector<float> c = floats(block.c), s = floats(block.s), near = floats(offsets);
    compare_sets("decay", [&](const Kernels& set) {
        Numbers out(128);
        set.sums->decay(pairs, rows, block.c.data(), block.s.data(), base.c.data(), base.s.data(),
                        out.data(), out.data() + 64);
        return out;
    });
    compare_sets("sums", [&](const Kernels& set) {
        Numbers out(130);
        set.sums->mean_cosines(pairs, block.c.data(), block.s.data(), base.c.data(), base.s.data(),
                               out.data());
        out[128] = set.sums->cosine_sums(pairs, 3, block.c.data(), block.s.data(), offsets.data(),
                                         out.data() + 64);
        out[129] =
            set.sums->least_cosine_sum(pairs, c.data(), s.data(), s.data(), c.data(), near.data());
        return out;
    });
    const std::size_t padded = 16 * (1 + draw.below(6));
    const Circle centre(draw, padded), row(draw, padded), reach(draw, padded);
    AlignedVector<float> near_centre[2] = {floats(centre.c), floats(centre.s)},
                         near_row[2] = {floats(row.c), floats(row.s)},
                         near_reach[2] = {floats(reach.c), floats(reach.s)}, slow(padded);
    for (float& one : slow) one = static_cast<float>(draw.below(2));
    compare_sets("turned_bound", [&](const Kernels& set) {
        AlignedVector<float> turned_c(padded), turned_s(padded);
        Numbers out{
            set.sums->turned_bound(padded, {near_centre[0].data(), near_centre[1].data()},
                                   {near_row[0].data(), near_row[1].data()},
                                   {near_reach[0].data(), near_reach[1].data(), slow.data()},
                                   turned_c.data(), turned_s.data())};
        out.insert(out.end(), turned_c.begin(), turned_c.end());
        out.insert(out.end(), turned_s.begin(), turned_s.end());
        return out;
    });
}

// Of numbers in three parts, as the header says they are.
void parts(Draw& draw) {
    const std::size_t rows = 1 + draw.below(4), stride = 1 + draw.below(40), n = rows * stride;
    Numbers x[12];
    for (std::size_t k = 0; k < 12; ++k) {
        x[k] = numbers(draw, k < 6 ? stride : n, k % 3 == 0 ? 1 : k % 3 == 1 ? 0x1p-26 : 0x1p-50);
        if (k % 3 == 2) continue;
        for (double& part : x[k])
            part = (part + (k % 3 == 0 ? 0x1.8p27 : 0x1.8p2)) - (k % 3 == 0 ? 0x1.8p27 : 0x1.8p2);
    }
    const auto of = [&](std::size_t k) {
        return PartsOfRows{{x[k].data(), x[k + 1].data(), x[k + 2].data()},
                           {x[k + 3].data(), x[k + 4].data(), x[k + 5].data()}};
    };
    const PartsOfRows block = of(0), base = of(6);
    compare_sets("parts", [&](const Kernels& set) {
        Numbers out(6 * stride + 2 * n + 1);
        double* const at = out.data();
        double* const c[] = {at, at + stride, at + 2 * stride};
        double* const s[] = {at + 3 * stride, at + 4 * stride, at + 5 * stride};
        set.parts->turn(stride, &block, &base, c, s);
        double* const cos = at + 6 * stride;
        cos[2 * n] = static_cast<double>(
            set.parts->round(rows, stride, &block, &base, 0x1p-98, 4, cos, cos + n));
        return out;
    });
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    constexpr void (*each[])(Draw&) = {angles, products, beside, sums, parts};
    draw.one_of(each)(draw);
}

}  // namespace rope::fuzz
