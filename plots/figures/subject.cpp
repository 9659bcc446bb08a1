#include "plots/figures/subject.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>
#include <set>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "plots/parts/text.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::plots {
namespace {

constexpr std::string_view scaled_type = "he_xu";

using Words = std::vector<std::pair<std::string, std::string>>;

Words words(const Spec& spec) {
    const auto number = [](auto x) { return fmt::format("{}", x); };
    Words words = {{"head_dim", number(spec.head_dim)},
                   {"rotary_dim", number(spec.rotary_dim)},
                   {"rope_theta", number(spec.rope_theta)},
                   {"max_position_embeddings", number(spec.max_position_embeddings)}};
    if (spec.rotary_dim == spec.head_dim) words.erase(words.begin() + 1);
    if (spec.scaling.rope_type != "default")
        words.emplace_back("rope_type", spec.scaling.rope_type);
    if (spec.scaling.factor)
        words.emplace_back(name_of(&Scaling::factor), number(*spec.scaling.factor));
    if (spec.seq_len) words.emplace_back("seq_len", number(*spec.seq_len));
    return words;
}

std::string joined(const Words& words, const std::string& between, std::string_view separator) {
    return join(words, [&](auto& word) { return word.first + between + word.second; }, separator);
}

}  // namespace

bool is_he_xu(const Spec& spec) { return spec.scaling.rope_type == scaled_type; }

std::vector<NamedSpec> with_scaled(std::span<const NamedSpec> specs) {
    std::vector<NamedSpec> all;
    for (const NamedSpec& given : specs) {
        const bool is_scaled = is_he_xu(given.spec);
        const std::string other = is_scaled ? "base θ" : "scaled θ";
        NamedSpec form{specs.size() == 1 ? other : given.label + " (" + other + ")", given.spec};
        form.spec.scaling = {};
        if (!is_scaled) form.spec.scaling.rope_type = scaled_type;
        all.push_back(given);
        all.insert(is_scaled ? all.end() - 1 : all.end(), std::move(form));
    }
    return all;
}

void note_scaled(Figure& figure, std::span<const NamedSpec> specs) {
    const auto has_other_type = [](const NamedSpec& named) {
        return !is_he_xu(named.spec) && named.spec.scaling.rope_type != "default";
    };
    std::set<std::string> types;
    for (const NamedSpec& named : specs)
        if (has_other_type(named)) types.insert(named.spec.scaling.rope_type);
    if (!types.empty() && std::ranges::any_of(specs, is_he_xu, &NamedSpec::spec))
        figure.notes.push_back("Scaled θ: π/(2n) times base θ, without rope_type " +
                               join(types, {}, " and ") + ".");
}

Figure figure_of(std::span<const NamedSpec> specs, std::string description) {
    Figure figure;
    figure.description = std::move(description);
    Words shared = words(specs.front().spec);
    for (const NamedSpec& named : specs) {
        const Words own = words(named.spec);
        figure.parameters.emplace_back(named.label, joined(own, "=", " "));
        if (is_he_xu(named.spec)) continue;  // the form of another (with_scaled)
        std::erase_if(shared,
                      [&](const auto& w) { return std::ranges::find(own, w) == own.end(); });
    }
    figure.subtitle = with_typeset_numbers(joined(shared, " ", " · "));
    return figure;
}

std::string names_of(std::vector<std::string> names) {
    std::vector<std::string> once;
    for (std::string& name : names)
        if (std::ranges::find(once, name) == once.end()) once.push_back(std::move(name));
    const std::size_t count = once.size();
    if (count > 3) once.resize(2);
    const std::string last =
        count > 3 ? fmt::format("{} others", count - 2) : std::exchange(once.back(), "");
    if (count <= 3) once.pop_back();
    return once.empty() ? last : fmt::format("{} and {}", fmt::join(once, ", "), last);
}

std::string extremes(std::vector<Quantity> all, const std::string& preposition,
                     const std::string& of_two) {
    std::ranges::stable_sort(all, {}, &Quantity::value);
    const Quantity &first = all.front(), &last = all.back();
    const auto named = [&](const Quantity& one) {
        std::vector<std::string> names;
        for (const Quantity& other : all)
            if (other.text == one.text) names.push_back(other.of);
        return fmt::format("{} {} {}", one.text, preposition, names_of(std::move(names)));
    };
    if (first.text == last.text) return named(first);
    const bool are_two = std::ranges::all_of(
        all, [&](const Quantity& one) { return one.text == first.text || one.text == last.text; });
    return named(first) + (are_two ? of_two : " to ") + named(last);
}

std::uint32_t common_pairs(std::span<const NamedSpec> specs) {
    const auto pairs = [](const NamedSpec& named) { return named.spec.pairs(); };
    return pairs(*std::ranges::min_element(specs, {}, pairs));
}

std::uint32_t slowest_differing_pair(std::span<const NamedSpec> specs,
                                     std::optional<std::uint64_t> reach) {
    std::vector<FrequencyPlan> plans;
    for (const NamedSpec& named : specs)
        plans.push_back(plan_frequencies(named.spec, exact_precision));
    const auto completes_a_turn = [&](std::uint32_t i) {
        for (std::size_t k = 0; k < plans.size(); ++k)
            if (plans[k].pairs[i].inv_freq.to_double() *
                    static_cast<double>(reach.value_or(specs[k].spec.max_position_embeddings)) <
                2 * std::numbers::pi)
                return false;
        return true;
    };
    std::optional<std::uint32_t> slowest, fastest;
    double least = 0;
    for (std::uint32_t i = 0; i < common_pairs(specs); ++i) {
        std::vector<double> inv_freq;
        for (const FrequencyPlan& plan : plans)
            inv_freq.push_back(plan.pairs[i].inv_freq.to_double());
        const auto [low, high] = std::ranges::minmax(inv_freq);
        if (low == 0 || low == high) continue;
        if (!fastest) fastest = i;
        if (!completes_a_turn(i) || (slowest && low >= least)) continue;
        least = low;
        slowest = i;
    }
    return slowest.value_or(fastest.value_or(0));
}

}  // namespace rope::plots
