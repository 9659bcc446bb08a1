// What a program answered to an audit, as rows to be judged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rope/audit/audit.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

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
