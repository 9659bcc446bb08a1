#include "rope/diagnose/explain/few_rows.hpp"

#include <algorithm>

#include "base/decimal.hpp"
#include "rope/diagnose/explain/explain.hpp"
#include "rope/diagnose/explain/parts.hpp"

namespace rope {
namespace {

// One row in fifty, and two at least; more is no matter of rows.
std::uint64_t few(std::uint64_t rows) {
    return std::min<std::uint64_t>(std::max<std::uint64_t>(2, rows / 50), 16);
}

}  // namespace

bool is_wrong_throughout(const GroupErrors& errors, std::uint64_t length) {
    return errors.wrong > few(length) || 4 * errors.wrong > errors.looked;
}

FewRows::FewRows(const DumpReading& asked, const DumpPart& part)
    : part_(part),
      replay_(part.dump, part.rows, asked.arrangement ? &*asked.arrangement : nullptr,
              asked.samples, as_asked(asked)),
      errors_(replay_.sweep(part.groups, few(part.rows.length()), part.threads)) {
    for (std::size_t g = 0; g < part.groups.size(); ++g)
        if (errors_[g].wrong > 0 && !is_wrong(part.groups[g])) groups_.push_back(part.groups[g]);
}

bool FewRows::is_wrong(std::size_t group) const {
    const auto at = std::find(part_.groups.begin(), part_.groups.end(), group);
    const GroupErrors& errors = errors_[static_cast<std::size_t>(at - part_.groups.begin())];
    return is_wrong_throughout(errors, part_.rows.length());
}

std::optional<Explanation> FewRows::explanation() {
    std::vector<std::uint64_t> indices;
    double before = 0, after = 0;
    for (std::size_t g = 0; g < part_.groups.size(); ++g) {
        const GroupErrors& errors = errors_[g];
        if (errors.wrong == 0 || is_wrong(part_.groups[g])) continue;
        if (errors.wrong != 2) return std::nullopt;
        const std::size_t a = errors.first[0], b = errors.first[1];
        const std::vector<std::uint64_t> own{part_.rows.index_of(a), part_.rows.index_of(b)};
        if (indices.empty()) indices = own;
        if (indices != own) return std::nullopt;
        before = std::max({before, replay_.error(a), replay_.error(b)});
        for (const auto& [row, other] : {std::pair{a, b}, {b, a}}) {
            const double error = replay_.error_at(row, other);
            if (!(error <= 1)) return std::nullopt;
            after = std::max(after, error);
        }
    }
    if (indices.empty()) return std::nullopt;
    return explanation_of(swap_mistake({indices[0], indices[1]}), before, after);
}

std::string FewRows::observation() const {
    std::uint64_t wrong = 0;
    std::vector<std::size_t> rows;
    for (std::size_t g = 0; g < part_.groups.size(); ++g) {
        if (errors_[g].wrong == 0 || is_wrong(part_.groups[g])) continue;
        wrong += errors_[g].wrong;
        rows.insert(rows.end(), errors_[g].first.begin(), errors_[g].first.end());
    }
    const std::string name = name_of_part(groups_, part_.rows);
    return (name.empty() ? "" : name + ": ") + decimal(wrong) + " of the " +
           decimal(groups_.size() * part_.rows.length()) +
           " rows looked at do not match the Spec, at positions " + positions_of(rows, part_.rows);
}

}  // namespace rope
