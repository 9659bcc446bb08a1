#include "rope/subject/audit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.hpp"
#include "rope/number/random.hpp"
#include "rope/subject/diagnostic_positions.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/table/rotate.hpp"

namespace rope {
namespace {

constexpr double probe_sizes[] = {1, 0x1p-7, 0x1p7};

// R(m) of a place is head_dim² values: 2²⁴ in all.
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

// ±size·{1, 5/4, 3/2, 7/4, 2}
std::vector<double> random_probe(std::uint32_t lanes, double size, Random& random) {
    std::vector<double> x;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t bits = random.bits();
        const double value = size * (1 + static_cast<double>(bits % 5) / 4);
        x.push_back(bits >> 63 ? -value : value);
    }
    return x;
}

// Lanes that must pass, in every row: y = x to the bit.
PassThrough compare_passed_lanes(const Answers& answers) {
    const Audit& audit = answers.audit;
    const std::vector<std::size_t> lanes = passed_lanes(audit.spec);
    PassThrough passed;
    for (std::uint64_t row = 0; row < audit.rows(); ++row)
        for (const std::size_t lane : lanes)
            passed.compare(audit.positions[0][row / audit.rows_per_place()],
                           answers.y.at(row, lane), audit.x(row, lane));
    return passed;
}

TableDump table_of(const Answers& answers) {
    const Audit& audit = answers.audit;
    const std::uint32_t pairs = audit.spec.pairs();
    std::vector<double> cos, sin;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (const bool of_second : {false, true})
            for (std::uint32_t i = 0; i < pairs; ++i) {
                const Lanes from = lanes_of_pair(audit.spec, i);
                const Lanes to = written_lanes_of_pair(audit.spec, i);
                const std::size_t lane = of_second ? from.second : from.first;
                const double s = answers.response(place, of_second ? to.first : to.second, lane);
                cos.push_back(answers.response(place, of_second ? to.second : to.first, lane));
                sin.push_back(of_second ? -s : s);
            }
    std::vector<std::vector<double>> positions(audit.positions.size());
    for (std::size_t axis = 0; axis < positions.size(); ++axis)
        for (const double position : audit.positions[axis])
            positions[axis].insert(positions[axis].end(), 2, position);
    TableDump dump{std::move(positions[0]), pairs,          {std::move(cos), pairs},
                   {std::move(sin), pairs}, answers.format, answers.origin};
    positions.erase(positions.begin());
    dump.more_positions = std::move(positions);
    return dump;
}

// Judged as the pipeline's table, or in the format of the answers if that is coarser.
std::unique_ptr<RowSource> rows_of(const Answers& answers, const Pipeline* pipeline) {
    if (pipeline == nullptr) return table_rows(answers.audit.spec, table_of(answers));
    Pipeline own = *pipeline;
    if (unit_roundoff(answers.format) > unit_roundoff(own.table)) own.table = answers.format;
    return table_rows(answers.audit.spec, table_of(answers), &own);
}

class AuditedRows final : public RowSource {
  public:
    AuditedRows(Answers answers, const Pipeline* pipeline)
        : answers_(std::move(answers)), table_(rows_of(answers_, pipeline)) {
        const Spec& spec = answers_.audit.spec;
        if (spec.rotary_dim < spec.head_dim) pass_through_ = compare_passed_lanes(answers_);
    }
    std::unique_ptr<RowReader> read(PairRange pairs) const override { return table_->read(pairs); }
    std::uint64_t rows() const override { return table_->rows(); }
    std::span<const double> positions(std::uint32_t axis) const override {
        return table_->positions(axis);
    }
    bool has_several_axes() const override { return table_->has_several_axes(); }
    std::optional<PassThrough> pass_through() const override { return pass_through_; }
    const Answers* answers() const override { return &answers_; }
    const Exactness& exactness() const override { return table_->exactness(); }
    Subject subject() const override {
        Subject subject = table_->subject();
        if (answers_.stored_in)
            subject.notes.push_back(
                note_on_narrow_values("answered", answers_.format, *answers_.stored_in));
        return subject;
    }

  private:
    Answers answers_;
    std::unique_ptr<RowSource> table_;
    std::optional<PassThrough> pass_through_;
};

}  // namespace

double Audit::x(std::uint64_t row, std::size_t lane) const {
    const std::uint64_t vector = row % rows_per_place();
    if (vector < spec.head_dim) return vector == lane ? 1 : 0;
    return probes[vector - spec.head_dim][lane];
}

Audit plan_audit(const Spec& spec, std::vector<double> positions, std::uint64_t seed) {
    require_positions(spec, positions);
    Audit audit{spec, seed, {}, {}};
    const std::uint32_t axes = axis_count(spec.axes);
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        audit.positions.push_back(positions);
        // another one on each axis, and each of them on every axis
        std::rotate(positions.begin(),
                    positions.begin() + static_cast<std::ptrdiff_t>((positions.size() + axes - 1) /
                                                                    axes % positions.size()),
                    positions.end());
    }
    Random random(seed);
    for (const double size : probe_sizes)
        audit.probes.push_back(random_probe(spec.head_dim, size, random));
    return audit;
}

std::vector<double> audited_positions(const Spec& spec, std::uint64_t context) {
    std::vector<std::uint64_t> candidates{context - 1, context < 2 ? 0 : context - 2};
    candidates.insert(candidates.end(), std::begin(diagnostic_positions),
                      std::end(diagnostic_positions));
    for (std::uint64_t m = 0; m < 41; ++m) candidates.push_back(m);
    std::set<std::uint64_t> chosen;
    for (const std::uint64_t position : candidates)
        if (position < context && chosen.size() < most_places(spec)) chosen.insert(position);
    return {chosen.begin(), chosen.end()};
}

double Answers::roundoff() const {
    return std::max(unit_roundoff(format), unit_roundoff(Format::float32));
}

std::unique_ptr<RowSource> audited_rows(Answers answers, const Pipeline* pipeline) {
    return std::make_unique<AuditedRows>(std::move(answers), pipeline);
}

RotatedDump audited_vectors(const Answers& answers) {
    const Audit& audit = answers.audit;
    const std::uint32_t lanes = audit.spec.head_dim;
    std::vector<double> before, after;
    for (std::uint64_t place = 0; place < audit.places(); ++place)
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint64_t row = place * audit.rows_per_place() + lanes;
            before.push_back(audit.x(row, lane));
            after.push_back(answers.y.at(row, lane));
        }
    return {audit.positions[0],
            {std::move(before), lanes},
            {std::move(after), lanes},
            answers.format,
            answers.origin,
            {audit.positions.begin() + 1, audit.positions.end()}};
}

}  // namespace rope
