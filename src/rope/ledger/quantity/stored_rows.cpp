#include "rope/ledger/quantity/stored_rows.hpp"

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "rope/exact/phase.hpp"
#include "rope/table/stored_table.hpp"

namespace rope::ledger {
namespace {

class Table {
  public:
    Table(const FrequencyPlan& plan, std::uint64_t last, Format format)
        : rows_(last + 1), width_(plan.pairs.size()), cos_(rows_ * width_), sin_(rows_ * width_) {
        build_table(plan, 0,
                    {format, std::as_writable_bytes(std::span(cos_)),
                     std::as_writable_bytes(std::span(sin_))});
    }

    std::size_t rows() const { return rows_; }
    std::u16string cos(std::size_t row) const { return words(cos_, row); }
    std::u16string both(std::size_t row) const { return words(cos_, row) + words(sin_, row); }

  private:
    std::u16string words(const std::vector<std::uint16_t>& of, std::size_t row) const {
        return {of.begin() + static_cast<std::ptrdiff_t>(row * width_),
                of.begin() + static_cast<std::ptrdiff_t>((row + 1) * width_)};
    }

    std::size_t rows_, width_;
    std::vector<std::uint16_t> cos_, sin_;
};

}  // namespace

StoredRows stored_rows(const FrequencyPlan& plan, std::uint64_t last, Format format) {
    const Table table(plan, last, format);
    std::set<std::u16string> both, cos;
    StoredRows found{0, 0, 0};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        both.insert(table.both(row));
        cos.insert(table.cos(row));
        if (row > 0 && table.both(row) == table.both(row - 1)) ++found.equal_neighbours;
    }
    found.distinct = both.size();
    found.distinct_cos = cos.size();
    return found;
}

std::uint64_t first_cos_below_one(const FrequencyPlan& plan, Format format) {
    const BigReal one(1, exact_precision);
    for (std::uint64_t m = 1;; ++m)
        for (const PlannedFrequency& pair : plan.pairs)
            if (rounded_cos(pair.inv_freq * static_cast<double>(m), one, format) != 1) return m;
}

}  // namespace rope::ledger
