#include "rope/suite/audit.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/exact/codec.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/dimensions.hpp"

namespace rope {
namespace {

constexpr double probe_sizes[] = {1, 0x1p-7, 0x1p7};
constexpr std::uint64_t most_sequence_values = std::uint64_t{1} << 25;

// R(m) has head_dim² values for each place; at most 2²⁴ in all.
std::size_t most_places(const Spec& spec) {
    const std::uint64_t matrix = std::uint64_t{spec.head_dim} * spec.head_dim;
    return std::min<std::size_t>(max_audited_positions, (std::uint64_t{1} << 24) / matrix);
}

std::string probe_refusal(const std::string& what) {
    return "positions " + what + "; they must be 1 to " + decimal(max_audited_positions) +
           " different ones between -2^32 and 2^32";
}

void require_positions(const Spec& spec, const std::vector<double>& positions) {
    if (spec.head_dim > max_audited_head_dim)
        throw InputError("head_dim is " + decimal(spec.head_dim) +
                         "; an audit reads whole matrices and must have at most " +
                         decimal(max_audited_head_dim));
    if (positions.empty() || positions.size() > max_audited_positions)
        throw InputError(probe_refusal("are " + decimal(positions.size()) + " values"));
    std::set<double> seen;
    for (const double position : positions) {
        const bool is_valid = std::abs(position) < static_cast<double>(max_context);
        if (!is_valid || !seen.insert(position).second)
            throw InputError(
                probe_refusal("hold " + decimal(position) + (is_valid ? " twice" : "")));
    }
}

// Limits the groups, whose sequences are made and checked row by row.
void require_groups(const Audit& audit) {
    const auto& [batch, heads, order] = audit.groups;
    const std::uint64_t most =
        std::min(max_audited_groups, most_sequence_values / audit.places() / audit.spec.head_dim);
    if (batch >= 1 && heads >= 1 && batch <= most && heads <= most / batch) return;
    throw InputError("an audit has " + decimal(batch) + " batch entries of " + decimal(heads) +
                     " heads; with " + decimal(audit.places()) + " positions of " +
                     decimal(audit.spec.head_dim) + " dimensions it may have 1 to " +
                     decimal(most) + " heads in all");
}

// ±size·{1, 5/4, 3/2, 7/4, 2}
double probe_value(double size, Random& random) {
    const std::uint64_t bits = random.bits();
    const double value = size * (1 + static_cast<double>(bits % 5) / 4);
    return bits >> 63 ? -value : value;
}

// Returns the first place of a group's sequence: not 0, so that positions differ from row numbers,
// and far from those of neighbouring batch entries. It is less than plan_audit's
// step from axis to axis, so that no entry has another entry's positions with the axes exchanged.
std::uint64_t first_place(const Audit& audit, std::uint64_t group) {
    const auto& [batch, heads, order] = audit.groups;
    if (order == SequenceOrder::as_they_are) return 0;
    const bool is_own = order == SequenceOrder::own;
    const std::uint64_t places = audit.places(), orders = is_own ? batch : 1;
    const std::uint64_t moves = orders * audit.positions.size();
    const std::uint64_t step = std::max<std::uint64_t>(places / (moves + 1), 1);
    return (is_own ? group / heads + 1 : 1) * step % places;
}

// Repeats every position of each axis.
std::vector<std::vector<double>> repeated(const std::vector<std::vector<double>>& positions,
                                          std::size_t times) {
    std::vector<std::vector<double>> all(positions.size());
    for (std::size_t axis = 0; axis < positions.size(); ++axis)
        for (const double position : positions[axis])
            all[axis].insert(all[axis].end(), times, position);
    return all;
}

TableDump table_of(const Answers& answers) {
    const Audit& audit = answers.audit;
    const std::uint32_t pairs = audit.spec.pairs();
    std::vector<double> cos, sin;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (const bool of_second : {false, true})
            for (std::uint32_t i = 0; i < pairs; ++i) {
                const Dimensions from = dimensions_of_pair(audit.spec, i);
                const Dimensions to = written_dimensions_of_pair(audit.spec, i);
                const std::size_t dimension = of_second ? from.second : from.first;
                const double s =
                    answers.response(place, of_second ? to.first : to.second, dimension);
                cos.push_back(answers.response(place, of_second ? to.second : to.first, dimension));
                sin.push_back(of_second ? -s : s);
            }
    std::vector<std::vector<double>> positions = repeated(audit.positions, 2);
    TableDump dump{std::move(positions[0]), pairs,          {std::move(cos), pairs},
                   {std::move(sin), pairs}, answers.format, answers.origin};
    dump.more_positions.assign(positions.begin() + 1, positions.end());
    return dump;
}

// A program may be wrong at positions it was not asked for.
std::string note_on_positions(const Audit& audit) {
    constexpr std::size_t most_ranges = 40;
    std::vector<double> asked = audit.positions[0];
    const bool are_in_order = std::ranges::is_sorted(asked) && audit.sequences() > 0 &&
                              audit.groups.order == SequenceOrder::as_they_are;
    if (audit.is_backward)
        for (double& position : asked) position = std::abs(position);
    std::ranges::sort(asked);
    return std::string("asked for ") + (audit.is_backward ? "the gradient at " : "") +
           decimal(asked.size()) + (asked.size() == 1 ? " position: " : " positions: ") +
           ranges(asked, most_ranges) +
           (are_in_order ? ", counted as rows 0 to " + decimal(asked.size() - 1) : "") +
           (audit.is_backward ? ", which is the rotation to −m" : "") +
           "; --positions asks for others";
}

// The vectors of the sequences, which are exact in bfloat16.
StridedRows asked_in_sequences(const Audit& audit) {
    using Words = std::vector<std::uint16_t>;
    const auto words = std::make_shared<Words>();
    words->reserve(audit.sequences() * audit.places() * audit.spec.head_dim);
    for (std::uint64_t row = audit.matrix_rows(); row < audit.rows(); ++row)
        for (std::uint32_t dimension = 0; dimension < audit.spec.head_dim; ++dimension)
            words->push_back(
                Codec<Format::bfloat16>::nearest(static_cast<float>(audit.x(row, dimension))));
    return {Element::bfloat16,
            std::as_bytes(std::span<const std::uint16_t>(*words)),
            0,
            audit.spec.head_dim,
            1,
            words};
}

RotatedDump sequences_of(const Answers& answers) {
    const Audit& audit = answers.audit;
    const std::uint64_t places = audit.places(), heads = audit.groups.heads;
    std::vector<std::vector<double>> positions(audit.positions.size());
    for (std::size_t axis = 0; axis < positions.size(); ++axis)
        for (std::uint64_t row = audit.matrix_rows(); row < audit.rows(); ++row)
            positions[axis].push_back(audit.positions[axis][audit.place_of(row)]);
    RotatedDump dump{std::move(positions[0]), asked_in_sequences(audit),
                     answers.y.from(audit.matrix_rows()), answers.format, answers.origin};
    dump.more_positions.assign(positions.begin() + 1, positions.end());
    dump.grid = {{audit.groups.batch, heads * places}, {heads, places}, {places, 1}};
    return dump;
}

}  // namespace

std::uint64_t Audit::place_of(std::uint64_t row) const {
    if (row < matrix_rows()) return row / rows_per_place();
    const std::uint64_t index = row - matrix_rows();
    return (first_place(*this, index / places()) + index) % places();
}

std::uint64_t Audit::row_of(std::uint64_t group, std::uint64_t place) const {
    const std::uint64_t index = (place + places() - first_place(*this, group)) % places();
    return matrix_rows() + group * places() + index;
}

double Audit::x(std::uint64_t row, std::size_t dimension) const {
    if (row >= matrix_rows()) {
        Random random(seed);  // state after the probes
        random.skip((probes.size() + row - matrix_rows()) * spec.head_dim + dimension);
        return probe_value(1, random);
    }
    const std::uint64_t vector = row % rows_per_place();
    if (vector < spec.head_dim) return vector == dimension ? 1 : 0;
    return probes[vector - spec.head_dim][dimension];
}

Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed,
                 const AuditGroups& groups) {
    require_positions(spec, positions);
    Audit audit{spec, seed, {}, {}, groups};
    const std::uint32_t axes = axis_count(spec.axes);
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        audit.positions.push_back(positions);
        // rotate the list for the next axis, so that every position occurs on each
        std::rotate(positions.begin(),
                    positions.begin() + static_cast<std::ptrdiff_t>((positions.size() + axes - 1) /
                                                                    axes % positions.size()),
                    positions.end());
    }
    require_groups(audit);
    Random random(seed);
    for (const double size : probe_sizes) {
        std::vector<double>& probe = audit.probes.emplace_back();
        for (std::uint32_t dimension = 0; dimension < spec.head_dim; ++dimension)
            probe.push_back(probe_value(size, random));
    }
    return audit;
}

std::vector<double> audited_positions(const Spec& spec, std::uint64_t context) {
    std::vector<std::uint64_t> candidates{context - 1, context < 2 ? 0 : context - 2};
    std::set<std::uint64_t> boundaries(std::begin(diagnostic_positions),
                                       std::end(diagnostic_positions));
    for (std::uint64_t power = 64; power < context; power *= 2) boundaries.insert(power);
    candidates.insert(candidates.end(), boundaries.begin(), boundaries.end());
    for (std::uint64_t m = 0; m < 16; ++m) candidates.push_back(m);
    for (std::uint64_t power = 64; power < context; power *= 2)
        candidates.insert(candidates.end(), {power - 1, power + 1});
    for (std::uint64_t m = 16; m < 41; ++m) candidates.push_back(m);
    std::set<std::uint64_t> chosen;
    for (const std::uint64_t position : candidates)
        if (position < context && chosen.size() < most_places(spec)) chosen.insert(position);
    return {chosen.begin(), chosen.end()};
}

double Answers::roundoff() const {
    return std::max(unit_roundoff(format), unit_roundoff(Format::float32));
}

std::unique_ptr<RowSource> audited_rows(Answers answers, const Pipeline* pipeline) {
    const auto own = std::make_shared<const Answers>(std::move(answers));
    const Spec& spec = own->audit.spec;
    if (pipeline == nullptr) return table_rows(spec, table_of(*own), nullptr, 1, own);
    Pipeline coarser = *pipeline;
    if (unit_roundoff(own->format) > unit_roundoff(coarser.table)) coarser.table = own->format;
    return table_rows(spec, table_of(*own), &coarser, 1, own);
}

std::vector<std::string> notes_on(const Answers& answers) {
    std::vector<std::string> notes{note_on_positions(answers.audit)};
    if (answers.stored_in)
        notes.push_back(note_on_narrow_values("answered", answers.format, *answers.stored_in));
    return notes;
}

std::vector<std::string> facts_of_rows(const Answers& answers) {
    constexpr std::size_t most_ranges = 8;
    const Audit& audit = answers.audit;
    std::vector<std::uint64_t> not_finite, zero, unchanged;
    for (std::uint64_t index = 0; audit.sequences() > 0 && index < audit.places(); ++index) {
        bool is_finite = true, is_zero = true, is_unchanged = true;
        for (std::uint64_t group = 0; group < audit.sequences(); ++group) {
            const std::uint64_t row = audit.matrix_rows() + group * audit.places() + index;
            for (std::uint32_t dimension = 0; dimension < audit.spec.head_dim; ++dimension) {
                const double y = answers.y.at(row, dimension);
                is_finite = is_finite && std::isfinite(y);
                is_zero = is_zero && y == 0;
                is_unchanged = is_unchanged && y == audit.x(row, dimension);
            }
        }
        if (!is_finite) not_finite.push_back(index);
        if (is_zero) zero.push_back(index);
        if (is_unchanged) unchanged.push_back(index);
    }
    std::vector<std::string> facts;
    const auto add = [&](const std::vector<std::uint64_t>& rows, const char* what) {
        if (rows.empty()) return;
        facts.push_back((rows.size() == 1 ? "row " : "rows ") + ranges(rows, most_ranges) +
                        " of each sequence " + (rows.size() == 1 ? "is " : "are ") + what);
    };
    add(not_finite, "not finite");
    add(zero, "zero");
    add(unchanged, "not rotated: the values are those of x");
    return facts;
}

RotatedDump audited_vectors(const Answers& answers) {
    const Audit& audit = answers.audit;
    if (audit.sequences() > 0) return sequences_of(answers);
    const std::uint32_t dimensions = audit.spec.head_dim;
    const std::size_t probes = audit.probes.size();
    std::vector<double> before, after;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (std::size_t k = 0; k < probes * dimensions; ++k) {
            const std::uint64_t row = place * audit.rows_per_place() + dimensions + k / dimensions;
            before.push_back(audit.x(row, k % dimensions));
            after.push_back(answers.y.at(row, k % dimensions));
        }
    std::vector<std::vector<double>> positions = repeated(audit.positions, probes);
    RotatedDump dump{std::move(positions[0]),
                     {std::move(before), dimensions},
                     {std::move(after), dimensions},
                     answers.format,
                     answers.origin,
                     {}};
    dump.more_positions.assign(positions.begin() + 1, positions.end());
    return dump;
}

}  // namespace rope
