// A black-box test of a program that rotates vectors: what it is asked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

inline constexpr std::uint32_t max_audited_head_dim = 1024;
inline constexpr std::size_t max_audited_positions = 64;
inline constexpr std::uint64_t max_audited_groups = 4096;

// How the places follow each other in a sequence.
enum class SequenceOrder {
    own,     // in each batch entry otherwise, and otherwise than in the audit
    shared,  // otherwise than in the audit
    as_they_are,
};

// The batch entries and heads of what a program is asked beside its matrices.
struct AuditGroups {
    std::uint64_t batch = 1, heads = 1;
    SequenceOrder order = SequenceOrder::own;

    std::uint64_t count() const { return batch * heads; }
};

// At each place head_dim + probes.size() rows: the unit vectors e_0, e_1, …, whose images are the
// columns of R(m), and then the probes, which tell whether the program is linear at all. After
// those of all places, where there are several groups, a sequence of each, batch entry by batch
// entry and head by head: a random vector at every place.
struct Audit {
    Spec spec;
    std::uint64_t seed = 1;
    std::vector<std::vector<double>> positions;  // of each place, by axis
    // head_dim values each, none of them 0, of one size per probe: 1, 2⁻⁷ and 2⁷. Multiples of a
    // quarter of it, so that no number format down to bfloat16 has to round them.
    std::vector<std::vector<double>> probes;
    AuditGroups groups = {};

    std::uint64_t places() const { return positions[0].size(); }
    std::uint64_t rows_per_place() const { return spec.head_dim + probes.size(); }
    std::uint64_t matrix_rows() const { return places() * rows_per_place(); }
    std::uint64_t sequences() const { return groups.count() > 1 ? groups.count() : 0; }
    std::uint64_t rows() const { return matrix_rows() + sequences() * places(); }

    std::uint64_t place_of(std::uint64_t row) const;
    // Where a group's sequence is at this place.
    std::uint64_t row_of(std::uint64_t group, std::uint64_t place) const;
    // Vectors of the sequences are of size 1.
    double x(std::uint64_t row, std::size_t lane) const;
};

// Requires validate(spec). Throws InputError when the head is wider than max_audited_head_dim,
// there are no positions, too many, one twice, or an invalid one, or there are more groups than
// max_audited_groups or than their values allow.
Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed,
                 const AuditGroups& groups = {});

// The diagnostic ones below `context`, small ones for the fit, and the last: 64 at most, fewer
// where the head is wide.
std::vector<double> audited_positions(const Spec& spec, std::uint64_t context);

// What a program answered to an audit, as rows to be judged.

// What came back: audit.rows() rows of head_dim values.
struct Answers {
    Audit audit;
    StridedRows y;
    Format format = Format::float32;
    std::string origin;
    std::optional<Format> stored_in = {};  // where that is wider than `format`

    // The program's R(m): the share of lane `from` in lane `to`.
    double response(std::uint64_t place, std::size_t to, std::size_t from) const {
        return y.at(place * audit.rows_per_place() + from, to);
    }
    // Rounding of one operation of the program, which need not compute in more than float32.
    double roundoff() const;
};

// (cos, sin) as R(m) has them in the Spec's 2×2 blocks, two rows a place: (R_aa, R_ba) and
// (R_bb, −R_ab). The checks of what else R(m) does (linearity, structure, pass-through) see it all.
std::unique_ptr<RowSource> audited_rows(Answers answers, const Pipeline* pipeline = nullptr);

// What a diagnosis looks at, before and after: the probes of each place, or, where there are
// several groups, their sequences.
RotatedDump audited_vectors(const Answers& answers);

}  // namespace rope
