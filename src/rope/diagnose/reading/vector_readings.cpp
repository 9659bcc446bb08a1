#include <algorithm>

#include "base/decimal.hpp"
#include "rope/diagnose/reading/other_readings.hpp"

namespace rope {
namespace {

enum class Place { prefix, suffix, spread };  // where the rotating lanes are in the head

Arrangement arrangement_of(Spec spec, Place place) {
    if (place == Place::suffix) spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    Arrangement lanes{{}, {}, spec.head_dim};
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const Lanes spread{i, i + spec.head_dim / 2};
        const bool is_spread = place == Place::spread;
        lanes.before.push_back(is_spread ? spread : lanes_of_pair(spec, i));
        lanes.after.push_back(is_spread ? spread : written_lanes_of_pair(spec, i));
    }
    return lanes;
}

// Lanes beside the pairs must be as they were.
bool leaves_the_rest(const RotatedDump& dump, const Arrangement& arrangement) {
    std::vector<bool> turns(arrangement.head_dim);
    for (const auto* lanes : {&arrangement.before, &arrangement.after})
        for (const auto& [first, second] : *lanes) turns[first] = turns[second] = true;
    for (const std::size_t row : diagnostic_rows(dump.positions, true, {}))
        for (std::uint32_t lane = 0; lane < arrangement.head_dim; ++lane)
            if (!turns[lane] && dump.before.at(row, lane) != dump.after.at(row, lane)) return false;
    return true;
}

class VectorReadings {
  public:
    VectorReadings(const Spec& asked, const RotatedDump& dump, const Judgement& judgement)
        : asked_(asked), dump_(dump), judgement_(judgement) {}

    Readings all() {
        add({}, asked_, Place::prefix);
        std::vector<std::pair<std::vector<NamedMistake>, Spec>> shapes{{{}, asked_}};
        for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved}) {
            if (layout == asked_.layout) continue;
            Spec other = asked_;
            other.layout = layout;
            const std::string name(to_string(layout));
            shapes.push_back(
                {{{"pair-layout",
                   {{"layout", name}},
                   "pairs are " + name + ", not " + std::string(to_string(asked_.layout))}},
                 other});
        }
        for (std::size_t k = 0; k < shapes.size(); ++k)
            add_dims(shapes[k].first, shapes[k].second, k > 0);
        add_moved_lanes();
        return std::move(readings_);
    }

  private:
    void add(std::vector<NamedMistake> mistakes, const Spec& spec, Place place) {
        add(std::move(mistakes), spec, arrangement_of(spec, place));
    }
    void add(std::vector<NamedMistake> mistakes, const Spec& spec, const Arrangement& arrangement) {
        const bool asked = mistakes.empty();
        if (!asked && !leaves_the_rest(dump_, arrangement)) return;
        DumpReading reading{std::move(mistakes), spec,
                            sample_vectors(dump_, arrangement, judgement_.wrong_at),
                            axis_of_pairs(spec.axes, spec.pairs())};
        if (reading.samples.rows() == 0 || (!asked && !keeps_norms(reading.samples))) return;
        if (asked) add_axis_maps(readings_, reading);
        readings_.insert(asked ? readings_.begin() : readings_.end(), std::move(reading));
    }

    void add_dims(const std::vector<NamedMistake>& mistakes, const Spec& spec,
                  bool with_asked_dims) {
        if (with_asked_dims) add(mistakes, spec, Place::prefix);
        const std::uint32_t head = spec.head_dim, asked = spec.rotary_dim;
        if (asked < head) {
            if (spec.rotary_offset != head - asked)
                add_dim(mistakes, spec, asked, Place::suffix,
                        "the last " + decimal(asked) + " lanes rotate, not the first");
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
        for (const std::uint32_t dim :
             {head, head / 2, head / 4, 3 * head / 4, 2 * asked, asked / 2}) {
            if (dim == asked || dim < 2 || dim % 2 != 0 || dim > head) continue;
            add_dim(mistakes, spec, dim, Place::prefix,
                    dim == head
                        ? "all " + decimal(head) + " lanes rotate, not the first " + decimal(asked)
                        : "the first " + decimal(dim) + " lanes rotate, not " + decimal(asked));
            if (dim < head)
                add_dim(mistakes, spec, dim, Place::suffix,
                        "the last " + decimal(dim) + " lanes rotate");
        }
    }
    void add_dim(std::vector<NamedMistake> mistakes, const Spec& spec, std::uint32_t dim,
                 Place place, const std::string& what) {
        const auto other = with_rotary_dim(spec, dim, spec.head_dim);
        if (!other) return;
        static constexpr const char* places[] = {"prefix", "suffix", "spread"};
        mistakes.push_back({"rotary-dim",
                            {{"rotary_dim", std::uint64_t{dim}},
                             {"lanes", std::string(places[static_cast<int>(place)])}},
                            what});
        add(std::move(mistakes), *other, place);
    }

    // Read in one layout, written in the other.
    void add_moved_lanes() {
        for (const PairLayout before : {PairLayout::interleaved, PairLayout::half_split}) {
            if (before == PairLayout::interleaved &&
                asked_.layout == PairLayout::interleaved_to_half_split)
                continue;
            Spec in = asked_, out = asked_;
            in.layout = before;
            out.layout = before == PairLayout::interleaved ? PairLayout::half_split
                                                           : PairLayout::interleaved;
            const std::string from(to_string(in.layout)), to(to_string(out.layout));
            add({{"pair-layout",
                  {{"before", from}, {"after", to}},
                  "pairs are read " + from + " and written " + to}},
                in,
                {arrangement_of(in, Place::prefix).before, arrangement_of(out, Place::prefix).after,
                 in.head_dim});
        }
    }

    const Spec& asked_;
    const RotatedDump& dump_;
    const Judgement& judgement_;
    Readings readings_;
};

}  // namespace

std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim,
                                    std::uint32_t head_dim) {
    Spec spec = asked;
    spec.rotary_dim = rotary_dim;
    spec.head_dim = std::max(head_dim, rotary_dim);
    try {
        validate(spec);
        return spec;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

Readings vector_readings(const Spec& asked, const RotatedDump& dump, const Judgement& judgement) {
    return VectorReadings(asked, dump, judgement).all();
}

}  // namespace rope
