#include "rope/spec/spec.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/decimal.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "rope/spec/dimensions.hpp"

namespace rope {
namespace {

// in the order of the enumerations
constexpr std::array<std::string_view, 3> layouts{"half_split", "interleaved",
                                                  "interleaved_to_half_split"};
constexpr std::array<std::string_view, 2> directions{"forward", "reverse"};

// NeoX, GPT-J, half_split -> neox, gptj, half
std::string plain(std::string_view name) {
    std::string text = lower_case(name);
    std::erase_if(text, [](char c) { return c == '-' || c == '_'; });
    if (text.ends_with("halfsplit")) text.resize(text.size() - std::string_view("split").size());
    return text;
}

struct LayoutName {
    std::string_view name;
    PairLayout layout;
};
constexpr LayoutName layout_names[] = {
    {"half", PairLayout::half_split},
    {"neox", PairLayout::half_split},
    {"rotate_half", PairLayout::half_split},
    {"interleaved", PairLayout::interleaved},
    {"gptj", PairLayout::interleaved},
    {"interleaved-to-half", PairLayout::interleaved_to_half_split}};

constexpr std::string_view positive_words = "greater than 0 (1e-9 to 1e9)";
constexpr std::string_view any_positive = "a number greater than 0";
constexpr std::string_view length_words = "a whole number from 1 to 4294967296";
static_assert(max_context == 4294967296);

constexpr ValueRange positive{1e-9, 1e9, positive_words, any_positive};
constexpr ValueRange turns{1e-9, 1e9, positive_words, any_positive, false, true};
constexpr ValueRange not_negative{0, 1e9, "0 or more", "a number of 0 or more"};
constexpr ValueRange fraction{0, 1, "greater than 0 and at most 1", any_positive, true};
constexpr ValueRange length{1, static_cast<double>(max_context), length_words, length_words};
constexpr ValueRange radians{0, 1e9, "0 or more (to 1e9)", "a number of 0 or more for each pair"};
constexpr ValueRange truth{0, 1, "true or false", "true or false"};

// clang-format off
constexpr std::array<ScalingField, 18> fields{{
    {"factor", "scaling factor of the context length",
     &Scaling::factor, positive},
    {"low_freq_factor", "llama3: wavelengths longer than L0/this are scaled",
     &Scaling::low_freq_factor, positive},
    {"high_freq_factor", "llama3: wavelengths shorter than L0/this are kept",
     &Scaling::high_freq_factor, positive},
    {"original_max_position_embeddings", "L0, the original context length",
     &Scaling::original_max_position_embeddings, length},
    {"beta_fast", "yarn: pairs that turn more often than this in L0 are kept ({})",
     &Scaling::beta_fast, turns},
    {"beta_slow", "yarn: pairs that turn less often than this are fully scaled ({})",
     &Scaling::beta_slow, turns},
    {"ext_factor", "yarn: extrapolation mix, llama.cpp's yarn_ext_factor: 0 scales every pair ({})",
     &Scaling::ext_factor, fraction},
    {"truncate", "yarn: round the ramp's ends to whole pairs ({})",
     &Scaling::truncate, truth},
    {"mscale", "yarn: attention_factor is g(mscale)/g(mscale_all_dim)",
     &Scaling::mscale, not_negative},
    {"mscale_all_dim", "yarn: g(x) = 0.1·x·ln factor + 1; DeepSeek's scores × g(this)²",
     &Scaling::mscale_all_dim, not_negative},
    {"attention_factor", "yarn, longrope: multiplies cos and sin; overrides other formulas",
     &Scaling::attention_factor, positive},
    {"short_factor", "longrope: a factor per pair up to L0, such as 1,1.02,1.1",
     &Scaling::short_factor, positive},
    {"long_factor", "longrope: a factor per pair beyond L0",
     &Scaling::long_factor, positive},
    {"short_mscale", "longrope: multiplies cos and sin up to L0; overrides attention_factor",
     &Scaling::short_mscale, positive},
    {"long_mscale", "longrope: the same beyond L0",
     &Scaling::long_mscale, positive},
    {"partial_rotary_factor", "fraction of the head, or of proportional's pairs, that rotates",
     &Scaling::partial_rotary_factor, fraction},
    {"mixed_b", "ntk_mixed: pair i is divided by factor^(((i + 1)/(d/2))^this) ({})",
     &Scaling::mixed_b, positive},
    {"given_inv_freq", "given: radians per position of each pair, or a FILE that holds them",
     &Scaling::given_inv_freq, radians},
}};
// clang-format on

}  // namespace

std::string_view to_string(PairLayout layout) { return layouts[static_cast<std::size_t>(layout)]; }

PairLayout parse_pair_layout(std::string_view text) {
    const auto found = std::ranges::find(layout_names, plain(text),
                                         [](const LayoutName& one) { return plain(one.name); });
    return found != std::end(layout_names)
               ? found->layout
               : one_of(layout_names, &LayoutName::name, "layout", text).layout;
}

std::string_view to_string(Direction direction) {
    return directions[static_cast<std::size_t>(direction)];
}

Direction parse_direction(std::string_view text) {
    const auto& name = one_of(directions, std::identity{}, "direction", text);
    return static_cast<Direction>(&name - directions.data());
}

bool ValueRange::accepts(double x) const {
    if (takes_zero && x == 0) return true;
    return (above_least ? x > least : x >= least) && x <= most;
}

std::span<const ScalingField> scaling_fields() { return fields; }

const ScalingField& field_of(ScalingMember member) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const ScalingField& field) {
        return field.member == member;
    });
    if (found == fields.end())
        throw std::logic_error("a member of Scaling has no row in fields.cpp");
    return *found;
}

const ScalingField* find_field(std::string_view name) {
    for (const ScalingField& field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

bool is_set(const Scaling& scaling, const ScalingField& field) {
    return std::visit([&](auto member) { return is_set(scaling.*member); }, field.member);
}

namespace {

PairLayout written(PairLayout layout) {
    return layout == PairLayout::interleaved_to_half_split ? PairLayout::half_split : layout;
}

Dimensions in_head(const Spec& spec, PairLayout layout, std::size_t i) {
    const bool is_halved = spec.axes.scheme == AxisScheme::halves;
    const std::size_t width = is_halved ? spec.rotary_dim / 2 : spec.rotary_dim;
    const std::size_t start = spec.rotary_offset + i / (width / 2) * width;
    Dimensions dimensions = dimensions_of_pair(layout, width, i % (width / 2));
    if (spec.direction == Direction::reverse) std::swap(dimensions.first, dimensions.second);
    return {start + dimensions.first, start + dimensions.second};
}

void require(bool fits, const char* what, std::size_t got, std::size_t want) {
    if (fits) return;
    throw InputError(std::string(what) + " has " + decimal(got) + " values; it must have " +
                     decimal(want));
}

void turn_pair(Values x, Dimensions from, double cos, double sin, Vector& y, Dimensions to) {
    y[to.first] = x[from.first] * cos - x[from.second] * sin;
    y[to.second] = x[from.second] * cos + x[from.first] * sin;
}

}  // namespace

Dimensions dimensions_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i) {
    if (layout == PairLayout::half_split) return {i, i + rotary_dim / 2};
    return {2 * i, 2 * i + 1};
}

Dimensions written_dimensions_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i) {
    return dimensions_of_pair(written(layout), rotary_dim, i);
}

Dimensions dimensions_of_pair(const Spec& spec, std::size_t i) {
    return in_head(spec, spec.layout, i);
}

Dimensions written_dimensions_of_pair(const Spec& spec, std::size_t i) {
    return in_head(spec, written(spec.layout), i);
}

std::vector<std::size_t> passed_dimensions(const Spec& spec) {
    std::vector<std::size_t> dimensions;
    for (std::size_t dimension = 0; dimension < spec.head_dim; ++dimension)
        if (dimension < spec.rotary_offset || dimension >= spec.rotary_offset + spec.rotary_dim)
            dimensions.push_back(dimension);
    return dimensions;
}

Vector rotate(PairLayout layout, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(2 * cos.size() <= x.size(), "x", x.size(), 2 * cos.size());
    Vector y(x.begin(), x.end());
    const std::size_t d = 2 * cos.size();
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, dimensions_of_pair(layout, d, i), cos[i], sin[i], y,
                  written_dimensions_of_pair(layout, d, i));
    return y;
}

Vector rotate(const Spec& spec, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(cos.size() == spec.pairs(), "cos", cos.size(), spec.pairs());
    require(x.size() == spec.head_dim, "x", x.size(), spec.head_dim);
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, dimensions_of_pair(spec, i), cos[i], sin[i], y,
                  written_dimensions_of_pair(spec, i));
    return y;
}

}  // namespace rope
