#include "rope/report/finding_archive.hpp"

namespace rope {
namespace {

// Makes the alternative of this number, whichever was there.
template <std::size_t k = 0>
void choose(FieldValue& value, std::size_t alternative) {
    if (alternative == k)
        value.emplace<k>();
    else if constexpr (k + 1 < std::variant_size_v<FieldValue>)
        choose<k + 1>(value, alternative);
    else
        throw std::length_error("bytes of another type");
}

}  // namespace

void exchange(Archive& archive, Witness& witness) {
    archive(witness.positions, witness.pair, witness.got, witness.want);
}

void exchange(Archive& archive, Violations& violations) {
    archive(violations.count, violations.first_position, violations.first_pair);
}

void exchange(Archive& archive, FieldValue& value) {
    std::size_t alternative = value.index();
    archive(alternative);
    if (archive.reads()) choose(value, alternative);
    std::visit(
        [&]<class T>(T& one) {
            if constexpr (!std::is_same_v<T, std::monostate>) archive(one);
        },
        value);
}

void exchange(Archive& archive, Field& field) {
    archive(field.name, field.value, field.role, field.event, field.distance);
}

void exchange(Archive& archive, Finding& finding) {
    archive(finding.check, finding.claim, finding.reading, finding.kind, finding.verdict,
            finding.statement, finding.source, finding.observed, finding.allowed, finding.worst,
            finding.samples, finding.violations, finding.fields, finding.note);
}

}  // namespace rope
