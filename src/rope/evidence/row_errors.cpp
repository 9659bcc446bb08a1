#include <utility>

#include "base/tasks.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/rows/dump.hpp"

namespace rope {
namespace {

// (cos, sin) of an angle → (cos, sin) with this orientation
void turn_as(Orientation turn, double& c, double& s) {
    if (is_reversed(turn)) s = -s;
    for (int k = quarters_of(turn); k > 0; --k) c = -std::exchange(s, c);
}

std::uint64_t phase_of(double angle) {
    const double turns = angle / (2 * std::numbers::pi);
    return static_cast<std::uint64_t>((turns - std::floor(turns)) * 0x1p63) << 1;
}

// Every row of some groups is compared in chunks, one per task.

constexpr unsigned chunks = 8;  // for any number of threads, so that a group ends at the same row
constexpr std::uint64_t chunk_rows = 1024;
constexpr std::size_t most_listed = 16;

}  // namespace

void GroupErrors::add(std::size_t row, double error) {
    ++looked;
    if (error <= 1) {
        worst = std::max(worst, error);
        return;
    }
    ++wrong;
    if (first.size() < most_listed) first.push_back(row);
}

void GroupErrors::append(const GroupErrors& later) {
    looked += later.looked;
    wrong += later.wrong;
    worst = std::max(worst, later.worst);
    const std::size_t room = most_listed - first.size();
    first.insert(
        first.end(), later.first.begin(),
        later.first.begin() + static_cast<std::ptrdiff_t>(std::min(room, later.first.size())));
}

double value_of(const Hypothesis& hypothesis, const TableEntry& entry) {
    const std::uint64_t phase = phase_of(hypothesis.theta[entry.column] * entry.position);
    double c, s;
    kernels().cos_sin_of_turns(1, &phase, &c, &s);
    return entry.is_sin ? s : c;
}

double read_tolerance(const Samples& samples, const Hypothesis& hypothesis,
                      const TableEntries& entries) {
    double of_angles = 0;
    for (const TableEntry& entry : entries) {
        if (entry.position < 0) return HUGE_VAL;
        of_angles =
            std::max(of_angles, angle_tolerance(samples, hypothesis, entry.position, entry.column));
    }
    return std::numbers::sqrt2 * (stored_tolerance(samples, hypothesis) + of_angles);
}

RowErrors::RowErrors(const Dump& dump, const RowGroups& groups, const Arrangement* arrangement,
                     const Samples& samples, Hypothesis hypothesis)
    : ArrayRows(dump),
      dump_(dump),
      groups_(groups),
      arrangement_(arrangement),
      samples_(samples),
      hypothesis_(std::move(hypothesis)),
      storage_(stored_tolerance(samples, hypothesis_)),
      given_(1 + *std::ranges::max_element(hypothesis_.axis)),
      allowed_(samples.pairs),
      errors_(samples.pairs) {
    variants_ = expected_angles(hypothesis_, 1, 0).count;
    cos_.resize(variants_ * samples.pairs);
    sin_.resize(cos_.size());
    phases_.resize(cos_.size());
    finite_.resize(cos_.size());
    if (arrangement_ == nullptr) return;
    if (!arrangement_->is_rotation) storage_ /= 3;  // undoes sample_vectors' factor
    rest_ = arrangement_->rest();
    for (auto& dimension : dimensions_) dimension.resize(samples.pairs);
    norms_.resize(samples.pairs);
}

double RowErrors::given(std::size_t row, std::uint32_t axis) const {
    if (!hypothesis_.places.empty())
        if (const auto other = hypothesis_.places[axis].other_ids) {
            const OtherIds& ids = samples_.other_ids[*other];
            return groups_.place(row, ids.source, ids.axis);
        }
    return place_of(samples_, groups_, row, axis);
}

void RowErrors::set_given(std::uint32_t axis, double position) {
    if (given_[axis] != position) predicted_ = 0;
    given_[axis] = position;
}

void RowErrors::set_given(std::size_t row) {
    for (std::uint32_t axis = 0; axis < given_.size(); ++axis) set_given(axis, given(row, axis));
}

void RowErrors::predict(PairRange pairs) {
    const std::uint32_t end = pairs.first + pairs.count;
    if (end <= predicted_) return;
    predicted_ = end;
    if (hypothesis_.read) return predict_read(pairs);
    for (std::uint32_t i = pairs.first; i < end; ++i) {
        const double m = given_[hypothesis_.axis[i]];
        allowed_[i] =
            storage_ + angle_tolerance(samples_, hypothesis_, hypothesis_.map_of(i)(m), i);
        const ExpectedAngles angles = expected_angles(hypothesis_, m, i);
        for (std::size_t v = 0; v < variants_; ++v) {
            const std::size_t k = v * samples_.pairs + i;
            finite_[k] = std::isfinite(angles.values[v]) ? 1 : 0;
            phases_[k] = finite_[k] != 0 ? phase_of(angles.values[v]) : 0;
        }
    }
    for (std::size_t v = 0; v < variants_; ++v) {
        const std::size_t first = v * samples_.pairs + pairs.first;
        kernels().cos_sin_of_turns(pairs.count, &phases_[first], &cos_[first], &sin_[first]);
        for (std::size_t k = first; k < first + pairs.count; ++k)
            turn_as(hypothesis_.turn, cos_[k], sin_[k]);
    }
}

void RowErrors::predict_read(PairRange pairs) {
    for (std::uint32_t i = pairs.first; i < pairs.first + pairs.count; ++i) {
        const TableEntries entries = hypothesis_.read(given_[hypothesis_.axis[i]], i);
        allowed_[i] = read_tolerance(samples_, hypothesis_, entries);
        cos_[i] = value_of(hypothesis_, entries[0]);
        sin_[i] = value_of(hypothesis_, entries[1]);
        finite_[i] = 1;
    }
}

template <class ErrorOf>
double RowErrors::least_error(std::uint32_t pair, const ErrorOf& error_of) const {
    double least = HUGE_VAL;
    for (std::size_t k = pair; k < cos_.size(); k += samples_.pairs) {
        if (finite_[k] == 0) {
            if (are_both_lost(pair)) least = 0;
            continue;
        }
        const double error = error_of(cos_[k], sin_[k]);
        if (error < least) least = error;
    }
    return least / allowed_[pair];
}

double RowErrors::table_error(std::uint32_t pair) const {
    return least_error(pair, [&](double c, double s) {
        return portable::hypot(x()[pair] / hypothesis_.amplitude - c,
                               y()[pair] / hypothesis_.amplitude - s);
    });
}

double RowErrors::vector_error(std::uint32_t pair) const {
    const auto& [a, b] = arrangement_->columns[pair];
    const double xa = xy_[a.own], pa = a.sign * xy_[a.partner];
    const double xb = xy_[b.own], pb = b.sign * xy_[b.partner];
    const double ya = y()[a.out], yb = y()[b.out];
    const double norm = std::sqrt((xa * xa + pa * pa + xb * xb + pb * pb) / 2);
    const double telling = samples_.least_norm;
    if (norm < telling && std::abs(ya) < 2 * telling && std::abs(yb) < 2 * telling &&
        (norm > 0 || (ya == 0 && yb == 0)))
        return 0;
    const double scale = hypothesis_.amplitude;
    return least_error(pair, [&](double c, double s) {
        const double ea = ya - scale * (xa * c + pa * s), eb = yb - scale * (xb * c + pb * s);
        return std::sqrt(ea * ea + eb * eb) / (norm * scale);
    });
}

void RowErrors::vector_errors(PairRange pairs) {
    const std::uint32_t first = pairs.first, end = first + pairs.count;
    for (std::size_t half = 0; half < 2; ++half) {
        const auto* const columns = arrangement_->columns.data();
        const double *const xy = xy_.data(), *const y = xy + width_;
        double* const own = dimensions_[3 * half].data();
        double* const partner = dimensions_[3 * half + 1].data();
        double* const out = dimensions_[3 * half + 2].data();
        for (std::uint32_t i = first; i < end; ++i) {
            const DimensionTerm& term = columns[i][half];
            own[i] = xy[term.own];
            partner[i] = term.sign * xy[term.partner];
            out[i] = y[term.out];
        }
    }
    kernels().recovery->turn_errors(
        pairs.count,
        {&dimensions_[0][first], &dimensions_[1][first], &dimensions_[2][first],
         &dimensions_[3][first], &dimensions_[4][first], &dimensions_[5][first]},
        {&cos_[first], &sin_[first]}, hypothesis_.amplitude, &norms_[first], &errors_[first]);
    for (std::uint32_t i = first; i < end; ++i)
        errors_[i] = norms_[i] >= samples_.least_norm && finite_[i] != 0 && errors_[i] < HUGE_VAL
                         ? errors_[i] / allowed_[i]
                         : vector_error(i);
}

double RowErrors::rest_error() const {
    const auto* vectors = std::get_if<RotatedDump>(&dump_);
    double worst = 0;
    for (const std::size_t dimension : rest_) {
        if (is_kept(*vectors, x()[dimension], y()[dimension])) continue;
        const double apart =
            std::abs(y()[dimension] - x()[dimension]) / half_spacing(vectors->format, 1);
        worst = std::isfinite(apart) ? std::max({worst, apart, 2.0}) : HUGE_VAL;
    }
    return worst;
}

const std::vector<double>& RowErrors::pair_errors(std::size_t row) {
    set_given(row);
    const PairRange all{0, samples_.pairs};
    predict(all);
    read(row);
    find_errors(all);
    return errors_;
}

void RowErrors::read(std::size_t row) {
    if (row_ != row) ArrayRows::read(row_before(row), row);
    row_ = row;
}

void RowErrors::find_errors(PairRange pairs) {
    if (arrangement_ != nullptr && variants_ == 1) {
        vector_errors(pairs);
        return;
    }
    for (std::uint32_t i = pairs.first; i < pairs.first + pairs.count; ++i)
        errors_[i] = arrangement_ != nullptr ? vector_error(i) : table_error(i);
}

// Wrong positions usually show in the fastest pairs, which come first.
double RowErrors::error_given(std::size_t row) {
    constexpr std::uint32_t few = 8;
    read(row);
    for (std::uint32_t first = 0, end = few; first < samples_.pairs;
         first = end, end = samples_.pairs) {
        end = std::min(end, samples_.pairs);
        predict({first, end - first});
        find_errors({first, end - first});
        for (std::uint32_t i = first; i < end; ++i)
            if (!(errors_[i] <= 1)) return HUGE_VAL;
    }
    return worst_of(errors_);
}

double RowErrors::exact(const DimensionTerm& term, std::uint32_t pair) const {
    return hypothesis_.amplitude *
           (xy_[term.own] * cos_[pair] + term.sign * xy_[term.partner] * sin_[pair]);
}

Loss RowErrors::loss(std::uint32_t pair) const {
    const auto finite = [](double a, double b) { return std::isfinite(a) && std::isfinite(b); };
    if (arrangement_ == nullptr) return finite(x()[pair], y()[pair]) ? Loss::none : Loss::memory;
    const auto& [a, b] = arrangement_->columns[pair];
    if (!finite(xy_[a.own], xy_[b.own]))
        return std::isfinite(y()[a.out]) != std::isfinite(y()[b.out]) ? Loss::memory : Loss::given;
    if (finite(y()[a.out], y()[b.out])) return Loss::none;
    const double allowed =
        allowed_[pair] * hypothesis_.amplitude * portable::hypot(xy_[a.own], xy_[b.own]);
    const auto is_exceeded = [&](const DimensionTerm& term) {
        const double wanted = exact(term, pair), written = y()[term.out];
        if (!std::isinf(written)) return std::abs(written - wanted) <= allowed;
        const Format format = std::get<RotatedDump>(dump_).format;
        return (written < 0) == (wanted < 0) &&
               std::isinf(round_to(format, std::abs(wanted) + allowed));
    };
    return is_exceeded(a) && is_exceeded(b) ? Loss::overflow : Loss::memory;
}

bool RowErrors::are_both_lost(std::uint32_t pair) const {
    if (arrangement_ == nullptr) return !std::isfinite(x()[pair]) && !std::isfinite(y()[pair]);
    const auto& [a, b] = arrangement_->columns[pair];
    return !std::isfinite(y()[a.out]) && !std::isfinite(y()[b.out]);
}

std::array<bool, 2> RowErrors::right_dimensions(std::uint32_t pair) const {
    const auto& [a, b] = arrangement_->columns[pair];
    const double tolerance =
        std::max(0x1p-14, 16 * half_spacing(std::get<RotatedDump>(dump_).format, 1));
    const double allowed =
        tolerance * hypothesis_.amplitude * portable::hypot(xy_[a.own], xy_[b.own]);
    const auto is_right = [&](const DimensionTerm& term) {
        return std::abs(exact(term, pair) - y()[term.out]) <= allowed;
    };
    return {is_right(a), is_right(b)};
}

double RowErrors::cosine() const {
    Cosine between;
    for (std::uint32_t pair = 0; pair < samples_.pairs; ++pair)
        for (const DimensionTerm& term : arrangement_->columns[pair])
            between.add(exact(term, pair), y()[term.out]);
    return between.value();
}

double RowErrors::error(std::size_t row) { return worst_of(pair_errors(row)); }

double RowErrors::error_within(std::size_t row) {
    set_given(row);
    return error_given(row);
}

double RowErrors::error_for(std::size_t row, const std::vector<double>& place) {
    for (std::uint32_t axis = 0; axis < given_.size(); ++axis)
        set_given(axis, place[axis < place.size() ? axis : 0]);
    return error_given(row);
}

double RowErrors::worst_of(const std::vector<double>& errors) const {
    if (rest_error() > 0) return HUGE_VAL;
    double worst = 0;
    for (const double error : errors) {
        if (std::isnan(error)) return HUGE_VAL;
        worst = std::max(worst, error);
    }
    return worst;
}

void RowErrors::look(const std::vector<std::size_t>& of, std::uint64_t begin, std::uint64_t end,
                     std::uint64_t most_wrong, std::vector<GroupErrors>& errors) {
    for (std::uint64_t index = begin; index < end; ++index)
        for (std::size_t g = 0; g < of.size(); ++g) {
            if (errors[g].wrong > most_wrong) continue;
            const std::size_t row = groups_.row(of[g], index);
            if (index + 1 < groups_.length()) {
                const std::size_t next = groups_.row(of[g], index + 1);
                prefetch(row_before(next), next);
            }
            errors[g].add(row, error_within(row));
        }
}

std::vector<GroupErrors> RowErrors::sweep(const std::vector<std::size_t>& of,
                                          std::uint64_t most_wrong, unsigned threads) {
    if (threads == 0) threads = machine_threads();
    std::vector<GroupErrors> found(of.size());
    const std::uint64_t length = groups_.length(), step = chunks * chunk_rows;
    for (std::uint64_t begin = 0; begin < length; begin += step) {
        std::vector<std::size_t> still, places;  // groups not given up: numbers, places in `of`
        for (std::size_t g = 0; g < of.size(); ++g)
            if (found[g].wrong <= most_wrong) {
                still.push_back(of[g]);
                places.push_back(g);
            }
        if (still.empty()) break;
        std::vector<std::vector<GroupErrors>> parts(chunks, std::vector<GroupErrors>(still.size()));
        const auto count = static_cast<std::size_t>(
            (std::min(step, length - begin) + chunk_rows - 1) / chunk_rows);
        run_tasks(count, threads, [&](std::size_t part) {
            const std::uint64_t first = begin + part * chunk_rows;
            RowErrors(*this).look(still, first, std::min(first + chunk_rows, length), most_wrong,
                                  parts[part]);
        });
        for (std::size_t part = 0; part < count; ++part)
            for (std::size_t g = 0; g < still.size(); ++g) found[places[g]].append(parts[part][g]);
    }
    return found;
}

}  // namespace rope
