// Black-box tests of a program that rotates vectors: the request and the answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rope/rows/dump.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

inline constexpr std::uint32_t max_audited_head_dim = 1024;
inline constexpr std::size_t max_audited_positions = 64;
inline constexpr std::uint64_t max_audited_groups = 4096;

// Order of the positions in the sequences of an audit.
enum class SequenceOrder {
    own,     // rotated differently for each batch entry
    shared,  // rotated, the same in all sequences
    as_they_are,
};

// Batch entries and heads of the sequences in an audit.
struct AuditGroups {
    std::uint64_t batch = 1, heads = 1;
    SequenceOrder order = SequenceOrder::own;

    std::uint64_t count() const { return batch * heads; }
};

// An audit holds, for each place, head_dim + probes.size() rows: the unit vectors e_0, e_1, …,
// whose images are the columns of R(m), and the probes, which test linearity. If there are several
// groups, a sequence of each follows, ordered by batch entry and then head, with a random vector at
// every place.
struct Audit {
    Spec spec;
    std::uint64_t seed = 1;
    std::vector<std::vector<double>> positions;  // [axis][place]
    // head_dim values each, none of them 0. Their sizes are 1, 2⁻⁷ and 2⁷, and they are multiples
    // of a quarter of that, exact in every format down to bfloat16.
    std::vector<std::vector<double>> probes;
    AuditGroups groups = {};
    bool is_backward = false;  // asks for R(m)ᵀ·dy, the rotation to −m, which is the position here

    std::uint64_t places() const { return positions[0].size(); }
    std::uint64_t rows_per_place() const { return spec.head_dim + probes.size(); }
    std::uint64_t matrix_rows() const { return places() * rows_per_place(); }
    std::uint64_t sequences() const { return groups.count() > 1 ? groups.count() : 0; }
    std::uint64_t rows() const { return matrix_rows() + sequences() * places(); }

    std::uint64_t place_of(std::uint64_t row) const;
    // Returns the row of this place in a group's sequence.
    std::uint64_t row_of(std::uint64_t group, std::uint64_t place) const;
    // Returns one input value. The vectors of the sequences have size 1.
    double x(std::uint64_t row, std::size_t dimension) const;
};

// Requires a valid Spec. Throws InputError if the head is wider than max_audited_head_dim, there
// are no positions, too many, repeated or invalid ones, or more groups than max_audited_groups or
// the number of values allows.
Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed,
                 const AuditGroups& groups = {});

// Returns the last two positions below `context`, the diagnostic ones, powers of two from 64 on,
// where kernels begin a new tile or chunk, their neighbours, and small ones for the fit: at most
// 64, in this order, fewer for wide heads.
std::vector<double> audited_positions(const Spec& spec, std::uint64_t context);

// A fault of how a function is called, independent of its results.
struct CallFault {
    enum class Kind {
        state,   // two equal calls returned different values
        reused,  // a row got other values in another call; of rows: only in calls of fewer rows; of
                 // offset: only in calls without the first position
        mixed,   // a row got other values where other rows of x, `of`, were negated
        ignored,   // `of` and its negative have the same image
        modified,  // `of` was changed by a function that returns its result
    };
    Kind kind;
    std::string of = {};  // x, q, k or positions; of mixed: entries, heads or rows
};

// A program's answers: audit.rows() rows of head_dim values.
struct Answers {
    Audit audit;
    StridedRows y;
    Format format = Format::float32;
    std::string origin;
    std::optional<Format> stored_in = {};  // storage format, if wider than `format`
    std::vector<CallFault> call_faults = {};
    std::uint64_t compared_rows = 0;  // with the same row of another call

    // Returns R(m)[to, from] of the program.
    double response(std::uint64_t place, std::size_t to, std::size_t from) const {
        return y.at(place * audit.rows_per_place() + from, to);
    }
    // Returns the unit roundoff of the program's arithmetic, which may be only float32.
    double roundoff() const;
};

// Returns (cos, sin) from the Spec's 2×2 blocks of R(m), in two rows for each place: (R_aa, R_ba)
// and (R_bb, −R_ab). Other checks (linearity, structure, pass-through) use all of R(m). Limits are
// those of the pipeline's table format, or of the format of the answers if coarser.
std::unique_ptr<RowSource> audited_rows(Answers answers, const Pipeline* pipeline = nullptr);

// Returns a sentence for the positions that were asked for, and one for values in a wider format.
std::vector<std::string> notes_on(const Answers& answers);

// Returns a sentence for each kind of rows that are not finite, zero or as before in every
// sequence.
std::vector<std::string> facts_of_rows(const Answers& answers);

// Returns the vectors before and after for a diagnosis: the sequences if there are several groups,
// else the probes of each place.
RotatedDump audited_vectors(const Answers& answers);

}  // namespace rope
