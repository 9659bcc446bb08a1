// Finds the places of an image's or a video's patches, whose file has no ids that explain its
// values.

#include "base/decimal.hpp"
#include "io/subject/subject.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
namespace {

using OnAxes = std::vector<std::vector<double>>;

// How cells are counted. From 1, as in Llama 4's images, needs a token that does not rotate: that
// token is at 0. Around 0, as in Qwen-Image, n cells begin at −⌈n/2⌉; frames count from 0. Centres
// are 2π times the centres of cells between −1 and 1, as in DINOv3.
enum class Cells { from_0, from_1, around_0, centres };

// A grid of frames, rows and columns. Two axes are (row, column) or (column, row); a fourth axis
// counts text and is 0 in an image, as in FLUX.2. Blocks of 2 × 2 cells follow each other in
// Qwen2-VL.
struct Grid {
    std::array<std::uint64_t, 3> lengths{1, 1, 1};
    Cells cells = Cells::from_0;
    bool is_transposed = false;
    const CellOrder* order = &cell_orders().front();

    double at(std::size_t axis, std::uint64_t index) const {
        const auto cell = static_cast<double>(index), length = static_cast<double>(lengths[axis]);
        if (cells == Cells::centres) return 2 * std::numbers::pi * ((2 * cell + 1) / length - 1);
        if (cells == Cells::around_0) return axis == 0 ? cell : cell - std::ceil(length / 2);
        return cells == Cells::from_1 ? cell + 1 : cell;
    }
    // The places of all cells, in the order of the rows.
    std::vector<std::vector<double>> places(std::size_t axes) const {
        std::vector<std::vector<double>> all;
        const std::vector<CellOrder::Cell> of_frame = order->cells(lengths[1], lengths[2]);
        for (std::uint64_t frame = 0; frame < lengths[0]; ++frame)
            for (const auto& [line, column] : of_frame) {
                std::vector<double>& at_all = all.emplace_back();
                if (axes > 2) at_all.push_back(at(0, frame));
                at_all.push_back(at(1, line));
                at_all.push_back(at(2, column));
                if (is_transposed) std::swap(at_all[0], at_all[1]);
                at_all.resize(axes);
            }
        return all;
    }
    std::string words(std::size_t axes) const {
        static constexpr const char* counted[] = {"", ", counted from 1", ", counted around 0",
                                                  ", 2π times their centres between −1 and 1"};
        return (axes > 2 ? decimal(lengths[0]) + " × " : "") + decimal(lengths[1]) + " × " +
               decimal(lengths[2]) +
               (axes > 2 ? " frames, rows and columns" : " rows and columns") +
               (axes == 2 && lengths[0] > 1 ? " in each of " + decimal(lengths[0]) + " frames"
                                            : "") +
               (is_transposed ? ", columns first" : "") + order->words +
               counted[static_cast<std::size_t>(cells)];
    }
};

// Finds the places on several axes that explain every value, of a table or vectors.
class Placing {
  public:
    Placing(Dump& dump, const ResolvedSpec& asked, const std::optional<NamedArray>& grids)
        : dump_(dump),
          spec_(asked.spec),
          grids_(grids),
          axes_(axis_count(spec_.axes)),
          facts_(asked.facts),
          rows_come_first_(facts_.has("rows_first")) {
        const DumpedRows all = *rows_of(dump);
        rows_ = all.positions.size();
        sequence_ = sequence_of(all);
        own_ = all.more_positions;
        own_.insert(own_.begin(), all.positions);
        has_numbers_ = find_assumption(all.read_as, "positions")->are_row_numbers;
    }

    // Rows of the sequence behind the prefix tokens.
    std::uint64_t length() const { return sequence_.length - prefix_ - suffix_; }
    bool has_row_numbers() const { return has_numbers_; }

    // Tries every grid of as many cells as rows, and as rows behind or before tokens such as CLS,
    // which do not rotate.
    bool on_a_grid() {
        if (on_a_grid_of_sequences()) return true;
        // a table [rows, columns, d] is one grid, not a batch
        if (!std::holds_alternative<TableDump>(dump_) || sequence_.length == rows_) return false;
        const RowAxis of_batch = std::exchange(sequence_, RowAxis{rows_, 1});
        if (on_a_grid_of_sequences()) return true;
        sequence_ = of_batch;
        return false;
    }

    bool on_a_grid_of_sequences() {
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

    // Moves rows to the places of another dump, if its sequences are as long, or longer or shorter
    // by tokens that do not rotate.
    bool at_places_of(const Dump& placed) {
        const auto rows = rows_of(placed);
        if (!rows || rows->axes() != axes_) return false;
        const RowAxis sequence = sequence_of(*rows);
        OnAxes places(sequence.length);
        for (std::uint64_t row = 0; row < rows->positions.size(); ++row)
            places[sequence.of(row)] = rows->position(row);
        if (std::ranges::any_of(places, &std::vector<double>::empty)) return false;
        const std::vector<double> at_rest(axes_);
        const auto is_at_0 = [&](const std::vector<double>& place) { return place == at_rest; };
        if (sequence_.length < places.size()) {
            const auto more = static_cast<std::ptrdiff_t>(places.size() - sequence_.length);
            const bool are_first = std::all_of(places.begin(), places.begin() + more, is_at_0);
            if (!are_first && !std::all_of(places.end() - more, places.end(), is_at_0))
                return false;
            const auto first = are_first ? places.begin() : places.end() - more;
            places.erase(first, first + more);
        } else if (const std::uint64_t more = sequence_.length - places.size(); more > 0) {
            const auto [before, behind] = rows_at_rest();
            if (before < more && behind < more) return false;
            places.insert(before >= more ? places.begin() : places.end(), more, at_rest);
        }
        OnAxes on_axes(axes_);
        for (std::uint64_t row = 0; row < rows_; ++row)
            for (std::size_t axis = 0; axis < axes_; ++axis)
                on_axes[axis].push_back(places[sequence_.of(row)][axis]);
        move_rows(dump_, on_axes, find_assumption(rows->read_as, "positions")->from);
        return true;
    }

    // Moves the grid behind the tokens that do not rotate, if the model's class has them first.
    // Else returns a warning if such tokens follow the grid: if they came first, every patch would
    // be rotated for the place of a later one.
    std::optional<Lint> order_tokens() {
        if (suffix_ == 0) return std::nullopt;
        if (!facts_.has("tokens_first"))
            return Lint{
                "tokens-last", Severity::warning, "positions",
                (suffix_ == 1 ? "the last row does" : "the last " + decimal(suffix_) + " rows do") +
                    std::string(" not rotate; if the model has its class token or registers first, "
                                "each patch is rotated for the place of the ") +
                    (suffix_ == 1 ? "next patch" : "patch " + decimal(suffix_) + " rows later") +
                    ": check it with --positions"};
        prefix_ = std::exchange(suffix_, 0);
        move_rows(dump_, on_axes_of(*found_),
                  "the grid of " + found_->words(axes_) + behind_tokens() + " in this class");
        return std::nullopt;
    }

    // Tries other units of the positions that are given, as DINOv3 has them.
    void in_another_unit() {
        if (own_.size() == 1 && axes_ == 2) return from_flat_ids();
        const bool are_whole = all_are(is_cell);
        if (!are_whole && !all_are(is_coordinate)) return;
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
        if (!follow(scaled, how) && are_in_another_unit()) move_rows(dump_, scaled, how);
    }

    // Whether the positions are cells or coordinates, which the config's class multiplies by 2π.
    bool are_in_another_unit() const {
        return rows_come_first_ && (all_are(is_cell) || all_are(is_coordinate));
    }

  private:
    static bool is_cell(double m) { return m == std::floor(m) && m >= 0; }
    static bool is_coordinate(double m) { return std::abs(m) <= 1; }
    bool all_are(bool (*is)(double)) const { return rows_of(dump_)->are_all(is); }

    // Of rows of heads or a batch; else all rows are one sequence.
    static RowAxis sequence_of(const DumpedRows& rows) {
        const RowAxis& own = rows.grid.sequence;
        return own.length > 1 ? own : RowAxis{rows.positions.size(), 1};
    }

    // The numbers of rows at the start and at the end of the sequence that do not rotate, in every
    // head.
    std::pair<std::uint64_t, std::uint64_t> rows_at_rest() const {
        std::uint64_t first = sequence_.length, end = 0;
        for (std::uint64_t row = 0; row < rows_; ++row) {
            if (is_at_rest(row)) continue;
            first = std::min(first, sequence_.of(row));
            end = std::max(end, sequence_.of(row) + 1);
        }
        return {first, sequence_.length - end};
    }

    bool is_at_rest(std::uint64_t row) const {
        const auto* vectors = std::get_if<RotatedDump>(&dump_);
        const auto* table = std::get_if<TableDump>(&dump_);
        const std::uint64_t columns = vectors != nullptr ? spec_.head_dim : spec_.pairs();
        for (std::uint64_t i = 0; i < columns; ++i)
            if (vectors != nullptr ? vectors->before.at(row, i) != vectors->after.at(row, i)
                                   : table->cos.at(row, i) != 1 || table->sin.at(row, i) != 0)
                return false;
        return true;
    }

    // Grids without lengths, in the order in which they are tried.
    std::vector<Grid> kinds() const {
        if (axes_ > 2 && facts_.has("counts_around_0")) return {{.cells = Cells::around_0}};
        if (axes_ > 2 && facts_.model_type.empty()) return {{}, {.cells = Cells::around_0}};
        if (axes_ > 2) return {{}};
        if (rows_come_first_) return {{.cells = Cells::centres}};
        std::vector<Grid> all;
        for (const Cells cells : {Cells::from_0, Cells::from_1, Cells::centres}) {
            if (cells == Cells::from_1 && prefix_ + suffix_ == 0) continue;
            all.push_back({.cells = cells});
            all.push_back({.cells = cells, .is_transposed = true});
        }
        for (const CellOrder& order : cell_orders())
            if (order.block > 1) all.push_back({.order = &order});
        return all;
    }

    // Whether all of the file's grids are this one, or this one with 2 × 2 patches for each token;
    // true without such an array.
    bool is_stated(const Grid& grid) const {
        if (!grids_ || grids_->array.shape.empty() || grids_->array.shape.back() != 3) return true;
        const auto& [frames, lines, columns] = grid.lengths;
        for (std::uint64_t row = 0; row < grids_->array.size(); row += 3) {
            const auto is = [&](std::uint64_t patches) {
                return grids_->array.at(row) == static_cast<double>(frames) &&
                       grids_->array.at(row + 1) == static_cast<double>(patches * lines) &&
                       grids_->array.at(row + 2) == static_cast<double>(patches * columns);
            };
            if (!is(1) && !is(2)) return false;
        }
        return true;
    }

    bool on_a_grid_of_all() {
        for (Grid grid : kinds())
            for (std::uint64_t width = 2; width <= length(); ++width) {
                if (length() % width != 0) continue;
                for (std::uint64_t height = 1; height <= length() / width; ++height) {
                    const std::uint64_t frames = length() / width / height;
                    grid.lengths = {frames, height, width};
                    if (frames * width * height != length() || !is_stated(grid) ||
                        height % grid.order->block != 0 || width % grid.order->block != 0)
                        continue;
                    if (follow(grid)) return true;
                }
            }
        return false;
    }

    bool follow(const OnAxes& on_axes, const std::string& how) {
        Dump moved = dump_;
        move_rows(moved, on_axes, how);
        if (!rotates_by(spec_, moved)) return false;
        dump_ = std::move(moved);
        return true;
    }

    // Row ids h·W + w of a grid, as Pixtral has them, become (h, w); those of whole rectangles also
    // if the values do not follow them.
    void from_flat_ids() {
        const std::vector<double>& ids = own_.front();
        const std::set<double> cells(ids.begin(), ids.end());
        double width = 1;  // up to the first cell of the next line, if there is one
        for (const double id : cells) {
            if (id > *cells.begin() + width) {
                width = id - *cells.begin();
                break;
            }
            width = id - *cells.begin() + 1;
        }
        if (!(width > 1)) return;
        OnAxes on_axes(2);
        for (const double id : ids) {
            on_axes[0].push_back(std::floor(id / width));
            on_axes[1].push_back(id - width * on_axes[0].back());
        }
        const auto [least_row, least_column] =
            std::pair(std::ranges::min(on_axes[0]), std::ranges::min(on_axes[1]));
        const auto has_cells_before = [&](double id) {
            const double row = std::floor(id / width), column = id - width * row;
            return (row == least_row || cells.contains(id - width)) &&
                   (column == least_column || cells.contains(id - 1));
        };
        // or of several images
        const bool is_rectangle = *cells.rbegin() >= *cells.begin() + width &&
                                  std::ranges::all_of(cells, has_cells_before);
        const std::string how = "; rows and columns of ids in lines of " + decimal(width);
        if (!follow(on_axes, how) && is_rectangle) move_rows(dump_, on_axes, how);
    }

    static void move_rows(Dump& moved, const OnAxes& on_axes, const std::string& how) {
        const auto move = [&](auto& rows) {
            rows.positions = on_axes.front();
            rows.more_positions.assign(on_axes.begin() + 1, on_axes.end());
            Assumption& read = assumption_named(rows.read_as, "positions");
            read.value = positions_read(rows.positions, rows.more_positions, {}).value;
            const bool is_of_ids = how.starts_with(';');
            read.from = is_of_ids ? read.from + how : how;
            read.are_row_numbers = read.are_row_numbers && is_of_ids;
        };
        if (auto* table = std::get_if<TableDump>(&moved)) move(*table);
        if (auto* vectors = std::get_if<RotatedDump>(&moved)) move(*vectors);
    }

    OnAxes on_axes_of(const Grid& grid) const {
        OnAxes on_axes(axes_);
        const std::vector<std::vector<double>> places = grid.places(axes_);
        for (std::uint64_t row = 0; row < rows_; ++row) {
            const std::uint64_t at = sequence_.of(row) - prefix_;  // wraps before the grid
            for (std::size_t axis = 0; axis < axes_; ++axis)
                on_axes[axis].push_back(at < places.size() ? places[at][axis] : 0);
        }
        return on_axes;
    }

    // ", behind 5 rows that do not rotate"; empty without such rows.
    std::string behind_tokens() const {
        const std::uint64_t rows = prefix_ + suffix_;
        if (rows == 0) return "";
        return (prefix_ > 0 ? ", behind " : ", before ") + decimal(rows) +
               (rows == 1 ? " row that does not rotate" : " rows that do not rotate");
    }

    bool follow(const Grid& grid) {
        found_ = grid;
        return follow(on_axes_of(grid), "the grid of " + grid.words(axes_) +
                                            " that the values follow" + behind_tokens());
    }

    Dump& dump_;
    const Spec& spec_;
    const std::optional<NamedArray>& grids_;  // frames, rows and columns of each, [n, 3]
    std::size_t axes_;
    const ConfigFacts& facts_;
    bool rows_come_first_;  // of two axes, by the model's class
    std::uint64_t rows_ = 0;
    RowAxis sequence_{1, 1};
    std::uint64_t prefix_ = 0, suffix_ = 0;  // rows around those of the grid, which do not rotate
    OnAxes own_;                             // positions that are given, on each axis
    bool has_numbers_ = false;
    std::optional<Grid> found_ = {};  // the last that was tried
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

}  // namespace

bool is_on_a_grid(const Dump& dump) {
    const auto rows = rows_of(dump);
    return rows && std::ranges::any_of(rows->more_positions,
                                       [&](const auto& axis) { return axis != rows->positions; });
}

void place_on_axes(NamedDump& one, ResolvedSpec& asked, const std::optional<NamedArray>& grids,
                   const NamedDump* placed) {
    const Spec& spec = asked.spec;
    if (!(grids || are_of_images(spec.axes)) || holds<FrequencyDump>(one)) return;
    Placing placing(one.dump, asked, grids);
    if (!placing.are_in_another_unit() && rotates_by(spec, one.dump)) {
        // next to rows of an image, as many rows of text are of the image, too
        if (placed != nullptr && is_on_a_grid(placed->dump) && placing.has_row_numbers())
            (void)placing.at_places_of(placed->dump);
        return;
    }
    if (!placing.has_row_numbers()) {
        placing.in_another_unit();
        return;
    }
    if (placed != nullptr && placing.at_places_of(placed->dump)) return;
    if (placing.on_a_grid()) {
        const auto warning = placing.order_tokens();
        if (warning && std::ranges::count(asked.lint, *warning) == 0)
            asked.lint.push_back(*warning);
        return;
    }
    if (is_empty(one.dump)) return;
    throw InputError(one.name + ": the config's positions have " + decimal(axis_count(spec.axes)) +
                     " axes, the file has no ids of its rows, and no grid of its " +
                     decimal(placing.length()) +
                     " rows explains the values; pass the positions of the rows as position_ids "
                     "or with --positions, such as [rows, axes]");
}

}  // namespace rope::io
