#include "rope/diagnose/positions/frame_readings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/positions/places.hpp"
#include "rope/evidence/fit_axes.hpp"

namespace rope {
namespace {

constexpr std::size_t most_rows_of_a_time = 2;  // of one time

// Where an image's rows of one id are on the axis of time.
struct FramePlace {
    FrameRow row;
    double id, stands, tolerance;
};

struct Range {
    double low = -INFINITY, high = INFINITY;

    void narrow(double from, double to) {
        low = std::max(low, from);
        high = std::min(high, to);
    }
    // The number of fewest digits behind the point; none of more than three.
    std::optional<double> simplest() const {
        for (const double unit : {1.0, 10.0, 100.0, 1000.0}) {
            const double x = std::ceil(low * unit) / unit + 0.0;  // not -0
            if (std::isfinite(x) && x < high) return x;
        }
        return std::nullopt;
    }
};

// NaN for text and what is behind a video, and for ids that rows of different frames have.
std::vector<double> ids_of_images(const DumpReading& reading, const RowGroups& rows,
                                  std::map<double, FrameRow>& frames) {
    const Samples& samples = reading.samples;
    std::vector<double> ids(samples.rows(), NAN);
    std::map<double, std::size_t> count;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const auto frame = rows.frame(samples.dump_row[row]);
        if (!frame || frame->is_behind_video) continue;
        const double id = samples.position(row, 0);
        const auto known = frames.try_emplace(id, *frame).first->second;
        const bool is_same = known.first == frame->first && known.frame == frame->frame;
        if (is_same && ++count[id] <= most_rows_of_a_time) ids[row] = id;
    }
    return ids;
}

// By the pairs that turn with time; none where these agree on no times.
std::vector<FramePlace> frame_places(const DumpReading& reading, const RowGroups& rows,
                                     const Hypothesis& by) {
    std::map<double, FrameRow> frames;
    const std::vector<double> ids = ids_of_images(reading, rows, frames);
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < reading.samples.pairs; ++i)
        if (reading.axis[i] == 0) pairs.push_back(i);
    std::vector<FramePlace> found;
    if (pairs.empty()) return found;
    const auto places = places_on_axis(reading.samples, ids, pairs, by);
    for (std::size_t k = 0; places && k < places->should.size(); ++k)
        found.push_back({frames.at(places->should[k]), places->should[k], places->stand[k],
                         places->tolerance[k]});
    return found;
}

// By the asked frequencies, or by a base that the other axes tell.
std::vector<FramePlace> frame_places(const DumpReading& reading, const RowGroups& rows) {
    Hypothesis by = as_asked_and_stored(reading);
    std::vector<FramePlace> found = frame_places(reading, rows, by);
    if (!found.empty()) return found;
    const LinesOnAxes of_axes =
        fit_lines_on_axes(reading.samples, reading.axis, Orientation::right);
    for (const Frequencies& one : fitted_frequencies(reading.asked, of_axes.lines)) {
        by.theta = one.theta;
        by.angle_k = one.angle_k;
        found = frame_places(reading, rows, by);
        if (!found.empty()) break;
    }
    return found;
}

// The times of all first frames, and the steps of the others.
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

// By what the ids say, where that is one step.
std::string steps_of_ids(const Samples& samples, const RowGroups& rows) {
    Range step;
    for (const std::size_t row : samples.dump_row) {
        const auto frame = rows.frame(row);
        if (!frame || frame->frame == 0) continue;
        const double from_first = rows.position(row) - frame->first;
        step.narrow(from_first / frame->frame, (from_first + 1) / frame->frame);
    }
    const auto simplest = step.simplest();
    return simplest ? decimal(*simplest) : "as far as their ids";
}

// `steps` is what the ids say.
NamedMistake mistake_of(const FrameTimes& times, const std::string& steps) {
    NamedMistake one = source_mistake(PositionSource::frame_times);
    const std::string step = times.step ? decimal(*times.step) : steps;
    if (times.start != 1) {
        one.parameters = {{"source", std::string("image time")}, {"start", times.start}};
        one.what =
            "an image's time is " + decimal(times.start) + " times its first id, not that id";
        if (times.step == 0.0)
            one.what += ", in every frame";
        else if (step != steps)
            one.what += ", and its frames are " + step + " apart";
    } else {
        one.parameters = {{"source", std::string("frame step")}};
        one.what = "a video's frames are " + step + " apart, not " + steps;
    }
    if (times.step) one.parameters.emplace_back("step", *times.step);
    if (!times.moved_by.empty()) {
        one.parameters.emplace_back("rows", std::string("and behind"));
        one.what += ", and the ids behind it go on from there";
    }
    return one;
}

// Whether it is the ids' own, or has a source of its own: frame_numbers, first_frame.
bool is_known(const FrameTimes& times, const std::vector<FramePlace>& places) {
    const bool is_as_given = std::ranges::all_of(places, [&](const FramePlace& one) {
        return times.of(one.row.first, one.row.frame, one.id) == one.id;
    });
    return is_as_given || (times.start == 1 && (times.step == 0.0 || times.step == 1.0));
}

}  // namespace

std::vector<DumpReading> frame_readings(const DumpReading& reading, const RowGroups& rows) {
    std::vector<DumpReading> all;
    if (!rows.has_images() || reading.samples.dump_row.empty()) return all;
    const std::vector<FramePlace> places = frame_places(reading, rows);
    const auto fitted = fitted_times(places);
    if (!fitted || is_known(*fitted, places)) return all;
    const std::string steps = steps_of_ids(reading.samples, rows);
    for (const bool moves_the_rest : {false, true}) {
        const FrameTimes times = moves_the_rest ? rows.moving_the_rest(*fitted) : *fitted;
        DumpReading other = reading;
        other.samples = placed_on_axes(reading.samples, rows, times);
        if (moves_the_rest && other.samples.positions == all.back().samples.positions) continue;
        other.mistakes.push_back(mistake_of(times, steps));
        all.push_back(std::move(other));
    }
    return all;
}

}  // namespace rope
