#include "rope/diagnose/every_row.hpp"

#include <algorithm>
#include <cmath>

namespace rope {
namespace {

RowReplay on_rows(const Replay& replay, const DumpPart& part) {
    const DumpReading& reading = *replay.reading;
    return {part.dump, part.rows, reading.arrangement ? &*reading.arrangement : nullptr,
            reading.samples, replay.hypothesis()};
}

// The first position from which rows are shifted or not rotated, between two that were sampled.
void find_switch(Replay& replay, const DumpPart& part) {
    using Kind = PositionMap::Kind;
    if (!replay.positions || (replay.positions->map.kind != Kind::switched &&
                              replay.positions->map.kind != Kind::stopped))
        return;
    Replay plain = replay;
    plain.positions.reset();
    RowReplay rows = on_rows(plain, part);
    RowsOfSwitch places{.from = replay.positions->map.from,
                        .last = replay.reading->samples.positions[0].back()};
    const auto for_each_place = [&](const auto& visit) {
        for (const std::size_t group : part.groups)
            for (std::uint64_t index = 0; index < part.rows.length(); ++index) {
                const std::size_t row = part.rows.row(group, index);
                visit(place_of(replay.reading->samples, part.rows, row, 0), row);
            }
    };
    for_each_place([&](double m, std::size_t row) {
        if (m < places.from && !(rows.error(row) <= 1)) places.from = m;
    });
    for_each_place([&](double m, std::size_t) {
        if (m < places.from) places.before = std::max(places.before, m);
    });
    replay.positions = switched_at(*replay.positions, places);
}

}  // namespace

bool is_stepped(const Replay& replay) {
    return replay.rounding && replay.rounding->rounding.method != Rounding::Method::product;
}

std::vector<GroupErrors> sweep_of(const Replay& replay, const DumpPart& part,
                                  const std::vector<std::size_t>& groups) {
    return on_rows(replay, part).sweep(groups, 0, part.threads);
}

bool explains_all(Replay& replay, const DumpPart& part) {
    if (is_stepped(replay)) return true;  // the samples alone are held against it
    find_switch(replay, part);
    for (const GroupErrors& errors : sweep_of(replay, part, part.groups)) {
        if (errors.wrong > 0) return false;
        replay.after = std::max(replay.after, errors.worst);
    }
    return true;
}

namespace {

double worst_row(RowReplay rows, const DumpPart& part) {
    double worst = 0;
    for (const GroupErrors& errors : rows.sweep(part.groups, 0, part.threads)) {
        worst = std::max(worst, errors.worst);
        for (const std::size_t row : errors.first) worst = std::max(worst, rows.error(row));
    }
    return worst;
}

}  // namespace

double worst_of_all(const Replay& replay, const DumpPart& part) {
    return is_stepped(replay) ? 0 : worst_row(on_rows(replay, part), part);
}

double error_as_asked(const DumpReading& asked, const DumpPart& part) {
    if (!asked.mistakes.empty()) return HUGE_VAL;
    const Hypothesis hypothesis = as_asked(asked);
    const Arrangement* arrangement = asked.arrangement ? &*asked.arrangement : nullptr;
    return std::max(
        misfit(asked.samples, hypothesis, HUGE_VAL),
        worst_row({part.dump, part.rows, arrangement, asked.samples, hypothesis}, part));
}

}  // namespace rope
