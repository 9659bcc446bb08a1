// Views with positions from another source, and vectors in another order.
#include <map>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/changes/positions.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

// The norms of at most 24 evenly spaced rows of each head.
std::vector<std::vector<double>> norms_of_heads(const StridedRows& vectors, const RowGroups& rows,
                                                const DimensionRange& dimensions) {
    const std::uint64_t some = std::min<std::uint64_t>(24, rows.length());
    std::vector<std::vector<double>> norms(rows.heads());
    for (std::size_t head = 0; head < norms.size(); ++head)
        for (std::uint64_t k = 0; k < some; ++k)
            norms[head].push_back(norm_of(vectors, rows.row(head, k * rows.length() / some),
                                          dimensions.first, dimensions.end));
    return norms;
}

// max/min − 1 of |y|/|x|
double spread_of_norms(const std::vector<double>& after, const std::vector<double>& before) {
    double low = INFINITY, high = 0;
    for (std::size_t k = 0; k < after.size(); ++k) {
        const double ratio = after[k] / before[k];
        if (!std::isfinite(ratio)) continue;
        low = std::min(low, ratio);
        high = std::max(high, ratio);
    }
    return high > 0 ? high / low - 1 : INFINITY;
}

using Heads = std::vector<std::size_t>;

// The heads grouped by equal norms: heads that share a head of k are equal.
std::vector<Heads> equal_heads(const std::vector<std::vector<double>>& norms) {
    std::vector<Heads> all;
    for (std::size_t head = 0; head < norms.size(); ++head) {
        const auto same = std::ranges::find_if(
            all, [&](const Heads& some) { return norms[some.front()] == norms[head]; });
        if (same == all.end())
            all.push_back({head});
        else
            same->push_back(head);
    }
    return all;
}

// The group of equal heads that has norms most like a head's; none if the smallest difference is
// 3 % or more, or if the second is less than three times as large.
std::optional<std::size_t> most_like(const std::vector<double>& after,
                                     const std::vector<std::vector<double>>& before,
                                     const std::vector<Heads>& equal) {
    constexpr double most = 0.03;
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t k = 0; k < equal.size(); ++k)
        others.emplace_back(spread_of_norms(after, before[equal[k].front()]), k);
    std::sort(others.begin(), others.end());
    const bool is_open = others.size() > 1 && others[1].first < 3 * others[0].first;
    if (!(others[0].first < most) || is_open) return std::nullopt;
    return others[0].second;
}

// The head of q that each head holds, by the norms of these dimensions; equal heads are taken in
// turn.
std::optional<Heads> heads_by_norms(const RotatedDump& dump, const RowGroups& rows,
                                    const DimensionRange& dimensions) {
    const auto after = norms_of_heads(dump.after, rows, dimensions),
               before = norms_of_heads(dump.before, rows, dimensions);
    const std::vector<Heads> equal = equal_heads(before);
    std::vector<std::size_t> taken(equal.size());
    Heads of_head;
    for (const std::vector<double>& norms : after) {
        const auto k = most_like(norms, before, equal);
        if (!k || taken[*k] == equal[*k].size()) return std::nullopt;
        of_head.push_back(equal[*k][taken[*k]++]);
    }
    return of_head;
}

constexpr std::size_t most_rows_of_a_time = 2;  // rows per time

// The position on the time axis (`stands`) of an image row with this id.
struct FramePlace {
    ImageRow row;
    double id, stands, tolerance;
};

struct Range {
    double low = -INFINITY, high = INFINITY;

    void narrow(double from, double to) {
        low = std::max(low, from);
        high = std::min(high, to);
    }
    // The number with the fewest decimals, at most three, in [low, high).
    std::optional<double> simplest() const {
        for (const double unit : {1.0, 10.0, 100.0, 1000.0}) {
            const double x = std::ceil(low * unit) / unit + 0.0;  // not -0
            if (std::isfinite(x) && x < high) return x;
        }
        return std::nullopt;
    }
};

// Ids of image rows on the time axis; NaN for text, rows after a video, and ids of several frames.
std::vector<double> ids_of_images(const DumpView& view, const RowGroups& rows,
                                  std::map<double, ImageRow>& frames) {
    const Samples& samples = view.samples;
    std::vector<double> ids(samples.rows(), NAN);
    std::map<double, std::size_t> count;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const ImageRow* frame = rows.row_of_image(samples.dump_row[row]);
        if (!frame || frame->is_behind_video) continue;
        const double id = samples.position(row, 0);
        const auto known = frames.try_emplace(id, *frame).first->second;
        const bool is_same = known.first == frame->first && known.frame == frame->frame;
        if (is_same && ++count[id] <= most_rows_of_a_time) ids[row] = id;
    }
    return ids;
}

// From the pairs that rotate with time; none if they agree on no positions.
std::vector<FramePlace> frame_places(const DumpView& view, const RowGroups& rows,
                                     const Hypothesis& by) {
    std::map<double, ImageRow> frames;
    const std::vector<double> ids = ids_of_images(view, rows, frames);
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < view.samples.pairs; ++i)
        if (view.axis[i] == 0) pairs.push_back(i);
    std::vector<FramePlace> found;
    if (pairs.empty()) return found;
    const auto places = places_on_axis(view.samples, ids, pairs, by);
    if (!places) return found;
    for (const auto& [id, stands, tolerance, error] : *places)
        found.push_back({frames.at(id), id, stands, tolerance});
    return found;
}

// With the asked frequencies, else with a base fitted on the other axes.
std::vector<FramePlace> frame_places(const DumpView& view, const RowGroups& rows) {
    Hypothesis by = as_asked_and_stored(view);
    std::vector<FramePlace> found = frame_places(view, rows, by);
    if (!found.empty()) return found;
    const PhaseLines lines = fit_lines_on_axes(view.samples, view.axis);
    for (const Frequencies& one : fitted_frequencies(view.asked, lines)) {
        by.theta = one.theta;
        by.angle_k = one.angle_k;
        found = frame_places(view, rows, by);
        if (!found.empty()) break;
    }
    return found;
}

// The factor of the first frames' ids, and the step between frames.
std::optional<FrameTimes> fitted_times(const std::vector<FramePlace>& places) {
    Range start, step;
    for (const FramePlace& one : places) {
        if (std::isnan(one.stands)) return std::nullopt;
        if (one.row.frame == 0 && one.row.first > 0)
            start.narrow((one.stands - one.tolerance) / one.row.first,
                         std::nextafter((one.stands + one.tolerance) / one.row.first, INFINITY));
    }
    FrameTimes times{.start = start.simplest().value_or(1)};
    for (const FramePlace& one : places) {
        if (one.row.frame == 0) continue;
        const double from_start = one.stands - times.start * one.row.first;
        step.narrow((from_start - one.tolerance) / one.row.frame,
                    (from_start + one.tolerance + 1) / one.row.frame);
    }
    if (std::isfinite(step.low)) times.step = step.simplest();
    return times;
}

// The step between frames in the dump's ids, if they have one.
std::string steps_of_ids(const Samples& samples, const RowGroups& rows) {
    Range step;
    for (const std::size_t row : samples.dump_row) {
        const ImageRow* frame = rows.row_of_image(row);
        if (!frame || frame->frame == 0) continue;
        const double from_first = rows.position(row) - frame->first;
        step.narrow(from_first / frame->frame, (from_first + 1) / frame->frame);
    }
    const auto simplest = step.simplest();
    return simplest ? decimal(*simplest) : "as far as their ids";
}

// `steps`: the step between frames in the dump's ids.
NamedMistake mistake_of(const FrameTimes& times, const std::string& steps) {
    const std::string step = times.step ? decimal(*times.step) : steps;
    const bool moves_the_rest = !times.moved_by.empty();
    Parameters parameters, context{{"asked", steps}};
    if (times.start != 1)
        parameters = {{"source", "image time"}, {"start", times.start}};
    else
        parameters = {{"source", "frame step"}};
    if (times.step) parameters.emplace_back("step", *times.step);
    if (times.start == 1 || step != steps) context.emplace_back("apart", step);
    if (moves_the_rest) parameters.emplace_back("rows", "and behind");
    context.emplace_back("behind",
                         moves_the_rest ? ", and the ids behind it go on from there" : "");
    return named("position-source", std::move(parameters), context);
}

// Whether the times are the dump's ids, or those of frame_numbers or first_frame.
bool is_known(const FrameTimes& times, const std::vector<FramePlace>& places) {
    const bool is_as_given = std::ranges::all_of(places, [&](const FramePlace& one) {
        return times.of(one.row.first, one.row.frame, one.id) == one.id;
    });
    return is_as_given || (times.start == 1 && (times.step == 0.0 || times.step == 1.0));
}

}  // namespace

Views views_by_source(const DumpView& view, const DumpPart& part, const OtherSource* only) {
    Views all;
    for (const OtherSource* one : part.rows.sources()) {
        if ((only && one != only) || !part.rows.is_other(*one)) continue;
        DumpView other = view;
        other.samples = placed(view.samples, part.rows, *one);
        const std::vector<double>& own = other.samples.positions[0];
        // rows of head 0 at their head's number are rows that are not rotated
        if (std::ranges::count(own, 0) == std::ssize(own)) continue;
        other.mistakes.push_back(source_mistake(*one));
        all.push_back(std::move(other));
    }
    return all;
}

std::optional<std::vector<std::size_t>> other_order(const Spec& asked, const RotatedDump& dump,
                                                    const RowGroups& rows) {
    const auto dimensions = static_cast<std::uint32_t>(dump.before.size() / dump.positions.size());
    const std::size_t heads = rows.heads();
    if (heads < 2 || heads > 256 || rows.length() < 4) return std::nullopt;
    auto of_head = heads_by_norms(dump, rows, {0, dimensions});
    // an attention factor changes only the dimensions that rotate
    const DimensionRange rotating{asked.rotary_offset, asked.rotary_offset + asked.rotary_dim};
    if (!of_head) of_head = heads_by_norms(dump, rows, rotating);
    if (!of_head || std::ranges::is_sorted(*of_head)) return std::nullopt;
    std::vector<std::size_t> order = rows.all();
    for (std::size_t group = 0; group < order.size(); ++group)
        order[group] = rows.batch_of(group) * heads + (*of_head)[rows.head_of(group)];
    return order;
}

NamedMistake order_mistake(const std::vector<std::size_t>& order, const RowGroups& rows) {
    const std::vector<std::size_t> heads(order.begin(),
                                         order.begin() + static_cast<std::ptrdiff_t>(rows.heads()));
    return named("head-order",
                 {{"heads", join(heads, [](std::size_t head) { return decimal(head); })}});
}

NamedMistake source_mistake(const OtherSource& source) {
    Parameters parameters{{"source", std::string(source.name)}};
    if (!source.rows.empty()) parameters.emplace_back("rows", std::string(source.rows));
    return named("position-source", std::move(parameters));
}

NamedMistake swap_mistake(std::uint64_t one, std::uint64_t other) {
    const std::string a = decimal(std::min(one, other)), b = decimal(std::max(one, other));
    return named("rows-swapped", {{"rows", a + " " + b}}, {{"a", a}, {"b", b}});
}

Views views_by_frame_times(const DumpView& view, const RowGroups& rows) {
    Views all;
    if (!rows.has_images()) return all;
    const std::vector<FramePlace> places = frame_places(view, rows);
    const auto fitted = fitted_times(places);
    if (!fitted || is_known(*fitted, places)) return all;
    const std::string steps = steps_of_ids(view.samples, rows);
    for (const bool moves_the_rest : {false, true}) {
        const FrameTimes times = moves_the_rest ? rows.moving_the_rest(*fitted) : *fitted;
        DumpView other = view;
        other.samples = placed(view.samples, rows, times);
        if (moves_the_rest && other.samples.positions == all.back().samples.positions) continue;
        other.mistakes.push_back(mistake_of(times, steps));
        all.push_back(std::move(other));
    }
    return all;
}

}  // namespace rope
