#include <cmath>
#include <iterator>
#include <span>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// The width d of the exponents −2i/d; none if the ladders have several widths.
std::optional<double> width_of(const Spec& asked) {
    const auto widths = ladder_widths(asked.axes, asked.pairs());
    if (std::ranges::count(widths, widths[0]) < std::ssize(widths)) return std::nullopt;
    return widths[0];
}

// The whole divisor with b^(−2i/d) = base^(−2i/divisor), `base` being the asked one, if there is
// one.
std::optional<double> divisor_of(double base, const Spec& asked) {
    const auto width = width_of(asked);
    if (!width) return std::nullopt;
    const double divisor = *width * portable::log(asked.rope_theta) / portable::log(base);
    if (!(std::abs(divisor - std::round(divisor)) < 1e-6 * divisor) ||
        std::round(divisor) == *width)
        return std::nullopt;
    return std::round(divisor);
}

// Renames an unusual base to the exponent divisor with the same frequencies.
void rename_base(NamedMistake& one_mistake, const Spec& asked) {
    if (one_mistake.mistake != "base" || asked.scaling.rope_type != "default") return;
    const auto base = number_in(one_mistake.parameters, "rope_theta");
    if (!base || is_written(*base, 1e-9)) return;
    const auto divisor = divisor_of(*base, asked);
    if (!divisor) return;
    one_mistake = divisor_mistake(
        asked, std::vector(ladder_widths(asked.axes, asked.pairs()).size(), *divisor));
}

// Renames an unusual scale of all frequencies, base^(−2·first/d), to exponents that start at it.
void rename_scale(NamedMistake& one_mistake, const Spec& asked) {
    const auto scale = number_in(one_mistake.parameters, "scale");
    if (one_mistake.mistake != "position-scale" || one_mistake.parameters.size() != 1 ||
        !is_one_ladder(asked.axes) || has_type(asked, {"llama3"}))
        return;
    const auto written = written_scale(*scale, 1e-9, position_unit(asked));
    if (written && written->digits <= 2) return;
    for (const double first : exponent_starts)
        if (const double own = portable::pow(asked.rope_theta, -2 * first / asked.rotary_dim);
            std::abs(own - *scale) <= 5e-4 * own)
            one_mistake = start_mistake(asked, first);
}

// Adds the scalings and exponents that are equivalent to another base.
void add_names_of_base(std::vector<std::string>& names, double base, const Spec& asked) {
    const double d = asked.rotary_dim;
    const double factor = few_digits(portable::pow(base / asked.rope_theta, (d - 2) / d), 1e-6);
    const bool is_plain = few_digits(factor, 1e-6) == few_digits(factor, 1e-3);
    if (d > 2 && is_plain && factor > 1 && factor <= 1024)
        names.push_back("scaling-type rope_type=ntk factor=" + decimal(factor));
    if (const auto divisor = divisor_of(base, asked))
        names.push_back("exponent-divisor divisor=" + decimal(*divisor));
}

using Names = std::vector<std::string>;

Names names_of(const Combination& combined, const Spec& asked) {
    Names names;
    for (NamedMistake& one : combined.mistakes()) {
        rename_by_spec(one, combined, asked);
        names.push_back(name_of(one));
    }
    return names;
}

// The angle of a row's pair under a hypothesis.
double angle_of(const Hypothesis& hypothesis, const Samples& samples, std::size_t row,
                std::uint32_t pair) {
    const double m = hypothesis.given(samples, row, pair);
    const ExpectedAngles expected = expected_angles(hypothesis, m, pair);
    return expected.values[expected.count / 2];
}

// Whether two views have the same angles, at any positions.
bool see_the_same(const Samples& a, const Samples& b) {
    const auto equal = [](double x, double y) {
        return x == y || (std::isnan(x) && std::isnan(y));
    };
    return a.pairs == b.pairs && std::ranges::equal(a.angle, b.angle, equal);
}

// Whether two combinations give every sampled row equal angles, within float32 errors of inv_freq.
bool are_the_same_numbers(const Combination& one, const Combination& other) {
    constexpr double same = 0x1p-22;
    const Samples &rows = one.view->samples, &other_rows = other.view->samples;
    const Hypothesis a = one.hypothesis(), b = other.hypothesis();
    if (!see_the_same(rows, other_rows) || one.turn != other.turn ||
        a.rounding.method != b.rounding.method || a.rounding.table != b.rounding.table ||
        !(std::abs(a.amplitude - b.amplitude) <= same * a.amplitude) ||
        a.theta.size() != rows.pairs || b.theta.size() != rows.pairs)
        return false;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::uint32_t i = 0; i < rows.pairs; ++i) {
            const double x = angle_of(a, rows, row, i), y = angle_of(b, other_rows, row, i);
            if (!(std::abs(x - y) <= same * std::max(std::abs(x), std::abs(y)))) return false;
        }
    return true;
}

}  // namespace

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

std::string name_of(const NamedMistake& one_mistake) {
    std::string name = one_mistake.mistake;
    for (const auto& [key, value] : one_mistake.parameters)
        name += " " + key + "=" + text_of(value);
    return name;
}

void rename_by_spec(NamedMistake& one_mistake, const Combination& combined, const Spec& asked) {
    rename_base(one_mistake, combined.view->asked);
    rename_scale(one_mistake, combined.view->asked);
    const std::optional<Spec>& used = combined.frequencies.spec;
    if (!used || used->scaling.rope_type != asked.scaling.rope_type) return;
    // an entry next to a scale of positions is inv_freq's without the scale
    if (combined.everywhere() && !combined.frequencies.also.empty()) return;
    if (one_mistake.mistake != "position-scale" || one_mistake.parameters.size() != 1) return;
    const double scale = std::get<double>(one_mistake.parameters[0].second);
    if (asked.scaling.rope_type == "linear" && asked.scaling.factor) {
        const double factor = few_digits(*asked.scaling.factor / scale, 2e-7);
        one_mistake = factor_mistake(asked, factor);
    } else if (asked.scaling.rope_type == "he_xu") {
        const double n =
            few_digits(static_cast<double>(asked.max_position_embeddings) / scale, 2e-7);
        one_mistake = named("scaling-parameter", {{"max_position_embeddings", n}},
                            {{"asked", asked.max_position_embeddings}});
    }
}

std::vector<std::string> equivalents(const NamedMistake& mistake, const Spec& asked) {
    std::vector<std::string> names;
    const std::string& id = mistake.mistake;
    const bool is_linear = asked.scaling.rope_type == "linear" && asked.scaling.factor;
    const double factor = is_linear ? *asked.scaling.factor : 1;
    if (id == "base" && asked.scaling.rope_type == "default")
        add_names_of_base(names, *number_in(mistake.parameters, "rope_theta"), asked);
    const auto divisor = number_in(mistake.parameters, "divisor"), width = width_of(asked);
    if (divisor && width && id == "exponent-divisor")
        names.push_back(
            "base rope_theta=" +
            decimal(few_digits(portable::pow(asked.rope_theta, *width / *divisor), 1e-9)));
    if (id == "position-scale" && mistake.parameters.size() == 1) {
        const double scale = *number_in(mistake.parameters, "scale");
        if (asked.scaling.rope_type == "default" && scale < 1)
            names.push_back("scaling-type rope_type=linear factor=" +
                            decimal(few_digits(1 / scale, 1e-6)));
    }
    if (id == "rotated-twice" && mistake.parameters.empty()) {
        names.emplace_back("position-scale scale=2");
        if (is_linear) names.push_back("scaling-parameter factor=" + decimal(factor / 2));
    }
    if (id == "scaling-doubled" && is_linear)
        names.push_back("scaling-parameter factor=" + decimal(factor * factor));
    if (id == "scaling-missing" && is_linear)
        names.push_back("position-scale scale=" + decimal(factor));
    if (const auto last = number_in(mistake.parameters, "last"); last && id == "position-collapse")
        names.push_back("table-truncated rows=" + decimal(*last + 1));
    if (number_in(mistake.parameters, "first") == 0.0 && id == "position-collapse")
        names.emplace_back("not-rotated");
    if (id == "position-collapse" && mistake.parameters.size() == 1 &&
        number_in(mistake.parameters, "position") == 0.0 && frequencies_of(asked).amplitude == 1) {
        names.emplace_back("not-rotated");
        names.emplace_back("uninitialised inv_freq=0");
    }
    if (id == "position-offset" && mistake.parameters.size() == 1)
        names.emplace_back(scores_unchanged);
    if (id == "direction" && mistake.parameters.empty())
        names.push_back("the two dimensions of every pair swapped");
    return names;
}

void add_other_names(std::vector<Explanation>& explanations,
                     const std::vector<Combination>& combinations, const Spec& asked,
                     const DumpPart* part) {
    const auto holds = [&](const Combination& combined) {
        return combined.verified || !part || worst_of_all(combined, *part) <= 1;
    };
    const Names best = names_of(combinations.front(), asked);
    for (const Combination& combined : std::span(combinations).subspan(1)) {
        const Names those = names_of(combined, asked);
        const Names own = those_not_in(those, best), other = those_not_in(best, those);
        if (own.size() != 1 || other.size() != 1) continue;
        const bool same = are_the_same_numbers(combinations.front(), combined);
        for (Explanation& one : explanations) {
            Names& names = same ? one.equivalent : one.also_fits;
            if (name_of(one) == own[0] && names.size() < 5 &&
                std::ranges::count(one.equivalent, other[0]) == 0 &&
                std::ranges::count(one.also_fits, other[0]) == 0 && holds(combined))
                names.push_back(other[0]);
        }
    }
}

}  // namespace rope
