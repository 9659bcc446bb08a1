// Reads a dump by a Spec.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <ranges>
#include <utility>

#include "base/decimal.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/subject/subject.hpp"
#include "rope/number/row_sample.hpp"
#include "rope/session/session.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::io {
namespace {

bool holds_vectors(const NamedDump& one) { return std::holds_alternative<RotatedDump>(one.dump); }

bool fits(const Spec& spec, const NamedDump& dump) {
    return dump.dimensions == (holds_vectors(dump) ? spec.head_dim : spec.rotary_dim);
}

// A rotation of another part of the same head is a mistake; any other width is a different dump.
bool has_other_rotary_dim(const Spec& spec, const NamedDump& dump) {
    return !holds_vectors(dump) && dump.dimensions != spec.rotary_dim &&
           dump.dimensions <= spec.head_dim;
}

// The dumps as the hints read them; none if nothing fits, or a choice is left.
std::vector<NamedDump> load_if_it_fits(DumpTensors& tensors, const DumpHints& hints) try {
    return load_dump(tensors, hints);
} catch (const InputError&) {
    return {};
}

// The Spec of DeepSeek's heads with the dimensions before those that rotate. Nothing if the
// config has no such dimensions, or the vectors hold only the others.
std::optional<ResolvedSpec> with_nope_dimensions(DumpTensors& tensors, DumpHints hints,
                                                 const ResolvedSpec& asked) {
    if (asked.facts.nope_dimensions == 0 || asked.spec.rotary_offset != 0) return std::nullopt;
    ResolvedSpec whole = asked;
    whole.spec.rotary_offset = asked.facts.nope_dimensions;
    whole.spec.head_dim += asked.facts.nope_dimensions;
    for (Origin& one : whole.origins)
        if (one.field == "head_dim") one.from = "qk_nope_head_dim + qk_rope_head_dim";
    hints.spec = whole.spec;
    hints.splits_heads = false;
    if (std::ranges::any_of(load_if_it_fits(tensors, hints), holds_vectors)) return whole;
    return std::nullopt;  // the vectors hold only dimensions that rotate
}

// The Spec of only the dimensions that rotate, as kernels get them; nothing if all rotate.
std::optional<ResolvedSpec> rotating_part(const ResolvedSpec& asked) {
    if (asked.spec.rotary_dim == asked.spec.head_dim) return std::nullopt;
    ResolvedSpec part = asked;
    part.spec.head_dim = part.spec.rotary_dim;
    part.spec.rotary_offset = 0;
    part.facts.nope_dimensions = 0;
    for (Origin& one : part.origins)
        if (one.field == "head_dim") one.from = "the vectors hold only the dimensions that rotate";
    return part;
}

// Adds the pairs that do not rotate to a table or inv_freq that leaves them out, as those of
// rope_type proportional may.
void add_still_pairs(NamedDump& one, const Spec& spec) {
    if (holds_vectors(one) || one.dimensions >= spec.rotary_dim) return;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const auto rotates = [](const PlannedFrequency& pair) {
        return pair.inv_freq.to_double() != 0;
    };
    const auto rotating = static_cast<std::uint32_t>(std::ranges::count_if(plan.pairs, rotates));
    if (rotating == spec.pairs() || one.dimensions != 2 * rotating) return;
    if (auto* frequencies = std::get_if<FrequencyDump>(&one.dump))
        frequencies->inv_freq.resize(spec.pairs());
    if (auto* table = std::get_if<TableDump>(&one.dump)) {
        const auto wider = [&](const StridedRows& rows, double value) {
            std::vector<double> all(table->positions.size() * spec.pairs(), value);
            for (std::uint64_t row = 0; row < table->positions.size(); ++row)
                rows.read(row, 0, rotating, all.data() + row * spec.pairs());
            return StridedRows(std::move(all), spec.pairs());
        };
        table->cos = wider(table->cos, plan.attention_factor);
        table->sin = wider(table->sin, 0);
        table->pairs = spec.pairs();
    }
    one.dimensions = spec.rotary_dim;
}

// Some rows that are not zero, spread over all rows.
RotatedDump some_rows(const RotatedDump& dump) {
    constexpr std::size_t most = 64;
    const std::uint64_t dimensions = head_dim_of(dump), rows = dump.positions.size();
    RotatedDump some;
    some.format = dump.format;
    some.stored_in = dump.stored_in;
    some.scale_rounding = dump.scale_rounding;
    some.roundings = dump.roundings;
    some.more_positions.resize(dump.more_positions.size());
    std::vector<double> before, after;
    for (std::uint64_t k = 0; k < rows && some.positions.size() < most; ++k) {
        const std::uint64_t row = sampled_row(k, rows, most);
        const auto is_zero = [&](std::uint64_t dimension) {
            return dump.before.at(row, dimension) == 0;
        };
        if (std::ranges::all_of(std::views::iota(std::uint64_t{0}, dimensions), is_zero)) continue;
        some.positions.push_back(dump.positions[row]);
        for (std::size_t axis = 0; axis < some.more_positions.size(); ++axis)
            some.more_positions[axis].push_back(dump.more_positions[axis][row]);
        for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension) {
            before.push_back(dump.before.at(row, dimension));
            after.push_back(dump.after.at(row, dimension));
        }
    }
    some.before = StridedRows(std::move(before), dimensions);
    some.after = StridedRows(std::move(after), dimensions);
    return some;
}

bool is_at_zero(const std::vector<double>& positions) {
    return std::ranges::all_of(positions, [](double m) { return m == 0; });
}

// Whether a table, or some rows of vectors, rotate by the Spec. Rows that are all at position 0
// show no rotation.
bool follows(const Spec& spec, const Dump& dump) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    const auto* table = std::get_if<TableDump>(&dump);
    if (vectors != nullptr ? head_dim_of(*vectors) != spec.head_dim
                           : table != nullptr && table->pairs != spec.pairs())
        return false;
    if (vectors != nullptr && DumpedRows(*vectors).are_all([](double m) { return m == 0; }))
        return false;
    try {
        if (vectors == nullptr) return rotates_by(spec, dump);
        const RotatedDump some = some_rows(*vectors);
        return !some.positions.empty() && rotates_by(spec, some);
    } catch (const InputError&) {  // nothing is left to check
        return false;
    }
}

using OnAxes = std::vector<std::vector<double>>;

// A grid of frames, rows and columns. Two axes are (row, column) or (column, row); a fourth axis
// counts text and is 0 in an image, as in FLUX.2.
struct Grid {
    std::array<std::uint64_t, 3> lengths{1, 1, 1};
    bool is_transposed = false;
    bool has_coordinates = false;  // 2π times the centres of cells between −1 and 1

    double at(std::size_t axis, std::uint64_t index) const {
        if (!has_coordinates) return static_cast<double>(index);
        const auto length = static_cast<double>(lengths[axis]);
        return 2 * std::numbers::pi * ((2 * static_cast<double>(index) + 1) / length - 1);
    }
    std::vector<double> place(std::uint64_t row, std::size_t axes) const {
        const std::uint64_t column = row % lengths[2], line = row / lengths[2] % lengths[1];
        std::vector<double> at_all;
        if (axes > 2) at_all.push_back(at(0, row / lengths[2] / lengths[1]));
        at_all.push_back(at(1, line));
        at_all.push_back(at(2, column));
        if (is_transposed) std::swap(at_all[0], at_all[1]);
        at_all.resize(axes);
        return at_all;
    }
    std::string words(std::size_t axes) const {
        return (axes > 2 ? decimal(lengths[0]) + " × " : "") + decimal(lengths[1]) + " × " +
               decimal(lengths[2]) +
               (axes > 2 ? " frames, rows and columns" : " rows and columns") +
               (is_transposed ? ", columns first" : "") +
               (has_coordinates ? ", 2π times their centres between −1 and 1" : "");
    }
};

bool are_of_images(AxisScheme scheme) {
    return scheme == AxisScheme::axial || scheme == AxisScheme::blocks ||
           scheme == AxisScheme::even_odd || scheme == AxisScheme::alternating;
}

// Calls visit(dump) if it is a table or vectors.
template <class Visit>
void visit_rows(Dump& dump, const Visit& visit) {
    if (auto* table = std::get_if<TableDump>(&dump)) visit(*table);
    if (auto* vectors = std::get_if<RotatedDump>(&dump)) visit(*vectors);
}

void move_to(Dump& dump, const OnAxes& on_axes) {
    visit_rows(dump, [&](auto& rows) {
        rows.positions = on_axes.front();
        rows.more_positions.assign(on_axes.begin() + 1, on_axes.end());
    });
}

// Finds the places on several axes that explain every value.
class Placing {
  public:
    Placing(Dump& dump, const ResolvedSpec& asked)
        : dump_(dump),
          spec_(asked.spec),
          axes_(axis_count(spec_.axes)),
          rows_come_first_(asked.facts.has("rows_first")) {
        visit_rows(dump, [&](auto& all) {
            rows_ = all.positions.size();
            sequence_ = all.grid.sequence.length > 1 ? all.grid.sequence : RowAxis{rows_, 1};
            own_ = all.more_positions;
            own_.insert(own_.begin(), all.positions);
            has_numbers_ = assumption_named(all.read_as, "positions").are_row_numbers;
        });
    }

    // Rows of the sequence behind the prefix tokens.
    std::uint64_t length() const { return sequence_.length - prefix_ - suffix_; }
    bool has_row_numbers() const { return has_numbers_; }

    // Tries every grid of as many cells as rows, and as rows behind or before tokens such as CLS,
    // which do not rotate.
    bool on_a_grid() {
        const auto [before, behind] = rows_at_rest();
        // the first cell of a grid may be at rest, too
        const std::uint64_t but_one = before - std::min<std::uint64_t>(before, 1);
        if (on_a_grid_of_all()) return true;
        for (const auto& [prefix, suffix] :
             {std::pair<std::uint64_t, std::uint64_t>(before, 0), {but_one, 0}, {0, behind}}) {
            prefix_ = prefix;
            suffix_ = suffix;
            if (prefix + suffix > 0 && on_a_grid_of_all()) return true;
        }
        prefix_ = suffix_ = 0;
        return false;
    }

    // Tries other units of the positions that are given, as DINOv3 has them.
    void in_another_unit() {
        if (own_.size() == 1 && axes_ == 2) return from_flat_ids();
        bool are_whole = true, are_within = true;
        for (const auto& on_axis : own_)
            for (const double m : on_axis) {
                are_whole = are_whole && m == std::floor(m) && m >= 0;
                are_within = are_within && std::abs(m) <= 1;
            }
        if (!are_whole && !are_within) return;
        OnAxes scaled = own_;
        for (auto& on_axis : scaled) {
            const double cells = *std::ranges::max_element(on_axis) + 1;
            for (double& m : on_axis)
                m = 2 * std::numbers::pi * (are_whole ? (2 * m + 1) / cells - 1 : m);
        }
        const std::string how =
            are_whole ? "; 2π times the centres of these cells between −1 and 1, as DINOv3 takes "
                        "them"
                      : "; 2π times these coordinates, as DINOv3 takes them";
        if (!follow(scaled, how) && has_coordinates()) move_rows(dump_, scaled, how);
    }

    // Whether the positions are coordinates that the config's class multiplies by 2π.
    bool has_coordinates() const {
        return rows_come_first_ && !has_numbers_ && std::ranges::all_of(own_, [](const auto& axis) {
                   return std::ranges::all_of(axis, [](double m) { return std::abs(m) <= 1; });
               });
    }

  private:
    // The numbers of rows at the start and at the end of the sequence that are equal before and
    // after the rotation, in every head.
    std::pair<std::uint64_t, std::uint64_t> rows_at_rest() const {
        const auto* vectors = std::get_if<RotatedDump>(&dump_);
        if (vectors == nullptr) return {0, 0};
        std::uint64_t first = sequence_.length, end = 0;
        for (std::uint64_t row = 0; row < rows_; ++row) {
            bool is_equal = true;
            for (std::uint64_t i = 0; i < spec_.head_dim && is_equal; ++i)
                is_equal = vectors->before.at(row, i) == vectors->after.at(row, i);
            if (is_equal) continue;
            first = std::min(first, sequence_.of(row));
            end = std::max(end, sequence_.of(row) + 1);
        }
        return {first, sequence_.length - end};
    }

    bool on_a_grid_of_all() {
        for (const bool has_coordinates : {false, true})
            for (const bool is_transposed : {false, true}) {
                if (axes_ != 2 && (is_transposed || has_coordinates)) continue;
                if (rows_come_first_ && is_transposed) continue;
                for (std::uint64_t width = 2; width <= length(); ++width) {
                    if (length() % width != 0) continue;
                    for (std::uint64_t height = 1; height <= length() / width; ++height) {
                        const std::uint64_t frames = length() / width / height;
                        if (frames * width * height != length() || (axes_ == 2 && frames > 1))
                            continue;
                        const Grid grid{{frames, height, width}, is_transposed, has_coordinates};
                        if (may_be(grid) && follow(grid)) return true;
                    }
                }
            }
        return false;
    }

    // Whether some rows are at their places. The last rows of a line, of a frame and of all depend
    // on one length more each.
    bool may_be(const Grid& grid) const {
        const std::uint64_t width = grid.lengths[2], in_frame = grid.lengths[1] * width;
        return (grid.has_coordinates
                    ? is_at(grid, 0)
                    : is_at(grid, width - 1) && (width == length() || is_at(grid, width)) &&
                          is_at(grid, in_frame - 1)) &&
               is_at(grid, length() - 1);
    }

    bool is_at(const Grid& grid, std::uint64_t index) const {
        const std::uint64_t row = (prefix_ + index) * sequence_.stride;
        Dump single = dump_;
        if (auto* vectors = std::get_if<RotatedDump>(&single)) {
            vectors->before = vectors->before.from(row);
            vectors->after = vectors->after.from(row);
            vectors->other.reset();
            vectors->padding = 0;
        } else if (auto* table = std::get_if<TableDump>(&single)) {
            table->cos = table->cos.from(row);
            table->sin = table->sin.from(row);
        }
        visit_rows(single, [](auto& rows) { rows.grid = {}; });
        OnAxes on_axes;
        for (const double at : grid.place(index, axes_)) on_axes.push_back({at});
        move_to(single, on_axes);
        try {
            return rotates_by(spec_, single);
        } catch (const InputError&) {  // a row of zeros
            return true;
        }
    }

    bool follow(const OnAxes& on_axes, const std::string& how) {
        Dump moved = dump_;
        move_rows(moved, on_axes, how);
        if (!rotates_by(spec_, moved)) return false;
        dump_ = std::move(moved);
        return true;
    }

    // Row ids h·W + w of a grid, as Pixtral has them, become (h, w).
    void from_flat_ids() {
        const std::vector<double>& ids = own_.front();
        std::size_t row = 1;
        while (row < ids.size() && ids[row] == ids[row - 1] + 1) ++row;
        const double width = row < ids.size() ? ids[row] - ids.front() : 0;
        if (!(width > 1)) return;
        OnAxes on_axes(2);
        for (const double id : ids) {
            on_axes[0].push_back(std::floor(id / width));
            on_axes[1].push_back(id - width * on_axes[0].back());
        }
        follow(on_axes, "; rows and columns of ids in lines of " + decimal(width));
    }

    static void move_rows(Dump& moved, const OnAxes& on_axes, const std::string& how) {
        move_to(moved, on_axes);
        visit_rows(moved, [&](auto& rows) {
            Assumption& read = assumption_named(rows.read_as, "positions");
            read.value = positions_read(rows.positions, rows.more_positions, {}).value;
            const bool is_of_ids = how.starts_with(';');
            read.from = is_of_ids ? read.from + how : how;
            read.are_row_numbers = read.are_row_numbers && is_of_ids;
        });
    }

    bool follow(const Grid& grid) {
        OnAxes on_axes(axes_);
        for (std::uint64_t row = 0; row < rows_; ++row) {
            const std::uint64_t at = sequence_.of(row);
            const auto place = at < prefix_ || at >= prefix_ + length()
                                   ? std::vector<double>(axes_)
                                   : grid.place(at - prefix_, axes_);
            for (std::size_t axis = 0; axis < axes_; ++axis) on_axes[axis].push_back(place[axis]);
        }
        return follow(on_axes,
                      "the grid of " + grid.words(axes_) + " that the values follow" +
                          (prefix_ + suffix_ == 0
                               ? ""
                               : (prefix_ > 0 ? ", behind " : ", before ") +
                                     decimal(prefix_ + suffix_) + " rows that do not rotate"));
    }

    Dump& dump_;
    const Spec& spec_;
    std::size_t axes_;
    bool rows_come_first_;  // of two axes, by the model's class
    std::uint64_t rows_ = 0;
    RowAxis sequence_{1, 1};
    std::uint64_t prefix_ = 0, suffix_ = 0;  // rows around those of the grid, which do not rotate
    OnAxes own_;                             // positions that are given, on each axis
    bool has_numbers_ = false;
};

// Whether every value is 0 or none is finite, which is wrong at any position.
bool is_empty(const Dump& dump) {
    const auto are_lost = [](const StridedRows& values, std::uint64_t rows, std::uint64_t columns) {
        bool are_zero = true, are_infinite = true;
        for (std::uint64_t k = 0; k < rows * columns; ++k) {
            const double value = values.at(k / columns, k % columns);
            are_zero = are_zero && value == 0;
            are_infinite = are_infinite && !std::isfinite(value);
            if (!are_zero && !are_infinite) return false;
        }
        return true;
    };
    if (const auto* table = std::get_if<TableDump>(&dump))
        return are_lost(table->cos, table->positions.size(), table->pairs) &&
               are_lost(table->sin, table->positions.size(), table->pairs);
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    return vectors != nullptr &&
           are_lost(vectors->after, vectors->positions.size(), head_dim_of(*vectors));
}

// Places the rows if the Spec's positions have several axes and the file's do not explain every
// value. Rows of text are placed only if the file `has_images`.
//   row numbers            become the frames × rows × columns that explain every value
//   coordinates in [−1, 1] are multiplied by 2π, as in DINOv3, if that explains every value
//   rows and columns       become such coordinates of their centres, if that explains every value
// Throws InputError that asks for positions where there are only row numbers and no grid fits.
void place_on_axes(NamedDump& one, const ResolvedSpec& asked, bool has_images) {
    const Spec& spec = asked.spec;
    if (!(has_images || are_of_images(spec.axes.scheme)) ||
        std::holds_alternative<FrequencyDump>(one.dump))
        return;
    Placing placing(one.dump, asked);
    if (!placing.has_coordinates() && rotates_by(spec, one.dump)) return;
    if (!placing.has_row_numbers()) {
        placing.in_another_unit();
        return;
    }
    if (placing.on_a_grid() || is_empty(one.dump)) return;
    throw InputError(one.name + ": the config's positions have " + decimal(axis_count(spec.axes)) +
                     " axes, the file has no ids of its rows, and no grid of its " +
                     decimal(placing.length()) +
                     " rows explains the values; pass the positions of the rows as position_ids "
                     "or with --positions, such as [rows, axes]");
}

// Throws InputError with advice if the positions have more axes than the config's text, as those
// of image patches. Vectors that are read by the Spec have its axes or one.
void require_axes(const NamedDump& one, const ResolvedSpec& asked) {
    const auto* vectors = std::get_if<RotatedDump>(&one.dump);
    if (vectors == nullptr || asked.facts.tower.empty()) return;
    const std::size_t axes = vectors->more_positions.size() + 1;
    if (axes == 1 || axes == axis_count(asked.spec.axes)) return;
    throw InputError(one.name + ": its positions have " + decimal(axes) +
                     " axes, those of the config's text " + decimal(axis_count(asked.spec.axes)) +
                     "; check heads of the vision tower with " + asked.facts.tower +
                     ", without the config");
}

bool is_unchanged(const RotatedDump& dump) {
    const std::uint64_t dimensions = head_dim_of(dump);
    for (std::uint64_t row = 0; row < dump.positions.size(); ++row)
        for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension)
            if (dump.before.at(row, dimension) != dump.after.at(row, dimension)) return false;
    return true;
}

// Where some layers of the config do not rotate and no layer is known, throws InputError if no
// vector is rotated, and else adds {"still_layers", "layers 3, 7, …, 35", …} to the last vectors.
void require_layer(std::vector<NamedDump>& dumps, const ResolvedSpec& asked) {
    RotatedDump* last = nullptr;
    bool are_unchanged = true;
    for (NamedDump& one : dumps)
        if (auto* vectors = std::get_if<RotatedDump>(&one.dump)) {
            last = vectors;
            are_unchanged =
                are_unchanged && !is_at_zero(vectors->positions) && is_unchanged(*vectors);
        } else {
            are_unchanged = false;  // a table or inv_freq has a verdict of any layer
        }
    if (last == nullptr || asked.still_layers.empty()) return;
    if (are_unchanged)
        throw InputError(last->origin + ": no row is rotated, which is right in " +
                         asked.still_layers +
                         " of the config and wrong in the others; name the layer of the dump with "
                         "--layers N");
    last->read_as.push_back({"still_layers", asked.still_layers,
                             "by the config " + asked.still_layers +
                                 " must not rotate; --layers N checks a dump as that of layer N"});
}

}  // namespace

void require_place(const std::vector<NamedDump>& dumps,
                   const std::function<bool(const NamedDump&)>& follow) {
    const auto k = std::ranges::find(dumps, "k", &NamedDump::name);
    for (const NamedDump& one : dumps) {
        const auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr || k == dumps.end() || &one == &*k) continue;
        const auto read = std::ranges::find(vectors->read_as, "positions", &Assumption::what);
        if (read->from != last_rows_of_k || follow(one) || !follow(*k)) continue;
        RotatedDump moved = *vectors;
        const double first = std::ranges::min(moved.positions);
        for (double& m : moved.positions) m -= first;
        const double last = std::ranges::max(moved.positions);
        if (last == 0 || !follow({one.name, moved, one.dimensions})) continue;
        const auto at = [&](double start) { return decimal(start) + "–" + decimal(start + last); };
        throw InputError(one.name + ": its rows follow the config at positions " + at(0) +
                         ", and the file does not say whether they are the last rows of k, at " +
                         at(first) +
                         ", or of cross attention; pass the positions of a step with --positions, "
                         "or check cross attention in two parts, by q=NAME and q_rot=NAME and by "
                         "k=NAME and k_rot=NAME");
    }
}

std::vector<NamedDump> load_dump_by(DumpTensors& tensors, DumpHints hints, ResolvedSpec& asked) {
    if (auto whole = with_nope_dimensions(tensors, hints, asked)) asked = *std::move(whole);
    const DumpHints plain = hints;
    hints.spec = asked.spec;
    const ConfigFacts& facts = asked.facts;
    hints.tower = facts.tower;
    hints.index_heads = {facts.index_heads, facts.index_head_dim};
    if (asked.spec.rotary_dim == asked.spec.head_dim) hints.nope_dimensions = facts.nope_dimensions;
    if (facts.heads != 0) hints.heads = {facts.heads};
    if (facts.key_heads != 0) hints.key_heads = {facts.key_heads, facts.heads};
    std::vector<NamedDump> dumps;
    try {
        hints.follows = [&](const Dump& dump) { return follows(asked.spec, dump); };
        dumps = load_dump(tensors, hints);
        for (NamedDump& one : dumps) add_still_pairs(one, asked.spec);
    } catch (const InputError&) {
        if (auto part = rotating_part(asked)) try {
                DumpHints of_part = plain;
                of_part.splits_heads = false;
                auto found = load_dump_by(tensors, of_part, *part);
                if (std::ranges::any_of(found, holds_vectors)) {
                    asked = *std::move(part);
                    return found;
                }
            } catch (const InputError&) {  // the vectors are of another width
            }
        dumps = load_if_it_fits(tensors, plain);
        for (NamedDump& one : dumps) add_still_pairs(one, asked.spec);
        const auto is_usable = [&](const NamedDump& one) {
            return fits(asked.spec, one) || has_other_rotary_dim(asked.spec, one);
        };
        if (dumps.empty() || !std::ranges::all_of(dumps, is_usable)) throw;
        for (const NamedDump& one : dumps) require_axes(one, asked);
        return dumps;
    }
    require_place(dumps, [&](const NamedDump& one) { return follows(asked.spec, one.dump); });
    require_layer(dumps, asked);
    for (NamedDump& one : dumps)
        if (axis_count(asked.spec.axes) > 1 && fits(asked.spec, one))
            place_on_axes(one, asked, tensors.first_of(Usual::grid_sizes).has_value());
    return dumps;
}

void choose_table_of(ResolvedSpec& resolved, const NamedDump& dump, std::uint64_t context) {
    if (dump.seq_len) return choose_table(resolved, *dump.seq_len, "the dump's two tables");
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump.dump))
        return context != 0 ? choose_table(resolved, context, "--context")
                            : choose_nearest_table(resolved, frequencies->inv_freq);
    if (const auto& positions = rows_of(dump.dump)->positions; !positions.empty())
        choose_table(resolved, context_of(positions), "the dump's last position");
}

}  // namespace rope::io
