#include "rope/diagnose/identify.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/decimal.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// Whether a config would have it: whole, quarters or tenths. Of 16 bits any factor is one of four
// digits.
bool is_linear_factor(double x) {
    return 4 * x == std::round(4 * x) || 10 * x == std::round(10 * x);
}

constexpr std::uint64_t usual_lengths[] = {2048,  4096,  8192,   16384, 32768,
                                           40960, 65536, 131072, 262144};
constexpr double usual_factors[] = {2, 4, 8, 16, 32, 40, 64};

// The numbers that an estimate may mean: usual numbers within 1 %, then one of few digits
// within 1e-5, which is less than the tolerance of an unknown implementation, then one of as many
// digits as the estimate determines.
std::vector<double> meant_by(const Estimate& estimate, std::span<const double> usual) {
    std::vector<double> all;
    const auto add = [&](double x) {
        if (std::ranges::find(all, x) == all.end()) all.push_back(x);
    };
    for (const double x : usual)
        if (std::abs(x / estimate.value - 1) <= std::max(0.01, 4 * estimate.error)) add(x);
    const double plain = few_digits(estimate.value, 5e-3);
    if (std::abs(plain / estimate.value - 1) <= 1e-5) add(plain);
    for (const double errors : {4, 1})
        add(few_digits(estimate.value, std::max(3e-7, errors * estimate.error)));
    return all;
}

bool is_usual(double base) {
    return std::ranges::any_of(usual_bases,
                               [&](double usual) { return std::abs(base / usual - 1) < 0.01; });
}

// Whether a model may leave the rest of a head unrotated. The largest published part is 3/4; others
// are 1/8, 1/4, 0.3, 1/3, 0.4 and 1/2.
bool may_rotate_alone(std::size_t dimensions, std::size_t head_dim) {
    return 4 * dimensions <= 3 * head_dim &&
           (dimensions % 4 == 0 || 20 * dimensions % head_dim == 0);
}

class Candidates {
  public:
    Candidates(const Spec& plain, std::span<const Spec> known, const PhaseLines& lines)
        : plain_(plain), lines_(lines) {
        add(plain, 0);
        for (const Spec& spec : known) add_known(spec);
        for (const double base : usual_bases) add(with_base(plain, base), 0);
        if (lines.empty()) return;
        bases();
        for (const double base : bases_) add_scaled(base);
        add_proportional();
        add_linear();
    }

    FrequencySet list() && { return std::move(list_); }

  private:
    // An uncertain base may be rounded to 1, by which all pairs have one frequency.
    void add(const Spec& spec, int cost) {
        if (!is_sound(spec) || spec.rope_theta <= 1) return;
        Frequencies one = frequencies_of(spec);
        one.cost = cost;
        one.takes_any_amplitude = has_type(spec, {"yarn", "longrope"});
        list_.push_back(std::move(one));
    }

    void add_known(const Spec& spec) {
        if (spec.pairs() != plain_.pairs() || axis_count(spec.axes) > 1) return;
        Spec other = spec;
        other.head_dim = plain_.head_dim;
        other.rotary_dim = plain_.rotary_dim;
        other.layout = plain_.layout;
        add(other, 0);
    }

    void bases() {
        for (std::size_t pairs = lines_.size(); pairs >= 4; pairs = pairs * 3 / 4) {
            const PowerLaw law = fit_power_law(lines_, pairs, false);
            if (!(law.base > 1 && law.base < 1e30)) continue;
            for (const double base : meant_by({law.base, law.base_error}, usual_bases))
                add_base(base);
            add_ntk({law.base, law.base_error});
        }
        if (bases_.empty()) add_base(fit_power_law(lines_, lines_.size(), false).base);
    }
    void add_base(double base) {
        if (!may_be_of_the_dimensions(base)) return;
        if (std::find(bases_.begin(), bases_.end(), base) == bases_.end()) bases_.push_back(base);
    }

    // With an unusual base, a part of the head rotates only if that part is usual, and if
    // b^(d/rotary_dim), the base over the whole head, is not a usual one.
    bool may_be_of_the_dimensions(double base) const {
        const double dimensions = plain_.rotary_dim, head = plain_.head_dim;
        if (dimensions == head || is_usual(base)) return true;
        return may_rotate_alone(plain_.rotary_dim, plain_.head_dim) && base > 1 &&
               !is_usual(portable::pow(base, head / dimensions));
    }

    // ntk with a usual base and factor; its effective base has many digits.
    void add_ntk(const Estimate& base) {
        Spec spec = plain_;
        spec.scaling.rope_type = "ntk";
        const double d = spec.rotary_dim;
        for (const double usual : usual_bases)
            for (const double factor : usual_factors) {
                const double grown = usual * portable::pow(factor, d / (d - 2));
                if (std::abs(grown / base.value - 1) > std::max(1e-6, 4 * base.error)) continue;
                spec.rope_theta = usual;
                spec.scaling.factor = factor;
                add(spec, 0);
            }
    }

    void add_scaled(double base) {
        Spec spec = with_base(plain_, base);
        if (!is_sound(spec)) return;
        add(spec, 0);
        const std::vector<double> theta = list_.back().theta;
        if (theta.size() != lines_.size()) return;
        for (const std::uint64_t length : usual_lengths) {
            spec.scaling.original_max_position_embeddings = length;
            for (const double factor :
                 meant_by(factor_of(theta, fully_scaled(theta, length)), usual_factors)) {
                if (!(factor > 1.01 && factor < 1e6) || !may_be_scaled(theta, length, factor))
                    continue;
                spec.scaling.factor = factor;
                spec.max_position_embeddings =
                    static_cast<std::uint64_t>(factor * static_cast<double>(length));
                add_yarn(spec);
                add_llama3(spec);
            }
        }
    }

    void add_yarn(Spec spec) {
        spec.scaling.rope_type = "yarn";
        const std::optional<double> usual, as_slow = 1, of_mistral = 4;  // Kimi K2 has no ramp
        for (const auto& truncate : {std::optional<bool>(), std::optional(false)})
            for (const auto& beta_fast : {usual, as_slow, of_mistral}) {
                spec.scaling.truncate = truncate;
                spec.scaling.beta_fast = beta_fast;
                add(spec, 1);
            }
    }

    // Equal bounds leave no blend, as in some yarn configs; no llama3 model has them.
    void add_llama3(Spec spec) {
        spec.scaling.rope_type = "llama3";
        const FrequencyFactors fitted = fit_llama3(spec, lines_);
        for (const auto& [low, high] : {FrequencyFactors{}, {1, 1}, fitted}) {
            spec.scaling.low_freq_factor = low;
            spec.scaling.high_freq_factor = high;
            add(spec, low == high ? 2 : 1);
        }
    }

    // The first pair with less than one turn in the original length, which yarn and llama3 divide
    // by the full factor; else the last pair.
    static std::size_t fully_scaled(const std::vector<double>& theta, std::uint64_t length) {
        std::size_t first = 0;
        while (first + 1 < theta.size() &&
               static_cast<double>(length) * theta[first] >= 2 * std::numbers::pi)
            ++first;
        return first;
    }

    // Whether pairs with many turns in the original length have the base's θ, as yarn and llama3
    // leave them, and pairs with less than one turn have it divided by the factor.
    bool may_be_scaled(const std::vector<double>& theta, std::uint64_t length,
                       double factor) const {
        const std::size_t fully = fully_scaled(theta, length);
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (!lines_[i].is_known()) continue;
            const bool is_fast = static_cast<double>(length) * theta[i] > 2 * std::numbers::pi * 64;
            if (!is_fast && i <= fully) continue;
            const double expected = is_fast ? theta[i] : theta[i] / factor;
            if (std::abs(lines_[i].theta - expected) > 6 * lines_[i].error + 1e-4 * expected)
                return false;
        }
        return true;
    }

    // The factor that divides the pairs from `first` on, fitted through 0: the sign of slow pairs
    // may be unknown.
    Estimate factor_of(const std::vector<double>& theta, std::size_t first) const {
        double xy = 0, xx = 0;
        for (std::size_t i = first; i < lines_.size(); ++i) {
            if (!lines_[i].is_known()) continue;
            const double weight = 1 / (lines_[i].error * lines_[i].error);
            xy += weight * theta[i] * lines_[i].theta;
            xx += weight * theta[i] * theta[i];
        }
        if (!(xy > 0)) return {1, 0};
        return {xx / xy, std::sqrt(xx) / xy};
    }

    // All frequencies divided by a factor of few digits, with any base. A factor below 1 is a
    // second rotation or another mistake; base^(2/d) means that pairs are counted from 1.
    void add_linear() {
        const PowerLaw law = fit_power_law(lines_, lines_.size(), true);
        if (!(law.base > 1 && law.base < 1e30) || std::abs(law.scale - 1) < 1e-3) return;
        for (const double base : meant_by({law.base, law.base_error}, usual_bases)) {
            Spec spec = with_base(plain_, base);
            const std::vector<double> theta = frequencies_of(spec).theta;
            spec.scaling.rope_type = "linear";
            for (const double factor : meant_by(factor_of(theta, 0), usual_factors)) {
                if (!(factor > 1 && is_linear_factor(factor))) continue;
                spec.scaling.factor = factor;
                add(spec, 0);
            }
        }
    }

    // Gemma 4: the last pairs do not rotate, and the exponent is over the whole head.
    void add_proportional() {
        std::size_t turning = lines_.size();
        while (turning > 0 && std::abs(lines_[turning - 1].theta) <= 4 * lines_[turning - 1].error)
            --turning;
        const std::size_t pairs = lines_.size();
        if (turning == 0 || !may_rotate_alone(2 * turning, 2 * pairs)) return;
        for (const double base : bases_) {
            Spec spec = with_base(plain_, few_digits(base, 1e-5));
            // with another base it is a partial head
            if (spec.layout == PairLayout::interleaved && !is_usual(base)) continue;
            spec.scaling.rope_type = "proportional";
            spec.scaling.partial_rotary_factor =
                static_cast<double>(turning) / static_cast<double>(pairs);
            add(spec, 0);
        }
    }

    const Spec& plain_;
    const PhaseLines& lines_;
    std::vector<double> bases_;
    FrequencySet list_;
};

// Identifies a dump: the Specs whose exact values it holds, by its phase lines.

// Whether that is all of it: another layout or width of the pairs is not a mistake of a dump that
// no Spec was given for.
bool is_part_of_spec(const Combination& combined) {
    const auto of_the_view = static_cast<int>(combined.view->mistakes.size());
    const bool is_linear =
        spec_of(combined).scaling.rope_type != combined.frequencies.spec->scaling.rope_type;
    const bool is_its_factor =
        combined.fitted_amplitude && combined.frequencies.takes_any_amplitude;
    return combined.cost ==
           of_the_view + combined.frequencies.cost + (is_linear ? 1 : 0) + (is_its_factor ? 1 : 0);
}

// Among Specs that fit equally well the simplest is the likeliest.
std::tuple<int, bool, int, bool, std::size_t> complexity(const Combination& combined) {
    const Spec& spec = *combined.frequencies.spec;
    return {combined.cost - static_cast<int>(combined.view->mistakes.size()),
            !is_part_of_spec(combined), rank_of_type(spec), combined.fitted_amplitude,
            digits_of(spec)};
}

// Whether the Spec has numbers that somebody may have written, unlike the digits of a fit.
bool are_written(const Spec& spec, const Spec& simple) {
    return few_digits(spec.rope_theta, 1e-7) == spec.rope_theta &&
           digits_of(spec) <= digits_of(simple) + 2;
}

Identity simplest(std::vector<Combination> combinations) {
    std::ranges::stable_sort(combinations, {}, complexity);
    Identity found{spec_of(combinations.front()), true, {}, false};
    const Combination& first = combinations.front();
    const auto kind = [](const Combination& combined) {
        return std::tuple(std::get<0>(complexity(combined)), is_part_of_spec(combined),
                          combined.fitted_amplitude);
    };
    for (const Combination& combined : combinations) {
        // with one pair, θ is 1 for any base
        if (combined.view == first.view && combined.amplitude == first.amplitude &&
            combined.frequencies.theta == first.frequencies.theta)
            continue;
        Spec other = spec_of(combined);
        const auto is_other = [&](const Spec& one) { return rotate_alike(one, other); };
        if (kind(combined) == kind(first) && are_written(other, found.spec) &&
            !is_other(found.spec) && std::ranges::none_of(found.also, is_other))
            found.also.push_back(std::move(other));
    }
    return found;
}

// Returns the combinations whose Spec the whole dump allows. If it allows none, returns all: the
// rows may have mistakes of any of them.
std::vector<Combination> search_judged(const Views& views, const FrequencyList& list,
                                       const AllowsSpec& allows) {
    bool is_refuted = false;
    const auto is_possible = [&](const Combination& combined) {
        if (!allows || !is_part_of_spec(combined) || allows(spec_of(combined))) return true;
        is_refuted = true;
        return false;
    };
    std::vector<Combination> combinations = search(views, list, 3, is_possible, false);
    std::erase_if(combinations, [&](const Combination& combined) {
        return !combined.verified && !is_possible(combined);
    });
    return is_refuted && std::ranges::none_of(combinations, is_part_of_spec)
               ? search(views, list, 3, {}, false)
               : combinations;
}

// Whether the dump has one row, or rows more than 1 apart, between which a pair may complete turns.
bool leaves_rates_open(const Dump& dump) {
    const auto rows = rows_of(dump);
    if (!rows) return false;
    const std::set<double> sorted(rows->positions.begin(), rows->positions.end());
    return std::adjacent_find(sorted.begin(), sorted.end(),
                              [](double a, double b) { return b - a <= 1; }) == sorted.end();
}

// Whether the rows of every pair are on one line through angle 0 at position 0.
bool have_constant_rates(const Samples& samples) {
    const PhaseLines lines = through_zero(fit_phase_lines(samples));
    return !lines.empty() && std::ranges::all_of(lines, [&](const PhaseLine& line) {
        return line.rows == samples.rows() && (line.offset == 0 || line.theta == 0);
    });
}

bool is_rotation(const DumpView& view) {
    return view.leaves_other_dimensions_unchanged && keeps_norms(view.samples);
}

// Whether pairs are within the halves of vectors, as in Gemma 4's images.
bool rotates_in_halves(Spec plain, const Dump& dump) {
    plain.axes = {AxisScheme::halves};
    return std::holds_alternative<RotatedDump>(dump) && is_sound(plain) &&
           std::ranges::any_of(views_of(plain, dump, CheckFacts{}), is_rotation);
}

// If the sampled rows leave sections open, or all rows refute them, the axes of most pairs are
// tried on all rows.
Identity identity_on_axes(const Spec& plain, const Dump& dump, std::span<const Spec> known,
                          const AllowsSpec& allows) {
    auto found = identify_axes(plain, dump, known, allows);
    if (allows && !(found && found->fits_all))
        if (auto most = majority_of(dump, known); most && allows(most->spec))
            return {std::move(most->spec), true};
    if (found) return *std::move(found);
    return {.spec = with_axes(plain, axes_of(dump)), .is_open = true};
}

}  // namespace

Spec plain_spec(const Dump& dump) {
    Spec spec;
    spec.head_dim = spec.rotary_dim = static_cast<std::uint32_t>(dimensions_of(dump));
    if (const auto rows = rows_of(dump))
        spec.max_position_embeddings = std::max<std::uint64_t>(2048, context_of(rows->positions));
    return spec;
}

Spec spec_of(const Combination& combined) {
    Spec spec = *combined.frequencies.spec;
    spec.head_dim = combined.view->asked.head_dim;
    spec.layout = combined.view->asked.layout;
    const auto has = [](const auto& parameter, std::string_view name, std::string_view value) {
        return parameter.first == name && parameter.second == FieldValue(std::string(value));
    };
    for (const NamedMistake& one : combined.view->mistakes)
        for (const auto& parameter : one.parameters) {
            if (has(parameter, "dimensions", "suffix"))
                spec.rotary_offset = spec.head_dim - spec.rotary_dim;
            if (has(parameter, "before", to_string(PairLayout::interleaved)))
                spec.layout = PairLayout::interleaved_to_half_split;
        }
    if (combined.amplitude != combined.frequencies.amplitude &&
        combined.frequencies.takes_any_amplitude)
        spec.scaling.attention_factor = combined.amplitude;
    const PositionMap map = combined.map();
    const double factor = few_digits(1 / map.scale, 1e-6);
    if (map.kind == PositionMap::Kind::affine && map.scale < 1 && map.offset == 0 &&
        spec.scaling.rope_type == "default" && is_linear_factor(factor)) {
        spec.scaling.rope_type = "linear";
        spec.scaling.factor = factor;
    }
    return spec;
}

std::size_t digits_of(double x) {
    int exponent;
    return std::frexp(x, &exponent) == 0.5 ? 1 : decimal(x).find_last_not_of('0') + 1;
}

std::size_t digits_of(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    return digits_of(spec.rope_theta) + digits_of(scaling.factor.value_or(1)) +
           digits_of(scaling.low_freq_factor.value_or(1)) +
           digits_of(scaling.high_freq_factor.value_or(1));
}

int rank_of_type(const Spec& spec) {
    if (spec.scaling.rope_type == "default") return digits_of(spec.rope_theta) <= 3 ? 0 : 2;
    return spec.scaling.rope_type == "ntk" ? 1 : 3;
}

FrequencySet identity_candidates(const Spec& plain, std::span<const Spec> known,
                                 const PhaseLines& lines) {
    return Candidates(plain, known, lines).list();
}

std::vector<AxisMap> known_maps(std::span<const Spec> known, std::uint32_t pairs,
                                std::size_t axes) {
    std::vector<AxisMap> maps;
    for (const Spec& spec : known)
        if (spec.pairs() == pairs && axis_count(spec.axes) == axes && is_one_ladder(spec.axes) &&
            std::ranges::find(maps, spec.axes) == maps.end())
            maps.push_back(spec.axes);
    return maps;
}

bool may_be_right(const Dump& dump) {
    const auto is_it = [&](const DumpView& view) {
        if (!is_rotation(view)) return false;
        if (view.samples.positions.size() > 1) return may_follow_axes(view.samples);
        return have_constant_rates(view.samples);
    };
    return leaves_rates_open(dump) ||
           std::ranges::any_of(views_of(plain_spec(dump), dump, CheckFacts{}), is_it);
}

bool rotate_alike(Spec a, const Spec& b) {
    a.max_position_embeddings = b.max_position_embeddings;
    a.seq_len = b.seq_len;
    return a == b;
}

Identity identify(const Dump& dump, std::span<const Spec> known, const AllowsSpec& allows) {
    const Spec plain = plain_spec(dump);
    if (axes_of(dump) > 1) return identity_on_axes(plain, dump, known, allows);
    Effort effort{2'000'000};  // values; the rules of nearly all dumps take less than a tenth
    const Views all = views_of(plain, dump, {.effort = &effort});
    const auto list = [&](const DumpView& view, const FitLines& fit) {
        return identity_candidates(view.asked, known, fit());
    };
    std::vector<Combination> combinations;
    if (!all.empty()) combinations = search_judged(all, list, allows);
    Identity found = combinations.empty()
                         ? Identity{.spec = plain, .is_open = leaves_rates_open(dump)}
                         : simplest(std::move(combinations));
    const auto rotates = std::ranges::find_if(all, is_rotation);
    if (rotates == all.end()) {
        found.may_be_right = !found.fits && rotates_in_halves(plain, dump);
        return found;
    }
    found.has_frequencies = have_constant_rates(rotates->samples);
    if (found.fits) return found;
    found.spec = rotates->asked;
    const auto* frequencies = std::get_if<FrequencyDump>(&dump);
    found.may_be_right =
        frequencies == nullptr || std::ranges::is_sorted(frequencies->inv_freq, std::greater<>());
    return found;
}

}  // namespace rope
