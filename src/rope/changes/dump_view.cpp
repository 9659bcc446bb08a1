#include "rope/changes/dump_view.hpp"

#include <iterator>
#include <numbers>
#include <numeric>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// None if the map does not fit this number of pairs.
std::optional<std::vector<std::uint32_t>> axes_of(const AxisMap& map, std::uint32_t pairs) {
    try {
        return axis_of_pairs(map, pairs);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

class OtherAxes {
  public:
    OtherAxes(Views& all, const DumpView& plain)
        : all_(all), plain_(plain), axes_(plain.asked.axes), count_(axis_count(axes_)) {}

    void add_scheme(AxisScheme scheme) {
        AxisMap other{scheme, sections_for(scheme)};
        if (axis_count(other) > count_) return;
        add_map(std::string(to_string(scheme)), {{"asked", std::string(to_string(axes_.scheme))}},
                other);
    }

    void add_single_axes() {
        for (std::uint32_t a = 0; a < count_; ++a)
            add("axis " + decimal(a), {{"single", 1.0}}, std::vector<std::uint32_t>(pairs(), a),
                axes_);
    }

    void add_orders() {
        auto order = numbers_below<std::uint32_t>(count_);
        while (std::next_permutation(order.begin(), order.end())) {
            std::vector<std::uint32_t> axis = plain_.axis;
            for (std::uint32_t& a : axis) a = order[a];
            add("order " + join(order), {{"order", 1.0}}, std::move(axis), axes_);
        }
    }

    void add_orders_of_sections() {
        if (axes_.sections.size() < 2) return;
        std::vector<std::uint32_t> sections = axes_.sections;
        std::sort(sections.begin(), sections.end());
        do add_sections(sections);
        while (std::next_permutation(sections.begin(), sections.end()));
    }

    // Other sizes of three sections that give every pair an axis which it follows: those of another
    // model, else the nearest to the Spec's.
    void add_other_sizes() {
        if (axes_.sections.size() != 3 || !is_one_ladder(axes_)) return;
        const AxisMisfits misfits =
            misfits_on_axes(plain_.samples, as_asked_and_stored(plain_), count_);
        if (misfits.empty()) return;
        std::vector<std::vector<std::uint32_t>> fitting;
        for (std::uint32_t a = 1; a + 1 < pairs(); ++a)
            for (std::uint32_t b = 1; a + b < pairs(); ++b) {
                const std::vector<std::uint32_t> sections{a, b, pairs() - a - b};
                const AxisMap map{axes_.scheme, sections};
                if (axes_of(map, pairs()) && std::isfinite(misfit_by(map, misfits)))
                    fitting.push_back(sections);
            }
        if (fitting.empty()) return;
        const std::uint64_t others = fitting.size() - 1;
        for (const auto& sections : fitting)
            if (std::ranges::count(sections_of_models, sections) > 0)
                add_sections(sections, others);
        add_sections(*std::ranges::min_element(
                         fitting, {}, [&](const auto& sections) { return apart(sections); }),
                     others);
    }

    // Pairs that take the axis of another pair, as with a number of dimensions or of two pairs.
    void add_places() {
        const std::uint32_t n = pairs();
        const auto take = [&](const char* place, const auto& place_of) {
            std::vector<std::uint32_t> axis;
            for (std::uint32_t i = 0; i < n; ++i) axis.push_back(plain_.axis[place_of(i) % n]);
            if (are_axes_renamed(axis)) return;
            add(std::string("pair ") + place, {{"place", place}}, std::move(axis), axes_);
        };
        take("2⌊i/2⌋", [](std::uint32_t i) { return i / 2 * 2; });
        take("2⌊i/2⌋ + 1", [](std::uint32_t i) { return i / 2 * 2 + 1; });
        take("⌊i/2⌋", [](std::uint32_t i) { return i / 2; });
        take("2i mod d/2", [](std::uint32_t i) { return 2 * i; });
        take("i − 1 mod d/2", [n](std::uint32_t i) { return i + n - 1; });
        take("i + 1 mod d/2", [](std::uint32_t i) { return i + 1; });
        take("d/2 − 1 − i", [n](std::uint32_t i) { return n - 1 - i; });
    }

    // Schemes that also change the frequencies.
    void add_ladders() {
        using enum AxisScheme;
        // for two equal sections axial and blocks are the same
        const AxisScheme own = axes_.sections.empty() ? axial : blocks;
        for (const AxisScheme scheme :
             {sectioned, own, interleaved, height_width_time, even_odd, alternating}) {
            const AxisMap other{scheme, sections_for(scheme)};
            if (axis_count(other) == count_ && axes_of(other, pairs()) && !has_ladders_of(other))
                add_scheme(scheme);
        }
    }

  private:
    std::uint32_t pairs() const { return plain_.asked.pairs(); }

    // Whether all pairs of an axis follow one axis: then its ids are those of that axis.
    bool are_axes_renamed(const std::vector<std::uint32_t>& axis) const {
        std::vector<std::uint32_t> follows(count_, count_);
        for (std::uint32_t i = 0; i < pairs(); ++i) {
            std::uint32_t& own = follows[plain_.axis[i]];
            if (own != count_ && own != axis[i]) return false;
            own = axis[i];
        }
        return true;
    }

    // mrope_section of Qwen2-VL, Qwen3-VL, GLM-4.5V, Qwen3.5 and ERNIE-4.5-VL
    static inline const std::vector<std::vector<std::uint32_t>> sections_of_models{
        {16, 24, 24}, {24, 20, 20}, {8, 12, 12}, {11, 11, 10}, {22, 22, 20}};

    // The number of pairs in other sections than the Spec's.
    std::uint32_t apart(const std::vector<std::uint32_t>& sections) const {
        std::uint32_t sum = 0;
        for (std::size_t axis = 0; axis < sections.size(); ++axis)
            sum += std::max(sections[axis], axes_.sections[axis]) -
                   std::min(sections[axis], axes_.sections[axis]);
        return sum;
    }

    // `others`: how many other sizes fit as well.
    void add_sections(const std::vector<std::uint32_t>& sections, std::uint64_t others = 0) {
        if (std::ranges::count(tried_, sections) > 0) return;
        tried_.push_back(sections);
        const std::string names = join(sections);
        Parameters context{{"sections", names}};
        if (others > 0) context.emplace_back("others", others);
        add_map("sections " + names, context, {axes_.scheme, sections});
    }

    bool has_ladders_of(const AxisMap& other) const {
        return frequency_steps(other, pairs()) == frequency_steps(axes_, pairs());
    }

    // The sections of the Spec; two halves if it has none.
    std::vector<std::uint32_t> sections_for(AxisScheme scheme) const {
        using enum AxisScheme;
        const bool has_none = scheme == axial || scheme == even_odd || scheme == alternating;
        if (has_none || !axes_.sections.empty())
            return has_none ? std::vector<std::uint32_t>{} : axes_.sections;
        return {pairs() / 2, pairs() - pairs() / 2};
    }

    void add(const std::string& map, const Parameters& context, std::vector<std::uint32_t> axis,
             const AxisMap& frequencies) {
        if (axis == plain_.axis && has_ladders_of(frequencies)) return;
        DumpView other = plain_;
        other.mistakes.push_back(named("axis-map", {{"map", map}}, context));
        other.axis = std::move(axis);
        if (!has_ladders_of(frequencies)) other.asked.axes = frequencies;
        all_.push_back(std::move(other));
    }

    void add_map(const std::string& map, const Parameters& context, const AxisMap& other) {
        if (auto axis = axes_of(other, pairs())) add(map, context, std::move(*axis), other);
    }

    Views& all_;
    const DumpView& plain_;
    const AxisMap& axes_;
    std::uint32_t count_;
    std::vector<std::vector<std::uint32_t>> tried_ = {};  // by add_sections()
};

// Adds the view with other axis maps, orders of axes and sections.
void add_axis_maps(Views& all, const DumpView& plain) {
    if (plain.samples.positions.size() < 2 || axis_count(plain.asked.axes) < 2) return;
    OtherAxes others(all, plain);
    others.add_single_axes();
    if (is_one_ladder(plain.asked.axes)) {
        others.add_scheme(AxisScheme::sectioned);
        others.add_scheme(AxisScheme::interleaved);
    }
    others.add_orders();
    others.add_other_sizes();
    others.add_orders_of_sections();
    others.add_places();
    others.add_ladders();
}

// Whether columns i and i + h/2 of cos and sin are equal in every row, but not all columns are.
bool holds_all_twice(const TableDump& dump) {
    const std::uint32_t half = dump.pairs / 2;
    if (dump.pairs % 2 != 0) return false;
    bool all_same = true;
    std::vector<double> values(dump.pairs);
    for (std::size_t row = 0; row < dump.positions.size(); ++row)
        for (const StridedRows* table : {&dump.cos, &dump.sin}) {
            table->read(row, 0, dump.pairs, values.data());
            for (std::uint32_t i = 0; i < half; ++i) {
                const bool are_nan = std::isnan(values[i]) && std::isnan(values[i + half]);
                if (values[i] != values[i + half] && !are_nan) return false;
                all_same = all_same && values[i] == values[0];
            }
        }
    return !all_same;
}

// Sets the axis of each pair. A dump with another number of pairs has a mistake. Returns whether a
// Spec has so many.
bool take_width(DumpView& view, std::size_t pairs, Parameters context) {
    const Spec& asked = view.asked;
    if (pairs != asked.pairs()) {
        const auto dim = static_cast<std::uint32_t>(2 * pairs);
        auto other = with_rotary_dim(asked, dim);
        if (!other) return false;
        context.emplace_back("asked", std::uint64_t{asked.rotary_dim});
        view.mistakes.push_back(named("rotary-dim", {{"rotary_dim", std::uint64_t{dim}}}, context));
        view.asked = *std::move(other);
    }
    view.axis = axis_of_pairs(view.asked.axes, view.asked.pairs());
    return true;
}

// A table cat(f, f) with half as many pairs, which has the width of the Spec's table.
void add_copied_view(Views& all, const Spec& asked, const TableDump& dump, const DumpPart& part) {
    if (dump.pairs != asked.pairs() || !holds_all_twice(dump)) return;
    TableDump narrow = dump;
    narrow.pairs = dump.pairs / 2;
    DumpView view{{}, asked, sample_table(narrow, part.sampled), {}};
    if (!take_width(view, narrow.pairs, {{"subject", "table is"}, {"columns", "twice"}})) return;
    view.has_duplicate_columns = true;
    all.push_back(std::move(view));
}

Views table_views(const Spec& asked, const TableDump& dump, const DumpPart& part) {
    DumpView view{{}, asked, sample_table(dump, part.sampled), {}};
    if (!take_width(view, dump.pairs, {{"subject", "table is"}})) return {};
    Views all{view};
    add_axis_maps(all, view);
    add_copied_view(all, asked, dump, part);
    return all;
}

Views frequency_views(const Spec& asked, const FrequencyDump& frequencies) {
    DumpView view{{}, asked, sample_frequencies(frequencies, frequencies_of(asked).amplitude), {}};
    if (!take_width(view, frequencies.inv_freq.size(), {{"subject", "frequencies are"}})) return {};
    return {std::move(view)};
}

// Narrow values that the pipeline's rounding explains are taken as the dump's format.
void take_as_rounded(Samples& samples, const Exactness& exactness, double amplitude) {
    if (!samples.narrow || exactness.rounding < half_spacing(*samples.narrow, amplitude)) return;
    samples.format = *samples.narrow;
    samples.narrow.reset();
    samples.is_of_narrow_table = true;
}

// Sets storage and largest_k to the exactness of the checks.
void judge_by(const Exactness& exactness, DumpView& view) {
    const double amplitude = plan_frequencies(view.asked, exact_precision).attention_factor;
    const bool mixes = view.arrangement && !view.arrangement->is_rotation;
    view.samples.storage =
        (mixes ? 3 : 1) * (std::numbers::sqrt2 * exactness.rounding / amplitude + 0x1p-48);
    view.samples.largest_k = std::ranges::max(exactness.angle_k);
    take_as_rounded(view.samples, exactness, amplitude);
}

// Whether the dimensions outside the pairs are unchanged.
bool leaves_the_rest(const RotatedDump& dump, const Arrangement& arrangement,
                     const DumpPart& part) {
    const std::vector<std::size_t> rest = arrangement.rest();
    return std::ranges::all_of(part.sampled, [&](std::size_t row) {
        const std::size_t before = before_row(arrangement, part.rows, row);
        return std::ranges::all_of(rest, [&](std::size_t dimension) {
            return is_kept(dump, dump.before.at(before, dimension), dump.after.at(row, dimension));
        });
    });
}

// The range of dimensions that change in any sampled row.
DimensionRange moved_dimensions(const RotatedDump& dump, const DumpPart& part,
                                std::uint32_t head_dim) {
    DimensionRange moved{head_dim, 0};
    for (const std::size_t row : part.sampled)
        for (std::uint32_t dimension = 0; dimension < head_dim; ++dimension)
            if (!is_kept(dump, dump.before.at(row, dimension), dump.after.at(row, dimension))) {
                moved.first = std::min(moved.first, dimension);
                moved.end = std::max(moved.end, dimension + 1);
            }
    return moved;
}

// Returns whether the part may pass keeps_norms(): low/high falls as rows are added, and no table
// is coarser than bfloat16. Most arrangements already fail in their first rows.
bool few_may_keep_norms(const RotatedDump& dump, const Arrangement& arrangement,
                        const DumpPart& part) {
    constexpr std::size_t few = 8;
    const std::vector<std::size_t>& rows = part.sampled;
    if (rows.size() <= few) return true;
    const Samples some =
        sample_vectors(dump, arrangement, {rows.begin(), rows.begin() + few}, part.rows);
    const Moduli moduli(some);
    return moduli.high == 0 || moduli.are_one(some.storage + 2 * half_spacing(Format::bfloat16, 1));
}

// Adds the view of an arrangement with its axis maps; the asked one comes first.
void add_arrangement(Views& all, NamedArrangement one, const Spec& asked, const RotatedDump& dump,
                     const DumpPart& part) {
    one.arrangement.before_group = part.before_group;
    const bool is_asked = one.mistakes.empty();
    const bool leaves_others = leaves_the_rest(dump, one.arrangement, part);
    if (!is_asked && (!leaves_others || !few_may_keep_norms(dump, one.arrangement, part))) return;
    DumpView view{std::move(one.mistakes),
                  one.spec,
                  sample_vectors(dump, one.arrangement, part.sampled, part.rows),
                  axis_of_pairs(one.spec.axes, one.spec.pairs()),
                  one.arrangement,
                  leaves_others};
    view.has_duplicate_columns = leaves_others && one.spec.rotary_dim < asked.rotary_dim;
    if (view.samples.rows() == 0 || (!is_asked && !keeps_norms(view.samples))) return;
    Views mapped;
    add_axis_maps(mapped, view);
    all.insert(is_asked ? all.begin() : all.end(), std::move(view));
    std::ranges::move(mapped, std::back_inserter(all));
}

// The Spec's arrangement, and the others if `with_others`.
Views vector_views(const Spec& asked, const RotatedDump& dump, const DumpPart& part,
                   bool with_others) {
    Views all;
    if (head_dim_of(dump) != asked.head_dim) return all;
    add_arrangement(all, {{}, asked, arrangement_of(asked)}, asked, dump, part);
    if (with_others)
        for (NamedArrangement& one :
             other_arrangements(asked, moved_dimensions(dump, part, asked.head_dim)))
            add_arrangement(all, std::move(one), asked, dump, part);
    return all;
}

// An interleaved axis keeps as many pairs of its section as fit; another axis has the rest.
void interleave(std::vector<std::uint32_t>& sections, std::uint32_t pairs) {
    const std::size_t rest = sections.size() == 4 ? 3 : 0;
    std::uint32_t left = pairs;
    for (std::uint32_t axis = 0; axis < sections.size(); ++axis)
        if (axis != rest) left -= sections[axis] = std::min(sections[axis], (pairs + 2 - axis) / 3);
    sections[rest] = left;
}

// Scales the sections in proportion; unchanged if that gives a fraction.
void scale(std::vector<std::uint32_t>& sections, std::uint32_t pairs) {
    const auto sum = std::accumulate(sections.begin(), sections.end(), std::uint64_t{0});
    const auto is_whole = [&](std::uint64_t one) { return sum != 0 && one * pairs % sum == 0; };
    if (!std::ranges::all_of(sections, is_whole)) return;
    for (std::uint32_t& one : sections)
        one = static_cast<std::uint32_t>(std::uint64_t{one} * pairs / sum);
}

}  // namespace

Hypothesis by_frequencies(const DumpView& view, const Frequencies& frequencies) {
    return {frequencies.theta, frequencies.angle_k, view.axis, frequencies.amplitude};
}

Hypothesis as_asked(const DumpView& view) {
    return by_frequencies(view, frequencies_of(view.asked));
}

RowErrors row_errors(const DumpView& view, const DumpPart& part, Hypothesis hypothesis) {
    return {part.dump, part.rows, view.arrangement ? &*view.arrangement : nullptr, view.samples,
            std::move(hypothesis)};
}

Hypothesis by_stored(const DumpView& view, const Frequencies& frequencies) {
    Hypothesis all = by_frequencies(view, frequencies);
    all.rounding.table = view.samples.narrow.value_or(all.rounding.table);
    return all;
}

Hypothesis as_asked_and_stored(const DumpView& view) {
    return by_stored(view, frequencies_of(view.asked));
}

bool keeps_norms(const Samples& samples) {
    const Moduli moduli(samples);
    return moduli.high > 0 && moduli.are_one(samples.rounding());
}

Samples samples_of(const DumpView& view, const DumpPart& part) {
    if (const auto* table = std::get_if<TableDump>(&part.dump))
        return sample_table(*table, part.sampled);
    return sample_vectors(std::get<RotatedDump>(part.dump), *view.arrangement, part.sampled,
                          part.rows);
}

Views views_of(const Spec& asked, const DumpPart& part, const CheckFacts& checked,
               bool with_others) {
    const auto* table = std::get_if<TableDump>(&part.dump);
    Views all = table ? table_views(asked, *table, part)
                      : vector_views(asked, std::get<RotatedDump>(part.dump), part, with_others);
    const std::uint32_t axes = axis_count(asked.axes);
    for (DumpView& view : all) {
        if (axes > 1) add_other_ids(view.samples, part.rows, axes);
        view.mistakes.insert(view.mistakes.end(), part.mistakes.begin(), part.mistakes.end());
        if (checked.exactness) judge_by(*checked.exactness, view);
        view.samples.keys_moved_by = checked.keys_moved_by;
        view.samples.context = static_cast<double>(asked.max_position_embeddings);
        if (view.mistakes.empty()) view.odd_pairs = checked.odd_pairs;
        view.effort = checked.effort;
    }
    return all;
}

std::optional<DumpView> own_view(const Spec& asked, const DumpPart& part,
                                 const CheckFacts& checked) {
    Views own = views_of(asked, part, checked, false);
    if (own.empty() || !own.front().mistakes.empty()) return std::nullopt;
    return std::move(own.front());
}

Views views_of(const Spec& asked, const Dump& dump, const CheckFacts& checked) {
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump)) {
        Views all = frequency_views(asked, *frequencies);
        if (checked.exactness)
            for (DumpView& view : all) judge_by(*checked.exactness, view);
        return all;
    }
    const RowGroups rows(dump);
    return views_of(asked, part_of(dump, rows, rows.all(), checked), checked);
}

DumpPart part_of(const Dump& dump, const RowGroups& rows, std::vector<std::size_t> groups,
                 const CheckFacts& checked) {
    auto sampled = rows.diagnostic(groups, checked.wrong_at);
    return {dump, rows, std::move(groups), std::move(sampled), {}, {}, checked.threads};
}

Dump moved_to(Dump dump, const PlaceOfRow& place) {
    const auto move = [&](auto& rows) {
        for (std::size_t row = 0; row < rows.positions.size(); ++row) {
            rows.positions[row] = place(row, 0);
            for (std::uint32_t axis = 0; axis < rows.more_positions.size(); ++axis)
                rows.more_positions[axis][row] = place(row, axis + 1);
        }
    };
    if (auto* table = std::get_if<TableDump>(&dump))
        move(*table);
    else
        move(std::get<RotatedDump>(dump));
    return dump;
}

std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim) {
    Spec spec = asked;
    spec.rotary_dim = rotary_dim;
    spec.head_dim = std::max(asked.head_dim, rotary_dim);
    const AxisScheme scheme = spec.axes.scheme;
    if (scheme == AxisScheme::interleaved || scheme == AxisScheme::interleaved4)
        interleave(spec.axes.sections, spec.pairs());
    else
        scale(spec.axes.sections, spec.pairs());
    return is_sound(spec) ? std::optional(std::move(spec)) : std::nullopt;
}

}  // namespace rope
