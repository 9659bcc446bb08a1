#include <algorithm>
#include <set>

#include "base/decimal.hpp"
#include "rope/diagnose/reading/applications.hpp"
#include "rope/diagnose/reading/other_readings.hpp"
#include "rope/diagnose/reading/own_head.hpp"
#include "rope/diagnose/reading/written_orders.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

enum class Place { prefix, suffix, spread };  // where the rotating lanes are in the head

// Of each pair, as lanes_of_pair or written_lanes_of_pair has them.
std::vector<Lanes> lanes_at(Spec spec, Place place, Lanes (*lanes_of)(const Spec&, std::size_t)) {
    if (place == Place::suffix) spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    std::vector<Lanes> lanes;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i)
        lanes.push_back(place == Place::spread ? Lanes{i, i + spec.head_dim / 2}
                                               : lanes_of(spec, i));
    return lanes;
}

// Pairs read at some lanes of q and written at others.
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

// Lanes beside the pairs must be as they were.
bool leaves_the_rest(const RotatedDump& dump, const Arrangement& arrangement,
                     const DumpPart& part) {
    const std::vector<std::size_t> rest = arrangement.rest();
    return std::ranges::all_of(part.sampled, [&](std::size_t row) {
        const std::size_t before = before_row(arrangement, part.rows, row);
        return std::ranges::all_of(rest, [&](std::size_t lane) {
            return dump.before.at(before, lane) == dump.after.at(row, lane);
        });
    });
}

// Those that rotate, if the others do not: from the first lane that moved to the last.
struct MovedLanes {
    std::uint32_t first = 0, end = 0;
};
MovedLanes moved_lanes(const RotatedDump& dump, const DumpPart& part, std::uint32_t head_dim) {
    MovedLanes moved{head_dim, 0};
    for (const std::size_t row : part.sampled)
        for (std::uint32_t lane = 0; lane < head_dim; ++lane)
            if (dump.before.at(row, lane) != dump.after.at(row, lane)) {
                moved.first = std::min(moved.first, lane);
                moved.end = std::max(moved.end, lane + 1);
            }
    return moved;
}

class VectorReadings {
  public:
    VectorReadings(const Spec& asked, const RotatedDump& dump, const DumpPart& part)
        : asked_(asked),
          dump_(dump),
          part_(part),
          moved_(moved_lanes(dump, part, asked.head_dim)) {}

    // What the Spec asks for, without any mistake.
    Readings own() {
        add({}, asked_, Place::prefix);
        return std::move(readings_);
    }
    Readings all() {
        add({}, asked_, Place::prefix);
        std::vector<std::pair<std::vector<NamedMistake>, Spec>> shapes{{{}, asked_}};
        for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved}) {
            if (layout == asked_.layout) continue;
            Spec other = asked_;
            other.layout = layout;
            shapes.push_back({{layout_mistake(layout, asked_.layout)}, other});
        }
        for (std::size_t k = 0; k < shapes.size(); ++k)
            add_dims(shapes[k].first, shapes[k].second, k > 0);
        add_moved_lanes();
        add_applications();
        return std::move(readings_);
    }

  private:
    void add(std::vector<NamedMistake> mistakes, const Spec& spec, Place place) {
        add(std::move(mistakes), spec, arrangement_of(spec, place));
    }
    void add(std::vector<NamedMistake> mistakes, const Spec& spec, Arrangement arrangement) {
        arrangement.before_group = part_.before_group;
        const bool asked = mistakes.empty();
        const bool keeps_the_rest = leaves_the_rest(dump_, arrangement, part_);
        if (!asked && (!keeps_the_rest || !few_may_keep_norms(arrangement))) return;
        DumpReading reading{std::move(mistakes),
                            spec,
                            sample_vectors(dump_, arrangement, part_.sampled, part_.rows),
                            axis_of_pairs(spec.axes, spec.pairs()),
                            arrangement,
                            keeps_the_rest};
        reading.is_told_by_copies = keeps_the_rest && spec.rotary_dim < asked_.rotary_dim;
        if (reading.samples.rows() == 0 || (!asked && !keeps_norms(reading.samples))) return;
        if (asked) add_axis_maps(readings_, reading);
        readings_.insert(asked ? readings_.begin() : readings_.end(), std::move(reading));
    }

    // Most arrangements fail in their first rows.
    bool few_may_keep_norms(const Arrangement& arrangement) const {
        constexpr std::size_t few = 8;
        const auto& rows = part_.sampled;
        if (rows.size() <= few) return true;
        return may_keep_norms(
            sample_vectors(dump_, arrangement, {rows.begin(), rows.begin() + few}, part_.rows));
    }

    void add_dims(const std::vector<NamedMistake>& mistakes, const Spec& spec,
                  bool with_asked_dims) {
        if (with_asked_dims) add(mistakes, spec, Place::prefix);
        add_own_head(mistakes, spec);
        const std::uint32_t head = spec.head_dim, asked = spec.rotary_dim;
        if (asked < head) {
            if (spec.rotary_offset != head - asked)
                add_dim(mistakes, spec, asked, Place::suffix, last_lanes(asked));
            if (spec.rotary_offset != 0) {
                Spec first = spec;
                first.rotary_offset = 0;
                add_dim(mistakes, first, asked, Place::prefix,
                        "the first " + decimal(asked) + " lanes rotate, not those from lane " +
                            decimal(spec.rotary_offset) + " on");
            }
            add_dim(mistakes, spec, asked, Place::spread,
                    "lanes i and i + " + decimal(head / 2) + " are pairs, for i below " +
                        decimal(asked / 2));
        }
        for (const std::uint32_t dim : other_dims(spec)) {
            add_dim(mistakes, spec, dim, Place::prefix, first_lanes(dim));
            if (dim < head)
                add_dim(mistakes, spec, dim, Place::suffix,
                        "the last " + decimal(dim) + " lanes rotate");
        }
    }

    void add_own_head(std::vector<NamedMistake> mistakes, const Spec& spec) {
        const auto own = own_head(spec);
        if (!own) return;
        const std::string half = decimal(own->rotary_dim / 2);
        mistakes.push_back(width_mistake(own->rotary_dim, Place::prefix,
                                         "the first " + decimal(own->rotary_dim) +
                                             " lanes rotate as a head of their own: lanes i and "
                                             "i + " +
                                             half + " are pairs, for i below " + half));
        add(std::move(mistakes), spec, rotation(own->read, own->written, spec.head_dim));
    }

    // Usual ones, and those of the lanes that moved.
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
    std::string first_lanes(std::uint32_t dim) const {
        const std::string asked = decimal(asked_.rotary_dim);
        return dim == asked_.head_dim
                   ? "all " + decimal(dim) + " lanes rotate, not the first " + asked
                   : "the first " + decimal(dim) + " lanes rotate, not " + asked;
    }
    static std::string last_lanes(std::uint32_t dim) {
        return "the last " + decimal(dim) + " lanes rotate, not the first";
    }
    static NamedMistake width_mistake(std::uint32_t dim, Place place, std::string what) {
        static constexpr const char* places[] = {"prefix", "suffix", "spread"};
        return {"rotary-dim",
                {{"rotary_dim", std::uint64_t{dim}},
                 {"lanes", std::string(places[static_cast<int>(place)])}},
                std::move(what)};
    }
    void add_dim(std::vector<NamedMistake> mistakes, const Spec& spec, std::uint32_t dim,
                 Place place, const std::string& what) {
        const auto other = with_rotary_dim(spec, dim, spec.head_dim);
        if (!other) return;
        mistakes.push_back(width_mistake(dim, place, what));
        add(std::move(mistakes), *other, place);
    }

    // Read in one layout, written in the other, or in an order that is neither's.
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
        const std::string from(to_string(in.layout)), to(to_string(written));
        const NamedMistake named{
            "pair-layout",
            {{"before", from}, {"after", to}},
            std::string("pairs are read ").append(from).append(" and written ").append(to)};
        const auto add_at = [&](std::vector<NamedMistake> mistakes, const Spec& spec, Place place) {
            Spec out = spec;
            out.layout = written;
            add(std::move(mistakes), spec,
                rotation(lanes_at(spec, place, lanes_of_pair),
                         lanes_at(out, place, written_lanes_of_pair), spec.head_dim));
        };
        add_at({named}, in, Place::prefix);
        const auto at_end = [&](const Spec& spec) {
            const std::uint32_t dim = spec.rotary_dim;
            add_at({named, width_mistake(dim, Place::suffix, last_lanes(dim))}, spec,
                   Place::suffix);
        };
        if (in.rotary_dim < in.head_dim && in.rotary_offset == 0) at_end(in);
        for (const std::uint32_t dim : other_dims(in)) {
            const auto other = with_rotary_dim(in, dim, in.head_dim);
            if (!other || dim == in.head_dim) continue;
            add_at({named, width_mistake(dim, Place::prefix, first_lanes(dim))}, *other,
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
                more.push_back(
                    width_mistake(spec.rotary_dim, Place::suffix, last_lanes(spec.rotary_dim)));
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
    const RotatedDump& dump_;
    const DumpPart& part_;
    MovedLanes moved_;
    Readings readings_;
};

}  // namespace

std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim,
                                    std::uint32_t head_dim) {
    Spec spec = asked;
    spec.rotary_dim = rotary_dim;
    spec.head_dim = std::max(head_dim, rotary_dim);
    return is_sound(spec) ? std::optional(std::move(spec)) : std::nullopt;
}

Readings vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part) {
    if (head_dim_of(dump) != asked.head_dim) return {};
    return VectorReadings(asked, dump, part).all();
}

Readings own_vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part) {
    if (head_dim_of(dump) != asked.head_dim) return {};
    return VectorReadings(asked, dump, part).own();
}

}  // namespace rope
