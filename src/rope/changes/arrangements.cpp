#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/reading.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

constexpr auto half = PairLayout::half_split;
constexpr auto interleaved = PairLayout::interleaved;

constexpr Application in_place(PairLayout layout, WrittenFirst written_first) {
    return {layout, layout, -1, 1, written_first};
}

// x1 = x1·c − x2·s; x2 = x2·c + x1·s
NamedMistake in_place_mistake(WrittenFirst written_first) {
    const bool first = written_first == WrittenFirst::first;
    return named("rotated-in-place",
                 {{"written_first", first ? "first dimension" : "second dimension"}});
}

// The dimensions of each pair, in the order of the Spec's frequencies.
struct OwnHead {
    std::uint32_t rotary_dim;
    std::vector<Lanes> read, written;
};

// The Spec with `lanes` rotating dimensions from `first` on.
Spec part_of_head(const Spec& spec, std::uint32_t first, std::uint32_t lanes) {
    Spec part = spec;
    part.rotary_offset = first;
    part.rotary_dim = lanes;
    return part;
}

void add_lanes(OwnHead& head, const Spec& part, bool turns) {
    for (std::uint32_t i = 0; i < part.pairs(); ++i) {
        head.read.push_back(lanes_of_pair(part, i));
        head.written.push_back(turns ? written_lanes_of_pair(part, i) : head.read.back());
    }
}

// Returns the pairs of a proportional Spec if its rotating dimensions formed a head by themselves;
// none if its layout already pairs them so.
std::optional<OwnHead> own_head(const Spec& spec) {
    if (spec.scaling.rope_type != "proportional" || spec.layout == PairLayout::interleaved)
        return std::nullopt;
    const std::vector<double> theta = frequencies_of(spec).theta;
    const auto turning = static_cast<std::uint32_t>(std::ranges::find(theta, 0.0) - theta.begin());
    if (turning == 0 || turning == theta.size()) return std::nullopt;
    OwnHead head{2 * turning, {}, {}};
    add_lanes(head, part_of_head(spec, 0, 2 * turning), true);
    add_lanes(head, part_of_head(spec, 2 * turning, spec.head_dim - 2 * turning), false);
    return head;
}

// A permutation of the rotated dimensions that no pair layout has, in which a result is written.
struct WrittenOrder {
    std::string_view name;
    std::size_t (*place_of)(std::size_t lane, std::size_t rotary_dim);
};

constexpr WrittenOrder halves_swapped{
    "halves swapped", [](std::size_t lane, std::size_t dim) { return (lane + dim / 2) % dim; }};

// y[..., 0::2] before y[..., 1::2]: for interleaved pairs this is half_split.
constexpr std::array of_halves{
    WrittenOrder{"even dimensions first",
                 [](std::size_t lane, std::size_t dim) { return lane / 2 + lane % 2 * (dim / 2); }},
    halves_swapped};

// Dimensions i and i + d/2 next to each other: for half_split pairs this is interleaved.
constexpr std::array of_neighbours{
    WrittenOrder{"halves interleaved",
                 [](std::size_t lane, std::size_t dim) {
                     return 2 * lane < dim ? 2 * lane : 2 * lane - dim + 1;
                 }},
    halves_swapped,
    WrittenOrder{"dimensions swapped", [](std::size_t lane, std::size_t) { return lane ^ 1; }}};

// Returns the orders of pairs read in this layout. The order that makes the other layout is left
// out.
std::span<const WrittenOrder> written_orders(PairLayout read) {
    if (read == PairLayout::half_split) return of_halves;
    return of_neighbours;
}

// Returns the places of two dimensions in the written order, within the Spec's rotary_dim.
Lanes written_at(const WrittenOrder& order, const Spec& spec, const Lanes& read) {
    const std::size_t start = spec.rotary_offset;
    return {start + order.place_of(read.first - start, spec.rotary_dim),
            start + order.place_of(read.second - start, spec.rotary_dim)};
}

NamedMistake written_mistake(PairLayout read, const WrittenOrder& order) {
    return named("pair-layout",
                 {{"before", std::string(to_string(read))}, {"after", std::string(order.name)}});
}

// Selects the sentence for dimensions that must be the first.
const Parameters not_first{{"asked", "first"}};

enum class Place { prefix, suffix, spread };  // of the rotating dimensions in the head

// The dimensions of each pair, as in lanes_of_pair or written_lanes_of_pair.
std::vector<Lanes> lanes_at(Spec spec, Place place, Lanes (*lanes_of)(const Spec&, std::size_t)) {
    if (place == Place::suffix) spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    std::vector<Lanes> lanes;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i)
        lanes.push_back(place == Place::spread ? Lanes{i, i + spec.head_dim / 2}
                                               : lanes_of(spec, i));
    return lanes;
}

// Pairs read at some dimensions of q and written at others.
Arrangement rotation(const std::vector<Lanes>& before, const std::vector<Lanes>& after,
                     std::uint32_t head_dim) {
    Arrangement arrangement{{}, head_dim};
    for (std::size_t i = 0; i < before.size(); ++i)
        arrangement.columns.push_back(
            {LaneTerm{before[i].first, before[i].second, after[i].first, -1},
             LaneTerm{before[i].second, before[i].first, after[i].second, 1}});
    return arrangement;
}

Arrangement moved_by(std::size_t lanes, Arrangement arrangement) {
    for (auto& column : arrangement.columns)
        for (LaneTerm& term : column) {
            term.own += lanes;
            term.partner += lanes;
            term.out += lanes;
        }
    return arrangement;
}

Arrangement arrangement_of(const Spec& spec, Place place) {
    return rotation(lanes_at(spec, place, lanes_of_pair),
                    lanes_at(spec, place, written_lanes_of_pair), spec.head_dim);
}

class OtherArrangements {
  public:
    OtherArrangements(const Spec& asked, LaneRange moved) : asked_(asked), moved_(moved) {}

    std::vector<NamedArrangement> all() {
        add_dims({}, asked_, false);
        for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved}) {
            if (layout == asked_.layout) continue;
            Spec other = asked_;
            other.layout = layout;
            add_dims({layout_mistake(layout, asked_.layout)}, other, true);
        }
        add_moved_lanes();
        add_applications();
        return std::move(all_);
    }

  private:
    void add(std::vector<NamedMistake> mistakes, const Spec& spec, Place place) {
        add(std::move(mistakes), spec, arrangement_of(spec, place));
    }
    void add(std::vector<NamedMistake> mistakes, const Spec& spec, Arrangement arrangement) {
        all_.push_back({std::move(mistakes), spec, std::move(arrangement)});
    }

    void add_dims(const std::vector<NamedMistake>& mistakes, const Spec& spec,
                  bool with_asked_dims) {
        if (with_asked_dims) add(mistakes, spec, Place::prefix);
        add_own_head(mistakes, spec);
        const std::uint32_t head = spec.head_dim, asked = spec.rotary_dim;
        if (asked < head) {
            if (spec.rotary_offset != head - asked)
                add_dim(mistakes, spec, asked, Place::suffix, not_first);
            if (spec.rotary_offset != 0) {
                Spec first = spec;
                first.rotary_offset = 0;
                add_dim(mistakes, first, asked, Place::prefix,
                        {{"offset", std::uint64_t{spec.rotary_offset}}});
            }
            add_dim(mistakes, spec, asked, Place::spread,
                    {{"half", std::uint64_t{head / 2}}, {"pairs", std::uint64_t{asked / 2}}});
        }
        for (const std::uint32_t dim : other_dims(spec)) {
            add_dim(mistakes, spec, dim, Place::prefix, first_lanes(dim));
            if (dim < head) add_dim(mistakes, spec, dim, Place::suffix, {});
        }
    }

    void add_own_head(std::vector<NamedMistake> mistakes, const Spec& spec) {
        const auto own = own_head(spec);
        if (!own) return;
        mistakes.push_back(width_mistake(own->rotary_dim, Place::prefix,
                                         {{"middle", std::uint64_t{own->rotary_dim / 2}}}));
        add(std::move(mistakes), spec, rotation(own->read, own->written, spec.head_dim));
    }

    // Usual widths, and those of the dimensions that changed.
    std::vector<std::uint32_t> other_dims(const Spec& spec) const {
        const std::uint32_t head = spec.head_dim, asked = spec.rotary_dim;
        const std::uint32_t first = std::min(moved_.first, head), end = moved_.end;
        std::set<std::uint32_t> tried{asked};
        std::vector<std::uint32_t> dims;
        for (const std::uint32_t dim : {head, head / 2, head / 4, 3 * head / 4, 2 * asked,
                                        asked / 2, end + end % 2, head - first + first % 2})
            if (dim >= 2 && dim % 2 == 0 && dim <= head && tried.insert(dim).second)
                dims.push_back(dim);
        return dims;
    }
    Parameters first_lanes(std::uint32_t dim) const {
        Parameters context{{"asked", std::uint64_t{asked_.rotary_dim}}};
        if (dim == asked_.head_dim) context.emplace_back("is_head", 1.0);
        return context;
    }
    static NamedMistake width_mistake(std::uint32_t dim, Place place, const Parameters& context) {
        static constexpr const char* places[] = {"prefix", "suffix", "spread"};
        return named(
            "rotary-dim",
            {{"rotary_dim", std::uint64_t{dim}}, {"lanes", places[static_cast<int>(place)]}},
            context);
    }
    void add_dim(std::vector<NamedMistake> mistakes, const Spec& spec, std::uint32_t dim,
                 Place place, const Parameters& context) {
        const auto other = with_rotary_dim(spec, dim, spec.head_dim);
        if (!other) return;
        mistakes.push_back(width_mistake(dim, place, context));
        add(std::move(mistakes), *other, place);
    }

    // Pairs read in one layout and written in the other, or in another order.
    void add_moved_lanes() {
        for (const PairLayout before : {PairLayout::interleaved, PairLayout::half_split}) {
            Spec in = asked_;
            in.layout = before;
            const std::vector<Lanes> read = lanes_at(in, Place::prefix, lanes_of_pair);
            for (const WrittenOrder& order : written_orders(before)) {
                std::vector<Lanes> written;
                for (const Lanes& lanes : read) written.push_back(written_at(order, in, lanes));
                add({written_mistake(before, order)}, in, rotation(read, written, in.head_dim));
            }
            if (before == PairLayout::interleaved &&
                asked_.layout == PairLayout::interleaved_to_half_split)
                continue;
            add_rewritten(in, before == PairLayout::interleaved ? PairLayout::half_split
                                                                : PairLayout::interleaved);
        }
    }

    void add_rewritten(const Spec& in, PairLayout written) {
        const NamedMistake rewritten =
            named("pair-layout", {{"before", std::string(to_string(in.layout))},
                                  {"after", std::string(to_string(written))}});
        const auto add_at = [&](std::vector<NamedMistake> mistakes, const Spec& spec, Place place) {
            Spec out = spec;
            out.layout = written;
            add(std::move(mistakes), spec,
                rotation(lanes_at(spec, place, lanes_of_pair),
                         lanes_at(out, place, written_lanes_of_pair), spec.head_dim));
        };
        add_at({rewritten}, in, Place::prefix);
        const auto at_end = [&](const Spec& spec) {
            const std::uint32_t dim = spec.rotary_dim;
            add_at({rewritten, width_mistake(dim, Place::suffix, not_first)}, spec, Place::suffix);
        };
        if (in.rotary_dim < in.head_dim && in.rotary_offset == 0) at_end(in);
        for (const std::uint32_t dim : other_dims(in)) {
            const auto other = with_rotary_dim(in, dim, in.head_dim);
            if (!other || dim == in.head_dim) continue;
            add_at({rewritten, width_mistake(dim, Place::prefix, first_lanes(dim))}, *other,
                   Place::prefix);
            at_end(*other);
        }
    }

    void add_applications() {
        if (frequency_restarts(asked_.axes) != 1 || asked_.rotary_offset != 0 ||
            asked_.direction != Direction::forward)
            return;
        for (const Application& one : applications()) {
            Spec spec = asked_;
            spec.layout = one.pairs;
            const std::vector<NamedMistake> mistakes = mistakes_of(one, asked_.layout);
            add(mistakes, spec, applied(one, spec));
            if (const std::uint32_t first = spec.head_dim - spec.rotary_dim; first > 0) {
                std::vector<NamedMistake> more = mistakes;
                more.push_back(width_mistake(spec.rotary_dim, Place::suffix, not_first));
                add(std::move(more), spec, moved_by(first, applied(one, spec)));
            }
            for (const std::uint32_t dim : other_dims(spec))
                if (const auto other = with_rotary_dim(spec, dim, spec.head_dim)) {
                    std::vector<NamedMistake> more = mistakes;
                    more.push_back(width_mistake(dim, Place::prefix, first_lanes(dim)));
                    add(std::move(more), *other, applied(one, *other));
                }
        }
    }

    const Spec& asked_;
    LaneRange moved_;
    std::vector<NamedArrangement> all_;
};

}  // namespace

std::span<const Application> applications() {
    static constexpr std::array all{
        Application{half, interleaved, -1, 1},  Application{interleaved, half, -1, 1},
        Application{half, half, 1, 1},          Application{interleaved, interleaved, 1, 1},
        Application{half, half, -1, -1},        Application{interleaved, interleaved, -1, -1},
        Application{half, interleaved, 1, 1},   Application{interleaved, half, 1, 1},
        Application{half, interleaved, -1, -1}, Application{interleaved, half, -1, -1},
        in_place(half, WrittenFirst::first),    in_place(interleaved, WrittenFirst::first),
        in_place(half, WrittenFirst::second),   in_place(interleaved, WrittenFirst::second),
    };
    return all;
}

NamedMistake layout_mistake(PairLayout own, PairLayout asked) {
    NamedMistake one = named("pair-layout", {{"layout", std::string(to_string(own))}},
                             {{"asked", std::string(to_string(asked))}});
    if (own == PairLayout::interleaved && asked == PairLayout::interleaved_to_half_split)
        one.advice =
            "the rotation is right and its result is written in the order in which it was read, as "
            "vLLM does; scores are the same if q and k both are: pass --layout interleaved";
    return one;
}

std::vector<NamedMistake> mistakes_of(const Application& one, PairLayout asked) {
    std::vector<NamedMistake> mistakes;
    const std::string pairs(to_string(one.pairs)), table(to_string(one.table));
    if (one.pairs != one.table)
        mistakes.push_back(named("pair-layout", {{"pairs", pairs}, {"table", table}}));
    else if (one.pairs != asked)
        mistakes.push_back(layout_mistake(one.pairs, asked));
    if (one.written_first != WrittenFirst::neither)
        mistakes.push_back(in_place_mistake(one.written_first));
    if (one.first_sign != one.second_sign) return mistakes;
    mistakes.push_back(named("rotate-half-sign", {},
                             {{"pairs", pairs}, {one.first_sign < 0 ? "signs" : "sign", "minus"}}));
    return mistakes;
}

Arrangement applied(const Application& application, const Spec& spec) {
    const std::size_t d = spec.rotary_dim, pairs = d / 2;
    Arrangement arrangement{{}, spec.head_dim, false};
    std::vector<std::vector<LaneTerm>> columns(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto [first, second] = lanes_of_pair(application.pairs, d, i);
        const auto seen = [&](std::size_t lane, WrittenFirst written) {
            return lane + (application.written_first == written ? spec.head_dim : 0);
        };
        const std::size_t now_first = seen(first, WrittenFirst::first);
        const std::size_t now_second = seen(second, WrittenFirst::second);
        for (const LaneTerm& term :
             {LaneTerm{first, now_second, first, application.first_sign},
              LaneTerm{second, now_first, second, application.second_sign}}) {
            const bool repeated = application.table == PairLayout::interleaved;
            columns[repeated ? term.own / 2 : term.own % pairs].push_back(term);
        }
    }
    for (const auto& terms : columns) arrangement.columns.push_back({terms.at(0), terms.at(1)});
    return arrangement;
}

Arrangement arrangement_of(const Spec& spec) { return arrangement_of(spec, Place::prefix); }

std::vector<NamedArrangement> other_arrangements(const Spec& asked, LaneRange moved) {
    return OtherArrangements(asked, moved).all();
}

}  // namespace rope
