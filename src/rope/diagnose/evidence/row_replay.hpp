// A hypothesis held against rows of a dump, all of them if asked.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

// What is wrong with a group by a hypothesis.
struct GroupErrors {
    std::uint64_t looked = 0;  // rows; fewer than the group has where it was given up
    std::uint64_t wrong = 0;
    std::vector<std::size_t> first =
        {};            // up to 16 of the wrong rows, in the order of the sequence
    double worst = 0;  // error over its allowance, of the rows that are right
};

// Why a pair's values are not finite: q's own are not, the exact ones are beyond the format's
// largest number, or no reason of the rotation's.
enum class Loss { none, given, overflow, memory };

class RowReplay {
  public:
    // Keeps references. `arrangement` of vectors. Lanes outside it must be as they were.
    RowReplay(const Dump& dump, const RowGroups& groups, const Arrangement* arrangement,
              const Samples& samples, Hypothesis hypothesis);

    // The largest error of a row over its allowance; infinite where a lane beside the pairs moved.
    double error(std::size_t row);
    double error_at(std::size_t row, std::size_t other);  // as if it were where that row is
    // The same of each pair.
    const std::vector<double>& pair_errors(std::size_t row);
    Loss loss(std::uint32_t pair) const;  // in the row looked at last; by one angle of a pair

    // Every row of some groups. A group is given up when over `most_wrong` of its rows are wrong.
    // On so many threads; 0: as many as the machine has.
    std::vector<GroupErrors> sweep(const std::vector<std::size_t>& of, std::uint64_t most_wrong,
                                   unsigned threads);

  private:
    void look(const std::vector<std::size_t>& of, std::uint64_t begin, std::uint64_t end,
              std::uint64_t most_wrong, std::vector<GroupErrors>& errors);
    void prefetch(std::size_t row) const;  // what `error` will read of it
    void predict(std::size_t row);
    double given(std::size_t row, std::uint32_t axis) const;  // the ids of an axis there
    const std::vector<double>& errors_of(std::size_t row);
    double worst_of(const std::vector<double>& errors) const;
    void vector_errors();
    double vector_error(std::uint32_t pair) const;
    double table_error(std::uint32_t pair) const;
    bool keeps_the_rest() const;

    const Dump& dump_;
    const RowGroups& groups_;
    const Arrangement* arrangement_;
    const Samples& samples_;
    Hypothesis hypothesis_;
    std::vector<std::size_t> rest_;  // lanes beside the pairs
    double storage_;
    std::vector<double> given_, place_, allowed_;  // of each axis, and pair, in the last row
    std::vector<double> cos_, sin_;  // variants × pairs, as the dump has them, for amplitude 1
    std::vector<std::uint8_t> finite_;
    std::size_t variants_ = 1;
    std::vector<double> lanes_[6];  // of each pair: own, partner's, written; of both lanes
    std::vector<double> norms_;
    // x and then y, where an arrangement's lanes may be of either.
    void set_width(std::size_t width) { xy_.resize(2 * (width_ = width)); }
    double* x() { return xy_.data(); }
    double* y() { return xy_.data() + width_; }
    const double* x() const { return xy_.data(); }
    const double* y() const { return xy_.data() + width_; }
    std::size_t width_ = 0;
    std::vector<double> xy_, errors_;
};

}  // namespace rope
