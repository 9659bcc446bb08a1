// Mistakes of scaling by parts, as of yarn and llama3: with w = 0 for pairs with many turns in the
// original length, w = 1 for those with few, and a ramp between two bounds,
//     inv_freq = (1 − w)·θ + w·θ/factor
#include <cmath>
#include <functional>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

// Adds the Spec with other parameters of its scaling, each a pair of a member and its value.
void add_with(FrequencySet& list, const Spec& asked, const Parameters& context,
              const auto&... settings) {
    Spec other = asked;
    Parameters parameters;
    const auto set = [&](const auto& setting) {
        const auto& [member, value] = setting;
        other.scaling.*member = value;
        if constexpr (std::is_same_v<decltype(setting.second), bool>)
            parameters.push_back(parameter(member, value ? "true" : "false"));
        else
            parameters.push_back(parameter(member, value));
    };
    (set(settings), ...);
    add_candidate(list, named("scaling-parameter", std::move(parameters), context), other);
}

// The numbers of turns between which pairs are blended.
struct Turns {
    double fast, slow;
};
Turns turns_of(const Scaling& scaling) {
    if (scaling.rope_type == "llama3") return {*scaling.high_freq_factor, *scaling.low_freq_factor};
    return {value_or_default(scaling, yarn_variant.keys, &Scaling::beta_fast),
            value_or_default(scaling, yarn_variant.keys, &Scaling::beta_slow)};
}

void add_with_turns(FrequencySet& list, const Spec& asked, double fast, double slow,
                    Parameters context = {}) {
    if (fast == slow) context = {{"are", "equal"}};  // no pair is blended
    if (has_type(asked, {"yarn"}))
        add_with(list, asked, context, std::pair(&Scaling::beta_fast, fast),
                 std::pair(&Scaling::beta_slow, slow));
    else
        add_with(list, asked, context, std::pair(&Scaling::low_freq_factor, slow),
                 std::pair(&Scaling::high_freq_factor, fast));
}

void add_with_original(FrequencySet& list, const Spec& asked, std::uint64_t length,
                       Parameters context = {}) {
    context.emplace_back("asked", *asked.scaling.original_max_position_embeddings);
    add_with(list, asked, context, std::pair(&Scaling::original_max_position_embeddings, length));
}

void add_other_parameters(FrequencySet& list, const Spec& asked) {
    const bool is_yarn = has_type(asked, {"yarn"});
    if (!is_yarn && !has_type(asked, {"llama3"})) return;
    if (!is_yarn && asked.max_position_embeddings != asked.scaling.original_max_position_embeddings)
        add_with_original(list, asked, asked.max_position_embeddings);
    for (const std::uint64_t length : {8192u, 4096u, 2048u, 16384u, 32768u, 131072u})
        if (length != asked.scaling.original_max_position_embeddings)
            add_with_original(list, asked, length);
    const auto [own_fast, own_slow] = turns_of(asked.scaling);
    for (const double slow : {1.0, 0.5, 2.0, 4.0})
        for (const double fast : is_yarn ? std::vector{16.0, 32.0, 64.0, 128.0}
                                         : std::vector{4.0, 1.0, 2.0, 8.0, 16.0, 32.0})
            if (slow <= fast && (slow != own_slow || fast != own_fast))
                add_with_turns(list, asked, fast, slow);
    for (const double both : {own_slow, own_fast, 1 / own_slow, 1 / own_fast})
        add_with_turns(list, asked, both, both);
    add_with_turns(list, asked, own_fast / full_turn, own_slow / full_turn,
                   {{"are", "without 2π"}});
}

// Other ramps, blends and scaled frequencies under the asked bounds.
class Parts {
  public:
    Parts(FrequencySet& list, const Spec& asked)
        : list_(list),
          asked_(asked),
          plan_(frequencies_of(asked)),
          plain_(frequencies_of(unscaled(asked)).theta),
          factor_(*asked.scaling.factor) {
        for (std::size_t i = 0; i < plain_.size(); ++i)
            weights_.push_back(
                std::clamp((1 - plan_.theta[i] / plain_[i]) / (1 - 1 / factor_), 0.0, 1.0));
    }

    // One deviation from the rule, or several that occur together.
    void add_blends() {
        using Several = std::vector<std::pair<Deviation, Weights>>;
        Several ramps{{{}, weights_}};
        for (const Variable& one : variables)
            if (one.name != (is_yarn() ? "the pair index" : "turns"))
                ramps.push_back({{"over " + std::string(one.name),
                                  "the ramp runs over " + std::string(one.name)},
                                 over(one.of_turns)});
        for (const auto& [ramp, weights] : ramps)
            for (const auto& [exchange, own] :
                 Several{{{}, weights},
                         {{"exchanged", "smooth and 1 − smooth are exchanged between the bounds"},
                          exchanged(weights, false)},
                         {{"inverted", "fast pairs are interpolated and slow ones kept"},
                          exchanged(weights, true)}})
                for (const auto& [mean, blend] : means)
                    add_blend({ramp, exchange, mean}, own, blend);
    }

    // By the asked ramp, and by yarn's with its ends rounded if the asked ones are not, or the
    // reverse.
    void add_divided() {
        const double f = factor_;
        const double power = 1 + portable::log(f) / portable::log(asked_.rope_theta);
        const auto add = [&](const char* name, const std::function<double(double)>& of) {
            const auto add_with = [&](NamedMistake mistake, const Weights& weights) {
                return add_theta(std::move(mistake), [&](std::size_t i) {
                    return (1 - weights[i]) * plain_[i] + weights[i] * of(plain_[i]);
                });
            };
            const Parameters context{{"rope_type", asked_.scaling.rope_type}};
            add_with(named("scaling-parameter", {{"divided", name}}, context), weights_);
            if (!is_yarn()) return;
            const bool is_rounded =
                value_or_default(asked_.scaling, yarn_variant.keys, &Scaling::truncate);
            Spec other = asked_;
            other.scaling.truncate = !is_rounded;
            if (add_with(named("scaling-parameter",
                               {{"divided", name},
                                parameter(&Scaling::truncate, is_rounded ? "false" : "true")},
                               context),
                         over_pairs(ends_of(other))))
                list_.back().cost = 2;
        };
        add("1/(factor·θ)", [f](double theta) { return 1 / (f * theta); });
        add("factor·θ", [f](double theta) { return f * theta; });
        add("(factor·rope_theta)^(−2i/d)",
            [power](double theta) { return portable::pow(theta, power); });
    }

    // Ends of yarn's ramp over the pair index.
    void add_bounds() {
        if (!is_yarn()) return;
        const Ends own = ends_of(asked_), exact = ends_of(without_truncation(asked_));
        const double last = static_cast<double>(plain_.size()) - 1;
        const auto add = [&](const std::string& how, double low, double high) {
            const Weights weights = over_pairs({low, high});
            add_theta(named("scaling-parameter", {{"bounds", how}}), [&](std::size_t i) {
                return plain_[i] * (1 - weights[i] + weights[i] / factor_);
            });
        };
        const auto [low, high] = exact;
        add("both rounded down", std::floor(low), std::floor(high));
        add("both rounded up", std::ceil(low), std::ceil(high));
        add("rounded inwards", std::ceil(low), std::floor(high));
        if (own.high > last) add("at most d/2 − 1", own.low, last);
        add("twice the right ones, as of dimensions", 2 * own.low, 2 * own.high);
        add("half the right ones", own.low / 2, own.high / 2);
        for (const double base : usual_bases) {
            const Ends other = ends_of(with_base(asked_, base));
            if (base != asked_.rope_theta)
                add("those for rope_theta " + decimal(base), other.low, other.high);
        }
        Spec whole = asked_;
        whole.rotary_dim = asked_.head_dim;
        const Ends wide = ends_of(whole);
        if (asked_.head_dim != asked_.rotary_dim)
            add("those for all " + decimal(asked_.head_dim) + " dimensions", wide.low, wide.high);
    }

  private:
    using Weights = std::vector<double>;
    struct Deviation {
        std::string name, words;
    };
    struct Variable {
        std::string_view name;
        double (*of_turns)(double);
    };
    struct Ends {
        double low, high;
    };
    using Blend = double (*)(double w, double f);
    static constexpr Variable variables[] = {
        {"turns", [](double turns) { return turns; }},
        {"wavelengths", [](double turns) { return 1 / turns; }},
        {"the pair index", [](double turns) { return portable::log(turns); }}};

    static double arithmetic(double w, double f) { return 1 - w + w / f; }
    static double harmonic(double w, double f) { return 1 / (1 - w + w * f); }
    static double geometric(double w, double f) { return portable::pow(f, -w); }

    static inline const std::pair<Deviation, Blend> means[] = {
        {{}, arithmetic},
        {{"of wavelengths", "wavelengths are blended, not frequencies"}, harmonic},
        {{"of logarithms", "logarithms are blended, not frequencies"}, geometric}};

    static Spec without_truncation(Spec spec) {
        spec.scaling.truncate = false;
        return spec;
    }
    static Ends ends_of(const Spec& spec) {
        const YarnRamp ramp = yarn_ramp(spec, exact_precision);
        return {ramp.low.to_double(), ramp.high.to_double()};
    }

    bool is_yarn() const { return asked_.scaling.rope_type == "yarn"; }

    // 1 − w for all pairs, or for those between the bounds.
    static Weights exchanged(Weights weights, bool everywhere) {
        for (double& w : weights)
            if (everywhere || (w > 0 && w < 1)) w = 1 - w;
        return weights;
    }

    // The weights with a ramp over the pair index.
    Weights over_pairs(const Ends& ends) const {
        const double width = ends.high == ends.low ? 0.001 : ends.high - ends.low;
        Weights weights;
        for (std::size_t i = 0; i < plain_.size(); ++i)
            weights.push_back(std::clamp((static_cast<double>(i) - ends.low) / width, 0.0, 1.0));
        return weights;
    }

    // The weights with a ramp over a function of the number of turns.
    Weights over(double (*of_turns)(double)) const {
        const auto [fast, slow] = turns_of(asked_.scaling);
        const auto length = static_cast<double>(*asked_.scaling.original_max_position_embeddings);
        Weights weights;
        for (const double theta : plain_) {
            const double turns = length * theta / full_turn;
            const double part =
                (of_turns(fast) - of_turns(turns)) / (of_turns(fast) - of_turns(slow));
            weights.push_back(turns >= fast ? 0 : turns <= slow ? 1 : part);
        }
        return weights;
    }

    void add_blend(const std::vector<Deviation>& all, const Weights& weights, Blend blend) {
        std::vector<Deviation> own;
        std::ranges::copy_if(all, std::back_inserter(own),
                             [](const Deviation& one) { return !one.name.empty(); });
        if (own.empty()) return;
        const std::string name = join(own, &Deviation::name, " and ");
        add_theta(named("scaling-parameter", {{"ramp", name}},
                        {{"rope_type", asked_.scaling.rope_type},
                         {"how", join(own, &Deviation::words, "; ")}}),
                  [&](std::size_t i) { return plain_[i] * blend(weights[i], factor_); });
        if (own.size() > 1 && !list_.empty() &&
            list_.back().parameters.front().second == FieldValue(name))
            list_.back().cost = 2;
    }

    // Unless these are the asked frequencies. Returns whether they are added.
    template <class Theta>
    bool add_theta(NamedMistake mistake, const Theta& theta) {
        const auto is_asked = [&](std::size_t i) {
            return std::abs(theta(i) - plan_.theta[i]) <= 1e-7 * plan_.theta[i];
        };
        for (std::size_t i = 0; i < plain_.size(); ++i)
            if (!is_asked(i)) {
                add_changed_candidate(list_, plan_, std::move(mistake), theta);
                return true;
            }
        return false;
    }

    FrequencySet& list_;
    const Spec& asked_;
    const Frequencies plan_;
    std::vector<double> plain_;
    double factor_;
    Weights weights_;
};

}  // namespace

void add_parts_mistakes(FrequencySet& list, const Spec& asked) {
    if (asked.scaling.rope_type != "yarn") return;
    const bool truncates = value_or_default(asked.scaling, yarn_variant.keys, &Scaling::truncate);
    add_with(list, asked, {}, std::pair(&Scaling::truncate, !truncates));
    const auto [fast, slow] = turns_of(asked.scaling);
    const auto [usual_fast, usual_slow] = turns_of({});
    add_with_turns(list, asked, slow, fast, {{"are", "swapped"}});
    if (fast != usual_fast || slow != usual_slow)
        add_with_turns(list, asked, usual_fast, usual_slow, {{"are", "defaults"}});
    add_with_original(list, asked, asked.max_position_embeddings, {{"is_longest", 1.0}});
}

void add_unusual_parts(FrequencySet& list, const Spec& asked) {
    add_other_parameters(list, asked);
    if (!has_type(asked, {"yarn", "llama3"}) || !(*asked.scaling.factor > 1) ||
        asked.scaling.ext_factor.value_or(1) != 1)
        return;
    Parts parts(list, asked);
    parts.add_bounds();
    parts.add_divided();
    parts.add_blends();
}

}  // namespace rope
