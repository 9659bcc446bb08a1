#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

NamedMistake named_orientation(Orientation turn) {
    switch (turn) {
        case Orientation::reversed:
            return named("direction");
        case Orientation::swapped:
            return named("cos-sin-swapped");
        case Orientation::opposite:
            return named("sign", {{"negated", "cos and sin"}});
        case Orientation::mirrored:
            return named("sign", {{"negated", "cos"}});
        default:
            return named("cos-sin-swapped", {{"sign", "negated"}});
    }
}

// The orientation that gives `turn` when applied twice: (i·e^{−iφ})² = −e^{−2iφ}; i·e^{±2iφ} has
// none.
std::optional<Orientation> square_root(Orientation turn) {
    if (quarters_of(turn) % 2 != 0) return std::nullopt;
    return static_cast<Orientation>(quarters_of(turn) + (is_reversed(turn) ? 1 : 0));
}

// The relative rounding of vectors that rotate as a whole: a scale of others changes dimensions
// that do not rotate, too.
std::optional<double> of_whole_vectors(const DumpView& view) {
    const bool are_whole = view.arrangement && view.asked.rotary_dim == view.asked.head_dim;
    return are_whole ? std::optional(view.samples.storage) : std::nullopt;
}

RowErrors on_rows(const Combination& combined, const DumpPart& part) {
    return row_errors(*combined.view, part, combined.hypothesis());
}

// Finds the first position that is shifted or not rotated, which may lie between two sampled rows.
void find_switch(Combination& combined, const DumpPart& part) {
    const PositionMap map = combined.map();
    if (map.kind != PositionMap::Kind::switched) return;
    Combination plain = combined;
    plain.positions.clear();
    RowErrors rows = on_rows(plain, part);
    RowsOfSwitch places{.from = map.from, .last = combined.view->samples.positions[0].back()};
    const auto for_each_place = [&](const auto& visit) {
        every_row(part, [&](std::size_t row) {
            visit(place_of(combined.view->samples, part.rows, row, 0), row);
            return true;
        });
    };
    for_each_place([&](double m, std::size_t row) {
        if (m < places.from && !(rows.error_within(row) <= 1)) places.from = m;
    });
    for_each_place([&](double m, std::size_t) {
        if (m < places.from) places.before = std::max(places.before, m);
    });
    combined.positions = {switched_at(*combined.everywhere(), places)};
}

double worst_row(RowErrors rows, const DumpPart& part) {
    double worst = 0;
    for (const GroupErrors& errors : rows.sweep(part.groups, 0, part.threads)) {
        worst = std::max(worst, errors.worst);
        for (const std::size_t row : errors.first) worst = std::max(worst, rows.error(row));
    }
    return worst;
}

}  // namespace

double fitted_amplitude(const Samples& samples) {
    std::vector<double> squares;
    for (const double modulus : samples.modulus)
        if (std::isfinite(modulus) && !Samples::is_left_out(modulus))
            squares.push_back(modulus * modulus);
    if (squares.empty()) return 1;
    // the middle half, so that a few wrong values have no influence
    const auto first = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 4),
               last = first + static_cast<std::ptrdiff_t>((squares.size() + 1) / 2);
    std::ranges::nth_element(squares, first);
    std::ranges::nth_element(first, last, squares.end());
    std::ranges::sort(first, last);  // for one order of summation on all machines
    const std::span middle(first, last);
    return std::sqrt(std::accumulate(middle.begin(), middle.end(), 0.0) /
                     static_cast<double>(middle.size()));
}

int Combination::cost_of_positions() const {
    int sum = 0;
    for (const PositionRule& rule : positions) sum += rule.cost;
    return sum;
}

std::optional<double> Combination::scale() const {
    if (everywhere() && everywhere()->mistake == "position-scale") return map().scale;
    if (frequencies.mistake != "position-scale") return std::nullopt;
    return std::get<double>(frequencies.parameters.front().second);
}

bool Combination::is_composed() const {
    if (!frequencies.are_twice()) return true;
    // the square of a 16-bit table is no 16-bit table, and 2m + 1 is not twice a whole position
    const bool is_square = !view->samples.narrow && !view->samples.is_of_narrow_table;
    const bool is_whole = map().offset == std::round(map().offset);
    return square_root(turn) && is_square && is_whole;
}

Hypothesis Combination::hypothesis() const {
    Hypothesis all = by_frequencies(*view, frequencies);
    all.amplitude = amplitude;
    all.turn = turn;
    all.position = map();
    if (!positions.empty() && !everywhere()) all.places = places_by(positions, all.axis);
    if (rounding) all.rounding = *rounding;
    if (view->samples.narrow) all.rounding.table = *view->samples.narrow;
    return all;
}

std::vector<NamedMistake> Combination::mistakes() const {
    std::vector<NamedMistake> all = view->mistakes;
    const bool twice = frequencies.are_twice();
    const Orientation each = twice ? square_root(turn).value_or(turn) : turn;
    if (each != Orientation::right) all.push_back(named_orientation(each));
    if (!frequencies.mistake.empty()) all.push_back(frequencies);
    for (const Frequencies::Further& one : frequencies.also) all.push_back(one.mistake);
    all.insert(all.end(), positions.begin(), positions.end());
    if (fitted_amplitude) {
        const double own = twice ? std::sqrt(amplitude) : amplitude;
        const double right = twice ? std::sqrt(frequencies.amplitude) : frequencies.amplitude;
        all.push_back(named_amplitude(own, right, view->asked, of_whole_vectors(*view)));
    }
    if (rounding) all.push_back(named_rounding(*rounding));
    if (view->samples.narrow && !(rounding && rounding->cuts_table())) {
        const auto text = [](Format format) { return std::string(to_string(format)); };
        all.push_back(named("table-precision", {{"format", text(*view->samples.narrow)}},
                            {{"stored", text(view->samples.format)}}));
    }
    return all;
}

std::span<const Rounding> wrong_roundings() {
    using enum Format;
    constexpr RoundingMode away = RoundingMode::nearest_away, cut = RoundingMode::toward_zero;
    // clang-format off
    static constexpr Rounding table[] = {
        {.inv_freq = bfloat16}, {.inv_freq = float16}, {.product = bfloat16}, {.product = float16},
        {.position = bfloat16}, {.position = float16}, {.inv_freq = tf32, .position = tf32}, {.inv_freq = tf32},
        {float16, float16, float16}, {bfloat16, bfloat16, bfloat16},
        {.inv_freq = bfloat16, .position = bfloat16}, {.inv_freq = float16, .position = float16},
        {.inv_freq = bfloat16, .product = bfloat16}, {.inv_freq = float16, .product = float16}, {.position = bfloat16, .product = bfloat16},
        {.inv_freq = tf32, .position = tf32, .mode = cut}, {.inv_freq = tf32, .position = tf32, .mode = away},
        {.inv_freq = bfloat16, .mode = cut}, {.product = bfloat16, .mode = cut}, {.position = bfloat16, .mode = cut},
        {.inv_freq = bfloat16, .position = bfloat16, .mode = cut}, {.table = bfloat16, .mode = cut}, {.table = float16, .mode = cut},
        {.method = Rounding::Method::accumulated}, {.method = Rounding::Method::recurrence}};
    // clang-format on
    return table;
}

NamedMistake named_rounding(const Rounding& rounding) {
    using enum Format;
    const auto& [inv_freq, position, product, table, method, mode] = rounding;
    if (method != Rounding::Method::product)
        return named("recurrence", {{"format", "float32"}},
                     {{"over", method == Rounding::Method::accumulated ? "positions" : "pairs"}});
    std::vector<std::string> rounded;
    if (inv_freq != float32) rounded.emplace_back("inv_freq");
    if (position != float32) rounded.emplace_back("positions");
    if (product != float32) rounded.emplace_back("product");
    const char* const id = product != float32 || (inv_freq == tf32 && position == tf32)
                               ? "angle-precision"
                           : inv_freq != float32 ? "inv-freq-precision"
                           : position != float32 ? "position-precision"
                                                 : "table-precision";
    const Format format =
        std::ranges::min({inv_freq, position, product, table}, {}, precision_bits);
    const bool is_cut = mode == RoundingMode::toward_zero;
    Parameters parameters{{"format", std::string(to_string(format))}};
    if (mode != RoundingMode::nearest_even)
        parameters.emplace_back("rounding", is_cut ? "toward zero" : "ties away");
    if (rounded.size() > 1) parameters.emplace_back("rounded", join(rounded, {}, " and "));
    return named(id, std::move(parameters), {{"how", is_cut ? "cut off" : "rounded"}});
}

bool is_stepped(const Combination& combined) {
    return combined.rounding && combined.rounding->method != Rounding::Method::product;
}

std::vector<GroupErrors> sweep_of(const Combination& combined, const DumpPart& part,
                                  const std::vector<std::size_t>& groups) {
    return on_rows(combined, part).sweep(groups, 0, part.threads);
}

bool turn_as_asked(const DumpView& view, const DumpPart& part, const PlaceOfRow& place) {
    const auto* vectors = std::get_if<RotatedDump>(&part.dump);
    if (!vectors || part.rows.axes() < 2 || !is_in_16_bits(part.dump, vectors->format) ||
        !view.arrangement->before_group.empty() ||
        view.arrangement->columns != arrangement_of(view.asked).columns)
        return true;
    Dump moved = *vectors;
    for (std::uint32_t axis = 0; axis < part.rows.axes(); ++axis) {
        auto& rows = std::get<RotatedDump>(moved);
        auto& own = axis == 0 ? rows.positions : rows.more_positions[axis - 1];
        for (std::size_t row = 0; row < own.size(); ++row) own[row] = place(row, axis);
    }
    const SlowPairs slow(view.asked, plan_frequencies(view.asked, exact_precision), moved,
                         vectors->format, view.axis);
    std::vector<bool> is_in_part(part.rows.count());
    for (const std::size_t group : part.groups) is_in_part[group] = true;
    const RateFits fits = fit_rates(slow, [&](const SlowPairs::Rotation& one) {
        return slow.groups() == 1 || is_in_part[one.group];
    });
    for (std::size_t k = 0; k < slow.pairs().size(); ++k)
        if (share_off(fits.of_pair[k], slow.pairs()[k], vectors->roundings) > 1) return false;
    return true;
}

// Whether the combination changes positions and axes only, and its slow pairs contradict it.
bool turns_otherwise(const Combination& combined, const DumpPart& part) {
    if (part.rows.axes() < 2 || combined.rounding || combined.fitted_amplitude ||
        combined.turn != Orientation::right || !combined.frequencies.mistake.empty())
        return false;
    const Hypothesis hypothesis = combined.hypothesis();
    const RowErrors at = row_errors(*combined.view, part, hypothesis);
    return !turn_as_asked(*combined.view, part, [&](std::size_t row, std::uint32_t axis) {
        const bool is_known = hypothesis.places.empty() || axis < hypothesis.places.size();
        if (!is_known) return part.rows.position(row, axis);
        const PositionMap& map =
            hypothesis.places.empty() ? hypothesis.position : hypothesis.places[axis].map;
        return map(at.given(row, axis));
    });
}

bool explains_all(Combination& combined, const DumpPart& part) {
    if (is_stepped(combined)) return true;  // only the samples are compared
    find_switch(combined, part);
    for (const GroupErrors& errors : sweep_of(combined, part, part.groups)) {
        if (errors.wrong > 0) return false;
        combined.after = std::max(combined.after, errors.worst);
    }
    return !turns_otherwise(combined, part);
}

double worst_of_all(const Combination& combined, const DumpPart& part) {
    return is_stepped(combined) ? 0 : worst_row(on_rows(combined, part), part);
}

double error_as_asked(const DumpView& asked, const DumpPart& part) {
    if (!asked.mistakes.empty()) return HUGE_VAL;
    const Hypothesis hypothesis = as_asked(asked);
    return std::max(misfit(asked.samples, hypothesis, HUGE_VAL),
                    worst_row(row_errors(asked, part, hypothesis), part));
}

}  // namespace rope
