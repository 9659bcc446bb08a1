// Some rows of a dump of vectors, before and after, as doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "rope/evidence/rows.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

struct SampledVector {
    std::size_t row;  // the first, of several
    std::vector<double> before, after;
};

// The vectors of a dump, each by itself, or those of all heads of a token one after the other.
class JoinedHeads {
  public:
    explicit JoinedHeads(const RotatedDump& dump) : dump_(dump) {}
    JoinedHeads(const RotatedDump& dump, const RowGroups& groups)
        : dump_(dump), groups_(&groups), heads_(groups.heads()) {}

    const RotatedDump& source() const { return dump_; }
    std::size_t heads() const { return heads_; }
    std::size_t count() const { return dump_.positions.size() / heads_; }
    std::size_t lanes() const { return heads_ * head_dim_of(dump_); }

    std::size_t row(std::size_t token, std::size_t head) const {
        if (!groups_) return token;
        const std::size_t length = groups_->length();
        return groups_->row(token / length * heads_ + head, token % length);
    }

    SampledVector read(std::size_t token) const {
        const std::size_t each = head_dim_of(dump_);
        SampledVector one{row(token, 0), std::vector<double>(lanes()),
                          std::vector<double>(lanes())};
        for (std::size_t head = 0; head < heads_; ++head) {
            dump_.before.read(row(token, head), 0, each, one.before.data() + head * each);
            dump_.after.read(row(token, head), 0, each, one.after.data() + head * each);
        }
        return one;
    }

    // Lanes of a token to where its rows are among all, row-major.
    void write(std::size_t token, const std::vector<double>& lanes,
               std::vector<double>& all) const {
        const std::size_t each = head_dim_of(dump_);
        for (std::size_t head = 0; head < heads_; ++head)
            std::copy_n(lanes.data() + head * each, each, all.data() + row(token, head) * each);
    }

  private:
    const RotatedDump& dump_;
    const RowGroups* groups_ = nullptr;
    std::size_t heads_ = 1;
};

// Some of finite values, evenly over the dump; a step that heads share would pass some of them
// over.
inline std::vector<SampledVector> sampled_vectors(const JoinedHeads& rows) {
    std::size_t step = std::max<std::size_t>(1, rows.count() / most_samples);
    while (std::gcd(step, rows.source().grid.head.length) > 1) ++step;
    std::vector<SampledVector> all;
    for (std::size_t token = 0; token < rows.count(); token += step) {
        SampledVector one = rows.read(token);
        const auto is_finite = [](double x) { return std::isfinite(x); };
        if (std::ranges::all_of(one.before, is_finite) && std::ranges::all_of(one.after, is_finite))
            all.push_back(std::move(one));
    }
    return all;
}

// The lanes of a pair as they are read and written, or a lane that does not rotate, twice.
struct PairOfLanes {
    Lanes read, written;
    bool is_passed() const { return read.first == read.second; }
};

// Of heads one after the other, in each the pairs first.
inline std::vector<PairOfLanes> pairs_of(const Spec& spec, std::size_t heads) {
    std::vector<PairOfLanes> all;
    for (std::size_t head = 0; head < heads; ++head) {
        const std::size_t first = head * spec.head_dim;
        const auto of_head = [&](Lanes lanes) {
            return Lanes{first + lanes.first, first + lanes.second};
        };
        for (std::size_t i = 0; i < spec.rotary_dim / 2; ++i)
            all.push_back(
                {of_head(lanes_of_pair(spec, i)), of_head(written_lanes_of_pair(spec, i))});
        for (const std::size_t lane : passed_lanes(spec))
            all.push_back({of_head({lane, lane}), of_head({lane, lane})});
    }
    return all;
}

// The Spec, and the same with its pairs in the other layout.
inline std::vector<Spec> in_both_layouts(const Spec& asked) {
    Spec other = asked;
    other.layout =
        asked.layout == PairLayout::half_split ? PairLayout::interleaved : PairLayout::half_split;
    return {asked, other};
}

}  // namespace rope
