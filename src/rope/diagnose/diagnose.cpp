#include <utility>

#include "rope/changes/cleared.hpp"
#include "rope/diagnose/diagnose_parts.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/explain/observations.hpp"
#include "rope/diagnose/part_search.hpp"

namespace rope {
namespace {

Diagnosis diagnose_frequencies(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    const std::vector<DumpReading> all = readings(asked, dump, judgement);
    if (all.empty()) return {{}, {"no Spec of this shape explains it"}};
    Diagnosis found{find_in_frequencies(asked, all), {}};
    if (found.explanations.empty()) found.observations = observations(all.front());
    return found;
}

std::optional<Cleared> cleared_of_scale(const Spec& asked, const RotatedDump& dump) {
    auto scale = vector_scale(asked, dump, RowGroups(dump));
    if (!scale) return std::nullopt;
    RotatedDump unscaled = dump;
    unscaled.after = unscaled.after.divided_by(std::move(scale->of_row));
    // of the product, of the number and of the quotient, each rounded
    return Cleared{std::move(scale->mistake), std::move(unscaled), 4};
}

// With what was done beside the rotation taken out, where that leaves something that is known.
class DiagnosingCleared {
  public:
    DiagnosingCleared(const Spec& asked, const Dump& dump, const Judgement& judgement)
        : asked_(asked), dump_(dump), judgement_(judgement) {}

    Diagnosis diagnosis() && {
        const auto* vectors = std::get_if<RotatedDump>(&dump_);
        if (vectors && is_explained(cleared_of_scale(asked_, *vectors))) return std::move(found_);
        Diagnosis plain = diagnose_parts(asked_, dump_, judgement_);
        if (!plain.explanations.empty()) return plain;
        if (vectors ? explains(*vectors) : explains(std::get<TableDump>(dump_)))
            return std::move(found_);
        return plain;
    }

  private:
    bool explains(const RotatedDump& vectors) {
        const auto is_enough = [&](Cleared cleared) { return is_explained(std::move(cleared)); };
        if (is_explained(cleared_of_other_vectors(vectors)) ||
            is_explained(cleared_of_moved_lanes(asked_, vectors)) ||
            is_explained(cleared_of_xpos(asked_, vectors)))
            return true;
        clear_of_weights(asked_, vectors, is_enough);
        if (found_.explanations.empty()) clear_of_shift(asked_, vectors, is_enough);
        if (found_.explanations.empty()) clear_of_transform(asked_, vectors, is_enough);
        if (found_.explanations.empty()) clear_of_other_rotation(asked_, vectors, is_enough);
        return !found_.explanations.empty();
    }
    bool explains(const TableDump& table) {
        return is_explained(cleared_of_unequal_scale(asked_, table)) ||
               is_explained(cleared_of_fixed_point(table));
    }

    bool is_explained(std::optional<Cleared> cleared) {
        if (!cleared) return false;
        Judgement judgement = judgement_;
        if (judgement.exactness) {
            judgement.exactness->rounding *= cleared->times;
            judgement.exactness->rounding += cleared->further;
        }
        const TakenOut taken_out{std::move(cleared->mistake), dump_, judgement_, cleared->times};
        found_ = diagnose_parts(asked_, cleared->dump, judgement, &taken_out);
        return !found_.explanations.empty();
    }

    const Spec& asked_;
    const Dump& dump_;
    const Judgement& judgement_;
    Diagnosis found_;
};

}  // namespace

Diagnosis diagnose(const Spec& asked, const Dump& dump, const Judgement& judgement) {
    if (std::holds_alternative<FrequencyDump>(dump))
        return diagnose_frequencies(asked, dump, judgement);
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors && head_dim_of(*vectors) != asked.head_dim)
        return {{}, {"no Spec of this shape explains it"}};
    return DiagnosingCleared(asked, dump, judgement).diagnosis();
}

}  // namespace rope
