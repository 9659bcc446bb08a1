#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

constexpr std::size_t least_rows_of_a_list = 3;  // position 0 and one more row fit many lists

// Candidate frequencies of the rows after the switch, the Spec's first.
FrequencySet lists_after(const Spec& asked, const Samples& tail, const FrequencySet& usual) {
    FrequencySet list = usual;
    for (Frequencies& one : fitted_frequencies(asked, fit_phase_lines(tail)))
        if (one.cost <= 1) list.push_back(std::move(one));
    return list;
}

// Returns a length of the Spec if the switch may be there, else the first row after it.
std::uint64_t switch_position(const Spec& asked, double last_before, double first_after) {
    for (const std::uint64_t length : {asked.scaling.original_max_position_embeddings.value_or(0),
                                       asked.max_position_embeddings}) {
        const auto m = static_cast<double>(length);
        if (m > last_before && m <= first_after) return length;
    }
    return static_cast<std::uint64_t>(first_after);
}

struct Switch {
    std::uint64_t from;
    double last_before;  // last position that only the first list explains
    double after;
};

// Finds the position before which every row follows one list and from which on the other. Each list
// must explain rows that the other does not, the second several.
std::optional<Switch> switch_in(const DumpPart& part, const DumpView& view, const Hypothesis& first,
                                const Hypothesis& second) {
    RowErrors before = row_errors(view, part, first), after = row_errors(view, part, second);
    double last_only_before = -INFINITY, first_only_after = INFINITY, worst = 0;
    std::size_t only_after = 0;
    const bool are_of_either = every_row(part, [&](std::size_t row) {
        const double m = part.rows.position(row);
        const double by_first = before.error_within(row), by_second = after.error_within(row);
        worst = std::max(worst, std::min(by_first, by_second));
        if (!(by_second <= 1)) last_only_before = std::max(last_only_before, m);
        if (!(by_first <= 1)) first_only_after = std::min(first_only_after, m), ++only_after;
        return std::min(by_first, by_second) <= 1;
    });
    if (only_after < least_rows_of_a_list || !are_of_either ||
        !(0 <= last_only_before && last_only_before < first_only_after &&
          first_only_after < INFINITY))
        return std::nullopt;
    return Switch{switch_position(view.asked, last_only_before, first_only_after), last_only_before,
                  worst};
}

std::string name_of(const Frequencies& one) {
    if (one.mistake.empty()) return "the expected frequencies";
    for (const auto& [key, value] : one.parameters)
        if (const auto* text = std::get_if<std::string>(&value); text && key == "factors")
            return *text;
    return (one.mistake == "base" ? "another base (" : "other frequencies (") + one.what + ")";
}

NamedMistake part_of(const Switch& found, const Spec& asked, const Frequencies& before,
                     const Frequencies& after) {
    const Frequencies& other = before.mistake.empty() ? after : before;
    Parameters parameters{{"from", found.from}};
    if (!before.mistake.empty()) parameters.emplace_back("right", "from");
    parameters.insert(parameters.end(), other.parameters.begin(), other.parameters.end());
    Parameters context{{"before", name_of(before)}, {"after", name_of(after)}};
    // the dump has no row between, so name the last position of the first list
    if (found.last_before + 1 < static_cast<double>(found.from))
        context.emplace_back("last", found.last_before);
    // without scaling, another base is not a scaling parameter
    const bool is_base = asked.scaling.rope_type == "default" && other.mistake == "base";
    return named(is_base ? "base" : "scaling-parameter", std::move(parameters), context);
}

constexpr std::size_t most_lengths = 1024;  // each sequence length requires a frequency plan

// Compares rows with the Spec's frequencies for any sequence length.
class GrowingCache {
  public:
    GrowingCache(const DumpView& view, const DumpPart& part) : view_(view), part_(part) {}

    // The error of a row with the frequencies for a sequence length.
    double error(std::size_t row, std::uint64_t length) {
        auto found = by_length_.find(length);
        if (found == by_length_.end()) {
            Spec asked = view_.asked;
            asked.seq_len = length;
            const Hypothesis own = by_stored(view_, frequencies_of(asked));
            found = by_length_.emplace(length, row_errors(view_, part_, own)).first;
        }
        return found->second.error_within(row);
    }

    // The largest error if the first `prefill` rows share their frequencies and each later one was
    // rotated by those of the length at its step; infinite if a row is wrong.
    double error_with(std::uint64_t prefill) {
        double worst = 0;
        const bool are_right = every_row(part_, [&](std::size_t row) {
            const auto length = static_cast<std::uint64_t>(part_.rows.position(row)) + 1;
            worst = std::max(worst, error(row, std::max(prefill, length)));
            return worst <= 1;
        });
        return are_right ? worst : HUGE_VAL;
    }

    // The largest error if the rows were written in parts, each with the frequencies of the length
    // at its end; infinite if a row is wrong. 16 bits do not determine where the parts end.
    double error_in_parts() {
        std::vector<std::size_t> rows;
        every_row(part_, [&](std::size_t row) { return rows.push_back(row), true; });
        const auto position = [&](std::size_t row) { return part_.rows.position(row); };
        std::ranges::sort(rows, std::greater<>(), position);
        double worst = 0;
        std::uint64_t length = 0;
        for (const std::size_t row : rows) {
            const auto own = static_cast<std::uint64_t>(position(row)) + 1;
            double one = length == 0 ? HUGE_VAL : error(row, length);
            if (!(one <= 1)) one = error(row, length = own);
            if (!(one <= 1)) return HUGE_VAL;
            worst = std::max(worst, one);
        }
        return worst;
    }

  private:
    const DumpView& view_;
    const DumpPart& part_;
    std::map<std::uint64_t, RowErrors> by_length_;
};

}  // namespace

std::optional<Explanation> explain_switched(const DumpView& view, const DumpPart& part) {
    const Samples& samples = view.samples;
    if (samples.positions.size() > 1 || !view.mistakes.empty()) return std::nullopt;
    const FrequencySet usual = usual_frequencies(view.asked);
    for (const Frequencies& before : usual) {
        const Hypothesis first = by_stored(view, before);
        std::size_t rows = 0;
        while (rows < samples.rows() && row_misfit(samples, first, 1, rows) <= 1) ++rows;
        if (rows < least_rows_of_a_list || rows + least_rows_of_a_list > samples.rows()) continue;
        std::vector<double> places = samples.positions[0];
        std::fill_n(places.begin(), rows, NAN);
        const Samples tail = at_places(samples, places, samples.all_pairs());
        const FrequencySet lists = before.mistake.empty() ? lists_after(view.asked, tail, usual)
                                                          : FrequencySet{usual.front()};
        for (const Frequencies& after : lists) {
            const Hypothesis second = by_stored(view, after);
            const bool is_asked_first = before.mistake.empty();
            const Hypothesis &asked = is_asked_first ? first : second,
                             &other = is_asked_first ? second : first;
            if (!(misfit(tail, second, 1) <= 1) || !predicts_enough(tail, second) ||
                !predicts_as_much(samples, other, asked))
                continue;
            const auto found = switch_in(part, view, first, second);
            if (!found) continue;
            return explanation_of(part_of(*found, view.asked, before, after), asked_misfit(view),
                                  found->after);
        }
    }
    return std::nullopt;
}

std::optional<Explanation> explain_growing_cache(const DumpView& view, const DumpPart& part) {
    const Spec& asked = view.asked;
    const double first = static_cast<double>(
        asked.scaling.original_max_position_embeddings.value_or(asked.max_position_embeddings));
    if (asked.scaling.rope_type != "dynamic" || !view.mistakes.empty() || part.rows.axes() > 1)
        return std::nullopt;
    std::set<double> later;                     // positions beyond the first length
    std::optional<std::size_t> last, farthest;  // the last row before it; the last of all
    for (std::uint64_t index = 0; index < part.rows.length(); ++index) {
        const std::size_t row = part.rows.row(part.groups.front(), index);
        const double m = part.rows.position(row);
        if (m < 0 || m != std::floor(m)) return std::nullopt;
        if (m >= first) later.insert(m);
        if (!farthest || m > part.rows.position(*farthest)) farthest = row;
        if (m < first && (!last || m > part.rows.position(*last))) last = row;
    }
    if (later.size() < 2 || later.size() > most_lengths || !last) return std::nullopt;
    GrowingCache cache(view, part);
    // the last row has the frequencies of its length after any prefill
    if (!(cache.error(*farthest, static_cast<std::uint64_t>(*later.rbegin()) + 1) <= 1))
        return std::nullopt;
    std::vector<std::uint64_t> prefills{static_cast<std::uint64_t>(first)};
    for (const double m : later) prefills.push_back(static_cast<std::uint64_t>(m) + 1);
    for (const std::uint64_t prefill : prefills) {
        if (!(cache.error(*last, prefill) <= 1)) continue;
        const double after = cache.error_with(prefill);
        if (after <= 1)
            return explanation_of(
                named("scaling-parameter", {{"seq_len", "of each step"}, {"prefill", prefill}}),
                asked_misfit(view), after);
    }
    const double after = cache.error_in_parts();
    if (!(after <= 1)) return std::nullopt;
    return explanation_of(named("scaling-parameter", {{"seq_len", "of each step"}}),
                          asked_misfit(view), after);
}

}  // namespace rope
