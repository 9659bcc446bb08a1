#include "rope/subject/row_source.hpp"

#include <algorithm>
#include <vector>

#include "rope/number/random.hpp"

namespace rope {
namespace {

constexpr std::uint64_t rows_at_once = 32;
constexpr std::uint32_t pairs_at_once = 64;

void add_pairs(const RowSource& subject, PairRange pairs, std::uint32_t all, Digest& digest) {
    const auto reader = subject.read(pairs);
    std::vector<double> cos(rows_at_once * pairs.count), sin(cos.size());
    std::vector<std::uint64_t> rows;
    for (std::uint64_t begin = 0; begin < subject.rows(); begin += rows_at_once) {
        rows.clear();
        const std::uint64_t end = std::min(subject.rows(), begin + rows_at_once);
        for (std::uint64_t row = begin; row < end; ++row) rows.push_back(row);
        reader->fill(rows, cos.data(), sin.data());
        for (std::size_t k = 0; k < rows.size() * pairs.count; ++k) {
            const std::uint64_t row = begin + k / pairs.count;
            const std::uint64_t place = row * all + pairs.first + k % pairs.count;
            digest.add(2 * place, cos[k]);
            digest.add(2 * place + 1, sin[k]);
        }
    }
}

}  // namespace

std::string digest_of(const RowSource& subject, std::uint32_t pairs) {
    Digest digest;
    const std::uint32_t step = subject.has_several_axes() ? 1 : pairs_at_once;
    for (std::uint32_t first = 0; first < pairs; first += step)
        add_pairs(subject, {first, std::min(step, pairs - first)}, pairs, digest);
    return digest.text();
}

}  // namespace rope
