#include <array>
#include <set>
#include <string>

#include "rope/changes/dump_view.hpp"
#include "rope/spec/dimensions.hpp"

namespace rope {
namespace {

constexpr auto half = PairLayout::half_split;
constexpr auto interleaved = PairLayout::interleaved;

// The two dimensions of each pair, or of each column of a table. in_axes: half_split among the
// dimensions of each axis, as `halves` has them.
enum class Pairing { half_split, interleaved, in_axes };

std::string_view to_string(Pairing pairing) {
    constexpr std::array<std::string_view, 3> names{"half_split", "interleaved",
                                                    "half_split within each axis"};
    return names[static_cast<std::size_t>(pairing)];
}

Pairing pairing_of(const Spec& spec) {
    if (spec.layout != half) return Pairing::interleaved;
    return spec.axes.scheme == AxisScheme::halves ? Pairing::in_axes : Pairing::half_split;
}

// The dimensions of pairs whose axes follow each other; none of others by Pairing::in_axes.
std::vector<Dimensions> dimensions_of(Pairing pairing, const Spec& spec) {
    std::vector<Dimensions> all;
    const std::size_t pairs = spec.pairs();
    const auto axis = axis_of_pairs(spec.axes, spec.pairs());
    if (pairing == Pairing::in_axes &&
        (frequency_restarts(spec.axes) == 1 || !std::ranges::is_sorted(axis)))
        return all;
    for (std::size_t i = 0, first = 0; i < pairs; ++i) {
        if (axis[i] != axis[first]) first = i;
        Dimensions dimensions = dimensions_of_pair(
            pairing == Pairing::interleaved ? interleaved : half, spec.rotary_dim, i);
        if (pairing == Pairing::in_axes) {
            const auto own = static_cast<std::size_t>(std::ranges::count(axis, axis[i]));
            dimensions = {first + i, first + i + own};
        }
        all.push_back(
            {spec.rotary_offset + dimensions.first, spec.rotary_offset + dimensions.second});
    }
    return all;
}

// The dimension of a pair that is overwritten before the other one is computed from it:
// x1 = x1·c − x2·s; x2 = x2·c + x1·s.
enum class WrittenFirst { neither, first, second };

// A way to apply a table that is no rotation: the partner of a dimension by one pairing and its
// table column by another, or wrong signs.
struct Application {
    Pairing pairs, table;
    double first_sign = -1, second_sign = 1;  // of x_p·s in the two dimensions of a pair
    WrittenFirst written_first = WrittenFirst::neither;
    bool is_as_asked = false;  // in the Spec's pairs, which its layout reads and writes
};

// A permutation of the rotated dimensions that no pair layout has, in which a result is written.
struct WrittenOrder {
    std::string_view name;
    std::size_t (*place_of)(std::size_t dimension, std::size_t rotary_dim);
};

constexpr WrittenOrder halves_swapped{"halves swapped", [](std::size_t dimension, std::size_t dim) {
                                          return (dimension + dim / 2) % dim;
                                      }};

// y[..., 0::2] before y[..., 1::2]: for interleaved pairs this is half_split.
constexpr std::array of_halves{WrittenOrder{"even dimensions first",
                                            [](std::size_t dimension, std::size_t dim) {
                                                return dimension / 2 + dimension % 2 * (dim / 2);
                                            }},
                               halves_swapped};

// Dimensions i and i + d/2 next to each other: for half_split pairs this is interleaved.
constexpr std::array of_neighbours{
    WrittenOrder{"halves interleaved",
                 [](std::size_t dimension, std::size_t dim) {
                     return 2 * dimension < dim ? 2 * dimension : 2 * dimension - dim + 1;
                 }},
    halves_swapped, WrittenOrder{"dimensions swapped", [](std::size_t dimension, std::size_t) {
                                     return dimension ^ 1;
                                 }}};

NamedMistake written_mistake(PairLayout read, std::string_view written) {
    return named("pair-layout",
                 {{"before", std::string(to_string(read))}, {"after", std::string(written)}});
}

using DimensionsOf = Dimensions (*)(const Spec&, std::size_t);

std::vector<Dimensions> all_dimensions(const Spec& spec, DimensionsOf dimensions_of) {
    std::vector<Dimensions> dimensions;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) dimensions.push_back(dimensions_of(spec, i));
    return dimensions;
}

// Pairs read at some dimensions of q and written at others.
Arrangement rotation(const std::vector<Dimensions>& before, const std::vector<Dimensions>& after,
                     std::uint32_t head_dim) {
    Arrangement arrangement{{}, head_dim};
    for (std::size_t i = 0; i < before.size(); ++i)
        arrangement.columns.push_back(
            {DimensionTerm{before[i].first, before[i].second, after[i].first, -1},
             DimensionTerm{before[i].second, before[i].first, after[i].second, 1}});
    return arrangement;
}

// Pairs read as in the Spec and written in another order of its rotating dimensions.
Arrangement written_in(const WrittenOrder& order, const Spec& spec) {
    const std::vector<Dimensions> read = all_dimensions(spec, dimensions_of_pair);
    const std::size_t start = spec.rotary_offset;
    const auto place = [&](std::size_t dimension) {
        return start + order.place_of(dimension - start, spec.rotary_dim);
    };
    std::vector<Dimensions> written;
    for (const auto& [first, second] : read) written.push_back({place(first), place(second)});
    return rotation(read, written, spec.head_dim);
}

Arrangement written_as(PairLayout layout, const Spec& spec) {
    Spec out = spec;
    out.layout = layout;
    return rotation(all_dimensions(spec, dimensions_of_pair),
                    all_dimensions(out, written_dimensions_of_pair), spec.head_dim);
}

// Returns the pairs of a proportional Spec if its rotating dimensions, so many, formed a head by
// themselves; none if its layout already pairs them so.
std::optional<std::pair<std::uint32_t, Arrangement>> own_head(const Spec& spec) {
    if (spec.scaling.rope_type != "proportional" || spec.layout == PairLayout::interleaved)
        return std::nullopt;
    const std::vector<double> theta = frequencies_of(spec).theta;
    const auto pairs = static_cast<std::uint32_t>(std::ranges::find(theta, 0.0) - theta.begin());
    if (pairs == 0 || pairs == theta.size()) return std::nullopt;
    Spec turning = spec, still = spec;
    turning.rotary_offset = 0;
    still.rotary_offset = turning.rotary_dim = 2 * pairs;
    still.rotary_dim = spec.head_dim - 2 * pairs;
    still.layout = PairLayout::half_split;
    Arrangement own = arrangement_of(turning);
    for (const auto& column : arrangement_of(still).columns) own.columns.push_back(column);
    return std::pair(2 * pairs, std::move(own));
}

NamedMistake width_mistake(std::uint32_t dim, const char* dimensions, const Parameters& context) {
    return named("rotary-dim", {{"rotary_dim", std::uint64_t{dim}}, {"dimensions", dimensions}},
                 context);
}

// Axes with the same frequencies whose pairs are half_split within each axis, or in the whole head.
std::optional<AxisScheme> other_scheme(const Spec& asked) {
    if (asked.axes.scheme == AxisScheme::axial) return AxisScheme::halves;
    if (asked.axes.scheme == AxisScheme::halves) return AxisScheme::axial;
    return std::nullopt;
}

PairLayout layout_of(Pairing pairing) {
    return pairing == Pairing::interleaved ? interleaved : half;
}

// The asked pairing of `halves` is in_axes. Other pairings with several axes are those of tables.
std::vector<Application> applications(const Spec& asked) {
    using enum Pairing;
    std::vector<Application> all;
    std::vector<Pairing> pairings{half_split, interleaved};
    if (!dimensions_of(in_axes, asked).empty()) pairings.push_back(in_axes);
    for (const Pairing pairs : pairings)
        for (const Pairing table : pairings)
            if (pairs != table) all.push_back({pairs, table});
    const bool has_one_ladder = frequency_restarts(asked.axes) == 1;
    if (!has_one_ladder || asked.layout == PairLayout::interleaved_to_half_split) {
        const Pairing own = pairing_of(asked);
        for (const double sign : {1.0, -1.0})
            all.push_back({own, own, sign, sign, WrittenFirst::neither, true});
        for (const WrittenFirst first : {WrittenFirst::first, WrittenFirst::second})
            all.push_back({own, own, -1, 1, first, true});
    }
    if (!has_one_ladder) return all;
    for (const double sign : {1.0, -1.0})
        for (const auto& [pairs, table] :
             {std::pair(half_split, half_split), std::pair(interleaved, interleaved),
              std::pair(half_split, interleaved), std::pair(interleaved, half_split)})
            all.push_back({pairs, table, sign, sign});
    for (const WrittenFirst first : {WrittenFirst::first, WrittenFirst::second})
        for (const Pairing pairs : pairings) all.push_back({pairs, pairs, -1, 1, first});
    return all;
}

std::vector<NamedMistake> mistakes_of(const Application& one, const Spec& asked) {
    std::vector<NamedMistake> mistakes;
    const std::string pairs(to_string(one.pairs)), table(to_string(one.table));
    if (one.pairs != one.table) {
        const bool is_in_axes = one.pairs == Pairing::in_axes || one.table == Pairing::in_axes;
        mistakes.push_back(named("pair-layout", {{"pairs", pairs}, {"table", table}},
                                 is_in_axes ? Parameters{{"in_axes", 1.0}} : Parameters{}));
    } else if (!one.is_as_asked && layout_of(one.pairs) != asked.layout) {
        mistakes.push_back(layout_mistake(layout_of(one.pairs), asked.layout));
    }
    const bool is_first = one.written_first == WrittenFirst::first;
    if (one.written_first != WrittenFirst::neither)
        mistakes.push_back(
            named("rotated-in-place",
                  {{"written_first", is_first ? "first dimension" : "second dimension"}}));
    if (one.first_sign != one.second_sign) return mistakes;
    mistakes.push_back(named("rotate-half-sign", {},
                             {{"pairs", pairs}, {one.first_sign < 0 ? "signs" : "sign", "minus"}}));
    return mistakes;
}

// Without pairs if the Spec has none of this pairing.
Arrangement applied(const Application& one, const Spec& spec) {
    using enum WrittenFirst;
    const auto in =
        one.is_as_asked ? all_dimensions(spec, dimensions_of_pair) : dimensions_of(one.pairs, spec);
    const auto out = one.is_as_asked ? all_dimensions(spec, written_dimensions_of_pair) : in;
    std::vector<DimensionTerm> terms(spec.head_dim);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto seen = [&](std::size_t read, std::size_t written, WrittenFirst if_first) {
            return one.written_first == if_first ? written + spec.head_dim : read;
        };
        terms[in[i].first] = {in[i].first, seen(in[i].second, out[i].second, second), out[i].first,
                              one.first_sign};
        terms[in[i].second] = {in[i].second, seen(in[i].first, out[i].first, first), out[i].second,
                               one.second_sign};
    }
    Arrangement arrangement{{}, spec.head_dim, false};
    for (const Dimensions& column : one.is_as_asked ? in : dimensions_of(one.table, spec))
        arrangement.columns.push_back({terms[column.first], terms[column.second]});
    return arrangement;
}

// A way to apply the table to the rotating dimensions of a Spec with this layout.
struct Form {
    std::vector<NamedMistake> mistakes;  // none: the asked one
    PairLayout layout;
    std::function<Arrangement(const Spec&)> arrangement;
    bool is_of_layout = false;              // of all pairs as the layout has them
    std::optional<AxisScheme> scheme = {};  // of the axes; none: the asked one
};

std::vector<Form> all_forms(const Spec& asked) {
    std::vector<Form> all{{{}, asked.layout, arrangement_of, true}};
    for (const PairLayout layout : {half, interleaved})
        if (layout != asked.layout)
            all.push_back({{layout_mistake(layout, asked.layout)}, layout, arrangement_of, true});
    if (const auto other = other_scheme(asked)) {
        Spec own = asked;
        own.layout = half;
        own.axes.scheme = *other;
        all.push_back({{named("pair-layout", {{"layout", std::string(to_string(pairing_of(own)))}},
                              {{"asked", std::string(to_string(pairing_of(asked)))}})},
                       half,
                       arrangement_of,
                       false,
                       other});
    }
    for (const PairLayout before : {interleaved, half}) {
        // the order that makes the other layout is left out
        for (const WrittenOrder& order :
             before == half ? std::span<const WrittenOrder>(of_halves) : of_neighbours)
            all.push_back({{written_mistake(before, order.name)}, before, [&](const Spec& spec) {
                               return written_in(order, spec);
                           }});
        if (before == interleaved && asked.layout == PairLayout::interleaved_to_half_split)
            continue;
        const PairLayout after = before == interleaved ? half : interleaved;
        all.push_back({{written_mistake(before, to_string(after))},
                       before,
                       [after](const Spec& spec) { return written_as(after, spec); }});
    }
    if (asked.direction != Direction::forward) return all;
    for (const Application& one : applications(asked))
        all.push_back({mistakes_of(one, asked),
                       one.is_as_asked ? asked.layout : layout_of(one.pairs),
                       [one](const Spec& spec) { return applied(one, spec); }});
    return all;
}

class OtherArrangements {
  public:
    OtherArrangements(const Spec& asked, DimensionRange moved) : asked_(asked), moved_(moved) {}

    std::vector<NamedArrangement> all() {
        for (const Form& form : all_forms(asked_)) add(form);
        return std::move(all_);
    }

  private:
    // Adds the form at the asked dimensions, if it has a mistake, and at others.
    void add(const Form& form) {
        Spec spec = asked_;
        spec.layout = form.layout;
        spec.axes.scheme = form.scheme.value_or(spec.axes.scheme);
        if (!form.mistakes.empty()) all_.push_back({form.mistakes, spec, form.arrangement(spec)});
        const std::uint32_t head = spec.head_dim, asked = spec.rotary_dim;
        auto own = own_head(spec);
        if (own && form.is_of_layout)
            add(form,
                width_mistake(own->first, "prefix", {{"middle", std::uint64_t{own->first / 2}}}),
                spec, std::move(own->second));
        if (asked < head) {
            if (spec.rotary_offset != head - asked) add_at_end(form, spec, {{"asked", "first"}});
            if (spec.rotary_offset != 0) {
                Spec first = spec;
                first.rotary_offset = 0;
                add(form,
                    width_mistake(asked, "prefix", {{"offset", std::uint64_t{spec.rotary_offset}}}),
                    first, form.arrangement(first));
            }
            if (form.is_of_layout) add_spread(form, spec);
        }
        for (const std::uint32_t dim : other_dims()) {
            if (own && dim == own->first) continue;
            // proportional covers the whole head
            const auto other = with_rotary_dim(own ? unscaled(spec) : spec, dim);
            if (!other) continue;
            add(form, width_mistake(dim, "prefix", first_dimensions(dim, own.has_value())), *other,
                form.arrangement(*other));
            if (dim < head) add_at_end(form, *other, {});
        }
    }

    void add(const Form& form, NamedMistake width, const Spec& spec, Arrangement arrangement) {
        std::vector<NamedMistake> mistakes = form.mistakes;
        mistakes.push_back(std::move(width));
        all_.push_back({std::move(mistakes), spec, std::move(arrangement)});
    }

    void add_at_end(const Form& form, const Spec& spec, const Parameters& context) {
        Spec last = spec;
        last.rotary_offset = spec.head_dim - spec.rotary_dim;
        add(form, width_mistake(spec.rotary_dim, "suffix", context), spec, form.arrangement(last));
    }

    // The pairs of a whole head in halves, without the last ones.
    void add_spread(const Form& form, const Spec& spec) {
        std::vector<Dimensions> dimensions;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i)
            dimensions.push_back(dimensions_of_pair(half, spec.head_dim, i));
        add(form,
            width_mistake(spec.rotary_dim, "spread",
                          {{"half", std::uint64_t{spec.head_dim / 2}},
                           {"pairs", std::uint64_t{spec.pairs()}}}),
            spec, rotation(dimensions, dimensions, spec.head_dim));
    }

    // Usual widths, and those of the dimensions that changed.
    std::vector<std::uint32_t> other_dims() const {
        const std::uint32_t head = asked_.head_dim, asked = asked_.rotary_dim;
        const std::uint32_t first = std::min(moved_.first, head), end = moved_.end;
        std::set<std::uint32_t> tried{asked};
        std::vector<std::uint32_t> dims;
        for (const std::uint32_t dim : {head, head / 2, head / 4, 3 * head / 4, 2 * asked,
                                        asked / 2, end + end % 2, head - first + first % 2})
            if (dim >= 2 && dim % 2 == 0 && dim <= head && tried.insert(dim).second)
                dims.push_back(dim);
        return dims;
    }
    Parameters first_dimensions(std::uint32_t dim, bool as_own_head) const {
        if (as_own_head) return {{"middle", std::uint64_t{dim / 2}}, {"by_own", 1.0}};
        Parameters context{{"asked", std::uint64_t{asked_.rotary_dim}}};
        if (dim == asked_.head_dim) context.emplace_back("is_head", 1.0);
        return context;
    }

    const Spec& asked_;
    DimensionRange moved_;
    std::vector<NamedArrangement> all_;
};

}  // namespace

NamedMistake layout_mistake(PairLayout own, PairLayout asked) {
    return named("pair-layout", {{"layout", std::string(to_string(own))}},
                 {{"asked", std::string(to_string(asked))}});
}

Arrangement arrangement_of(const Spec& spec) {
    return rotation(all_dimensions(spec, dimensions_of_pair),
                    all_dimensions(spec, written_dimensions_of_pair), spec.head_dim);
}

std::vector<NamedArrangement> other_arrangements(const Spec& asked, DimensionRange moved) {
    return OtherArrangements(asked, moved).all();
}

}  // namespace rope
