#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

// The usual frequencies of a view, and those fitted to its phase lines.
FrequencySet usual(const DumpView& view, const FitLines& fit) {
    const PhaseLines lines = fit();
    FrequencySet list = usual_frequencies(view.asked);
    if (view.arrangement) list.push_back(rotated_twice(list.front(), list.front()));
    for (const auto& fitted : {fitted_frequencies, fitted_scale})
        for (Frequencies& one : fitted(view.asked, lines)) list.push_back(std::move(one));
    for (Frequencies& one : with_odd_entries(list, lines)) list.push_back(std::move(one));
    return list;
}

// The usual frequencies of vectors that are rotated twice.
FrequencySet twice_of(const DumpView& view, const FitLines& fit) {
    FrequencySet list;
    if (!view.arrangement) return list;
    const FrequencySet once =
        usual(view, [&] { return nearest_to(frequencies_of(view.asked).theta, halved(fit())); });
    for (const Frequencies& one : once)
        if (!one.mistake.empty() && !one.are_twice())
            list.push_back(rotated_twice(one, once.front()));
    return list;
}

FrequencySet doubly_changed(const DumpView& view, const FitLines& fit) {
    const PhaseLines lines = fit(), exact = through_zero(lines);
    return two_changes(view.asked, exact.empty() ? lines : exact);
}

FrequencySet unusual(const DumpView& view, const FitLines&) {
    return unusual_frequencies(view.asked);
}

// The asked frequencies with zeros for the last pairs.
FrequencySet ending_still(const DumpView& view, const FitLines&) {
    auto still = still_tail(frequencies_of(view.asked), view.samples, as_asked_and_stored(view),
                            view.odd_pairs);
    return still ? FrequencySet{*std::move(still)} : FrequencySet{};
}

// Whether at least a quarter of the steps rises: the frequencies of a rule fall.
bool are_in_no_order(const std::vector<double>& numbers) {
    std::size_t rises = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i)
        rises += std::abs(numbers[i]) > std::abs(numbers[i - 1]) ? 1 : 0;
    return 4 * rises >= numbers.size();
}

// Explains frequencies that rotate no pair at any position, or are tiny and in no order: a buffer
// that is zero or never written.
std::optional<Explanation> explain_empty_frequencies(const DumpView& view) {
    const std::vector<double>& numbers = view.samples.inv_freq;
    const auto turns = [](double one) { return !(std::abs(one) * 0x1p32 < 0x1p-24); };
    if (numbers.empty()) return std::nullopt;
    double most = 0;
    for (const double one : numbers) most = std::max(most, std::abs(one));
    const bool are_tiny = most < 0x1p-16 && are_in_no_order(numbers) &&
                          std::ranges::none_of(numbers, [](double one) { return std::isnan(one); });
    if (!are_tiny && std::ranges::any_of(numbers, turns)) return std::nullopt;
    Parameters context;
    if (most != 0) context.emplace_back("most", few_digits(most, 0.01));
    return explanation_of(named("uninitialised", {{"inv_freq", "zero"}}, context),
                          asked_misfit(view), 0);
}

// Explains frequencies of which at least a quarter are no numbers that a RoPE has.
std::optional<Explanation> explain_memory(const DumpView& view) {
    const std::vector<double>& numbers = view.samples.inv_freq;
    const auto is_memory = [](double one) {
        return one != 0 && !(0x1p-64 < std::abs(one) && std::abs(one) < 0x1p20);
    };
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(numbers, is_memory));
    if (count == 0 || 4 * count < numbers.size()) return std::nullopt;
    const std::uint64_t all = numbers.size();
    return explanation_of(
        named("uninitialised", {{"inv_freq", "memory"}}, {{"count", count}, {"all", all}}),
        asked_misfit(view), 0);
}

constexpr std::uint32_t least_pairs = 8;  // of which one may be left out

// Leaves out the pairs first, first + step, ….
DumpView leaving_out(const DumpView& view, std::uint32_t first, std::uint32_t step) {
    DumpView other = view;
    for (std::size_t row = 0; row < other.samples.rows(); ++row)
        for (std::uint32_t pair = first; pair < other.samples.pairs; pair += step)
            other.samples.modulus[row * other.samples.pairs + pair] = Samples::left_out;
    return other;
}

std::vector<double> possible_frequencies(const Samples& one, Orientation turn) {
    if (std::ranges::all_of(one.modulus, [](double modulus) { return std::isnan(modulus); }))
        return {NAN};
    std::vector<double> list{0};
    for (const PhaseLine& line : oriented(fit_phase_lines(one), turn, one))
        if (line.is_known() && line.modulo == 0 && line.rows == one.rows())
            list.push_back(line.theta);
    return list;
}

// Completes a combination of all other pairs with a frequency fitted to this pair.
std::optional<Combination> completed(const Combination& partial, const DumpView& view,
                                     std::uint32_t pair) {
    std::vector<double> positions(view.samples.rows());
    std::ranges::transform(view.samples.positions[0], positions.begin(), partial.map());
    const Samples own = at_places(view.samples, positions, {pair});
    const std::vector<double>& numbers = view.samples.inv_freq;
    const auto named = numbers.empty() ? std::nullopt : std::optional(numbers[pair]);
    for (const double theta : possible_frequencies(own, partial.turn)) {
        Combination whole = partial;
        whole.view = &view;
        whole.frequencies = with_entry(partial.frequencies, pair, theta, named);
        ++whole.cost;
        whole.after = misfit(view.samples, whole.hypothesis(), 1);
        if (whole.after <= 1) return whole;
    }
    return std::nullopt;
}

// The search with one view and these frequencies only.
std::vector<Combination> search_as_planned(const DumpView& view, const Frequencies& plan,
                                           int most) {
    return search(
        {&view, 1}, [&](const DumpView&, const FitLines&) { return FrequencySet{plan}; }, most);
}

// The pairs that may be the wrong one. A combination for all pairs except one also explains the
// dump without every eighth pair: with many pairs, only those in an eighth whose removal leaves a
// combination.
std::vector<std::uint32_t> possibly_odd(const DumpView& view, const Frequencies& plan, int most) {
    constexpr std::uint32_t parts = 8;
    std::vector<std::uint32_t> odd;
    for (std::uint32_t first = 0; first < parts; ++first) {
        if (view.samples.pairs >= least_pairs * parts &&
            search_as_planned(leaving_out(view, first, parts), plan, most - 1).empty())
            continue;
        for (std::uint32_t pair = first; pair < view.samples.pairs; pair += parts)
            odd.push_back(pair);
    }
    std::ranges::sort(odd);
    return odd;
}

// Returns the combinations with at most `most` mistakes that explain the dump with the asked
// frequencies except one pair's. The frequency of that pair is fitted to the positions that the
// other pairs determine.
std::vector<Combination> search_odd_pair(const Views& views, int most, const Verify& verify) {
    std::vector<Combination> least;
    for (const DumpView& view : views) {
        const Samples& samples = view.samples;
        const bool is_worth =
            view.leaves_other_dimensions_unchanged && std::ssize(view.mistakes) + 1 <= most;
        if (!is_worth || samples.pairs < least_pairs || samples.positions.size() > 1) continue;
        const Frequencies plan = frequencies_of(view.asked);
        for (const std::uint32_t pair : possibly_odd(view, plan, most)) {
            const DumpView others = leaving_out(view, pair, samples.pairs);
            for (const Combination& partial : search_as_planned(others, plan, most - 1)) {
                auto whole = completed(partial, view, pair);
                if (!whole || whole->cost > most || !verify(*whole)) continue;
                most = whole->cost - 1;
                least = {std::move(*whole)};
            }
        }
    }
    return least;
}

constexpr int most_mistakes = 3;

// Searches longer lists after the usual one, each only if it may need fewer mistakes, or as many
// without an entry fitted to the dump.
void search_unlikely(std::vector<Combination>& combinations, const Views& all,
                     const Verify& verify) {
    struct Unlikely {
        FrequencyList list;
        int least, most;  // number of mistakes
    };
    for (const auto& [list, least, most] : {Unlikely{unusual, 1, 2},
                                            {doubly_changed, 2, most_mistakes},
                                            {twice_of, 2, most_mistakes},
                                            {ending_still, 1, 2}}) {
        int less = most;
        if (!combinations.empty()) {
            const Combination& best = combinations.front();
            const bool has_entry = has_mistake(best.mistakes(), "inv-freq-entry");
            less = std::min(most, best.cost - (has_entry ? 0 : 1));
        }
        if (less < least) continue;
        std::vector<Combination> others = search(all, list, less, verify);
        if (!others.empty()) combinations = std::move(others);
    }
}

// Nearly all pairs rotate at a constant rate: one may be odd. Of several axes all.
bool could_be_a_rotation(const DumpView& view) {
    const Samples& samples = view.samples;
    if (samples.positions.size() > 1) return are_constant_on_axes(samples, view.axis);
    const PhaseLines lines = oriented(fit_phase_lines(samples), Orientation::right, samples);
    const auto even =
        std::ranges::count(lines, samples.rows(), [](const PhaseLine& line) { return line.rows; });
    return !lines.empty() && 10 * static_cast<std::size_t>(even) >= 9 * lines.size();
}

// Whether the samples fit the asked frequencies with positions, angles or frequencies rounded to 16
// bits, which leaves no pair a constant frequency.
bool may_be_rounded(const DumpView& view, double amplitude) {
    if (view.samples.positions.size() > 1) return false;
    Combination combined;
    combined.view = &view;
    combined.amplitude = amplitude;
    combined.frequencies = frequencies_of(view.asked);
    return std::ranges::any_of(wrong_roundings(), [&](const Rounding& rounding) {
        combined.rounding = &rounding;
        return !rounding.cuts_table() && misfit(view.samples, combined.hypothesis(), 1) <= 1;
    });
}

// Views with positions from other sources, or from `only`, that may be those of a rotation.
Views at_other_sources(const Views& all, const DumpPart& part, int most,
                       const OtherSource* only = nullptr) {
    Views others;
    for (const DumpView& view : all) {
        if (static_cast<int>(view.mistakes.size()) >= most ||
            !view.leaves_other_dimensions_unchanged)
            continue;
        Views at_others = views_by_source(view, part, only);
        if (!only)
            for (DumpView& other : views_by_frame_times(view, part.rows))
                at_others.push_back(std::move(other));
        const double amplitude = at_others.empty() ? 1 : fitted_amplitude(view.samples).value;
        for (DumpView& other : at_others)
            if (could_be_a_rotation(other) || may_be_rounded(other, amplitude))
                others.push_back(std::move(other));
    }
    return others;
}

// Combinations, and the views that they point to.
struct Found {
    std::vector<Combination> combinations;
    const Views& of;
    std::shared_ptr<const Views> others = {};  // at other sources
};

std::optional<PartFinding> finding_of(const Found& all, const Spec& asked, const DumpPart& part,
                                      bool do_slow_pairs_show_it = false) {
    PartFinding found{
        explain_combinations(all.combinations, all.of, asked, &part, do_slow_pairs_show_it)};
    // two mistakes with parameters fit noise that is just above its tolerance
    if (found.explanations.size() > 1 &&
        !(error_as_asked(all.of.front(), part) >= 10 * found.explanations.front().after))
        return std::nullopt;
    const Combination& best = all.combinations.front();
    if (best.frequencies.spec) found.spec = spec_of(best);
    if (!best.frequencies.mistake.empty()) found.frequencies = {best.frequencies, best.rounding};
    if (is_stepped(best)) return found;
    found.fitting = [best, &part, others = all.others](const std::vector<std::size_t>& groups) {
        const std::vector<GroupErrors> errors = sweep_of(best, part, groups);
        std::vector<std::size_t> right;
        for (std::size_t g = 0; g < groups.size(); ++g)
            if (errors[g].wrong == 0) right.push_back(groups[g]);
        return right;
    };
    return found;
}

// Whether all rows have one offset, which another source of positions may cause as well.
bool is_shifted(const Combination& combined) {
    const PositionRule* rule = combined.everywhere();
    return combined.cost == 1 && rule && rule->mistake == "position-offset";
}

// A multiple of each id or its quotient, as are row numbers of ids in steps: id 4n + 1 in row n.
bool is_of_steps(const Combination& combined) {
    return combined.scale() || combined.map().kind == PositionMap::Kind::quotient;
}

// Searches with positions from other sources. At equal cost such a combination comes before one
// whose start, period or step is fitted to the dump, and after a plain offset, as another name of
// it.
void search_other_sources(Found& found, const DumpPart& part, const Verify& verify) {
    std::vector<Combination>& combinations = found.combinations;
    const bool is_any = !combinations.empty();
    const bool is_fitted = is_any && combinations.front().map().is_fitted();
    const bool is_step = is_any && !is_fitted && is_of_steps(combinations.front());
    const bool is_name = is_any && !is_fitted && is_shifted(combinations.front());
    const int cost = is_any ? combinations.front().cost : most_mistakes + 1;
    const int most = cost - (is_fitted || is_step || is_name ? 0 : 1);
    if (most < 1) return;
    const OtherSource* const row_number = source_named("row number");
    found.others = std::make_shared<const Views>(
        at_other_sources(found.of, part, most, is_step && cost == 1 ? row_number : nullptr));
    std::vector<Combination> others = search(*found.others, usual, most, verify);
    if (is_step)
        std::erase_if(others, [&](const Combination& one) {
            return one.cost == cost && one.view->samples.source != row_number;
        });
    if (others.empty()) return;
    if (others.front().cost < cost) combinations.clear();
    combinations.insert(is_name ? combinations.end() : combinations.begin(), others.begin(),
                        others.end());
}

// Whether one mistake, or rules of positions only, explain the rows.
bool is_by_positions(const std::vector<Combination>& combinations) {
    return !combinations.empty() &&
           (combinations.front().cost == 1 ||
            combinations.front().cost == combinations.front().cost_of_positions());
}

std::optional<PartFinding> still_part(const DumpView& view, const DumpPart& part) {
    const auto still = explain_stillness(view, part);
    if (!still) return std::nullopt;
    const auto fitting = [&view, &part, name = still->mistake](std::vector<std::size_t> groups) {
        std::erase_if(groups, [&](std::size_t group) {
            DumpPart one = part;
            one.groups = {group};
            const auto own = explain_stillness(view, one);
            return !own || own->mistake != name;
        });
        return groups;
    };
    return PartFinding{{*still}, fitting};
}

const std::vector<double>& theta_of(const RoundedFrequencies& one) { return one.frequencies.theta; }

}  // namespace

std::optional<PartFinding> find_in_part(const Spec& asked, const DumpPart& part, const Views& all,
                                        const std::vector<RoundedFrequencies>& known) {
    if (auto still = still_part(all.front(), part)) return still;
    const Verify verify = [&](Combination& combined) {
        const auto same = std::ranges::find(known, combined.frequencies.theta, theta_of);
        return (same == known.end() || same->rounding == combined.rounding) &&
               explains_all(combined, part);
    };
    const FrequencyList usual_and_known = [&](const DumpView& view, const FitLines& fit) {
        FrequencySet list = usual(view, fit);
        for (const RoundedFrequencies& one : known)
            if (theta_of(one).size() == list.front().theta.size()) list.push_back(one.frequencies);
        return list;
    };
    Found found{search(all, usual_and_known, most_mistakes, verify), all};
    std::vector<Combination>& combinations = found.combinations;
    search_other_sources(found, part, verify);
    if (!is_by_positions(combinations))
        if (auto rows = find_moved_rows(all.front(), part); rows && rows->is_short)
            return rows->finding;
    const bool by_no_rule = !combinations.empty() && !combinations.front().frequencies.spec;
    search_unlikely(combinations, all, verify);
    // a wrong frequency of one pair, if that needs fewer mistakes
    if (const int cost = combinations.empty() ? most_mistakes + 1 : combinations.front().cost;
        cost >= most_mistakes)
        if (auto odd = search_odd_pair(all, cost - 1, verify); !odd.empty())
            combinations = std::move(odd);
    if (combinations.empty() || by_no_rule) {
        for (const auto explain : {explain_switched, explain_growing_cache, explain_damage})
            if (auto one = explain(all.front(), part)) return PartFinding{{std::move(*one)}};
    }
    if (combinations.empty()) return std::nullopt;
    return finding_of(found, asked, part);
}

std::optional<PartFinding> find_along_heads(const Spec& asked, const DumpPart& part,
                                            const Views& all) {
    const auto along = std::make_shared<const Views>(
        at_other_sources(all, part, most_mistakes, source_named("head number")));
    const Verify verify = [&](Combination& combined) { return explains_all(combined, part); };
    const Found found{search(*along, usual, most_mistakes, verify), all, along};
    if (found.combinations.empty()) return std::nullopt;
    return finding_of(found, asked, part);
}

std::optional<PartFinding> find_rounded_table(const Spec& asked, const DumpPart& part,
                                              const Views& all) {
    const DumpView& view = all.front();
    if (!view.samples.narrow) return std::nullopt;
    Combination stored;
    stored.view = &view;
    stored.frequencies = frequencies_of(view.asked);
    stored.amplitude = stored.frequencies.amplitude;
    if (!explains_all(stored, part)) return std::nullopt;
    return finding_of({{stored}, all}, asked, part, true);
}

std::optional<PartFinding> find_in_slow_pairs(const Spec& asked, const DumpPart& part,
                                              const Views& all) {
    if (auto axes = find_slow_axes(all.front(), part)) return axes;
    // what was asked is within tolerance
    const Verify verify = [&](Combination& combined) {
        return combined.cost > 0 && explains_all(combined, part);
    };
    for (const auto list : {usual, unusual, ending_still}) {
        const Found found{search({&all.front(), 1}, list, 1, verify), all};
        if (!found.combinations.empty()) return finding_of(found, asked, part, true);
    }
    return std::nullopt;
}

std::vector<Explanation> find_in_frequencies(const Spec& asked, const Views& all) {
    if (auto empty = explain_empty_frequencies(all.front())) return {*std::move(empty)};
    std::vector<Combination> combinations = search(all, usual, most_mistakes);
    search_unlikely(combinations, all, {});
    if (!combinations.empty()) return explain_combinations(combinations, all, asked);
    auto memory = explain_memory(all.front());
    return memory ? std::vector{*std::move(memory)} : std::vector<Explanation>{};
}

}  // namespace rope
