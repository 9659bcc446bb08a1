#include "io/subject/placed_on_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/axis.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {
namespace {

using OnAxes = std::vector<std::vector<double>>;

// Frames, rows and columns; two axes are (row, column), or the other way about.
struct Grid {
    std::array<std::uint64_t, 3> lengths{1, 1, 1};
    bool is_transposed = false;
    bool has_coordinates = false;  // of the centres, from −1 to 1, times 2π

    double at(std::size_t axis, std::uint64_t index) const {
        if (!has_coordinates) return static_cast<double>(index);
        const auto length = static_cast<double>(lengths[axis]);
        return 2 * std::numbers::pi * ((2 * static_cast<double>(index) + 1) / length - 1);
    }
    std::vector<double> place(std::uint64_t row, std::size_t axes) const {
        const std::uint64_t column = row % lengths[2], line = row / lengths[2] % lengths[1];
        std::vector<double> at_all;
        if (axes == 3) at_all.push_back(at(0, row / lengths[2] / lengths[1]));
        at_all.push_back(at(1, line));
        at_all.push_back(at(2, column));
        if (is_transposed) std::swap(at_all[axes - 2], at_all[axes - 1]);
        return at_all;
    }
    std::string words(std::size_t axes) const {
        return (axes == 3 ? decimal(lengths[0]) + " × " : "") + decimal(lengths[1]) + " × " +
               decimal(lengths[2]) +
               (axes == 3 ? " frames, rows and columns" : " rows and columns") +
               (is_transposed ? ", columns first" : "") +
               (has_coordinates ? ", 2π times their centres between −1 and 1" : "");
    }
};

bool are_of_images_alone(AxisScheme scheme) {
    return scheme == AxisScheme::axial || scheme == AxisScheme::blocks ||
           scheme == AxisScheme::even_odd || scheme == AxisScheme::alternating;
}

void move_to(NamedDump& one, OnAxes on_axes) {
    std::visit(
        [&](auto& dump) {
            if constexpr (requires { dump.more_positions; }) {
                dump.positions = std::move(on_axes.front());
                dump.more_positions.assign(on_axes.begin() + 1, on_axes.end());
            }
        },
        one.dump);
}

// The rows of one sequence: which they are of a table or of vectors, and how many.
struct SequenceRows {
    RowAxis axis;
    std::uint64_t rows;
};
SequenceRows rows_of(const NamedDump& one) {
    return std::visit(
        [](const auto& dump) {
            if constexpr (requires { dump.grid; }) {
                const std::uint64_t rows = dump.positions.size();
                const RowAxis own = dump.grid.sequence;
                return SequenceRows{own.length > 1 ? own : RowAxis{rows, 1}, rows};
            } else {
                return SequenceRows{{1, 1}, 0};
            }
        },
        one.dump);
}

// One row at a place.
bool is_row_at(const NamedDump& one, const Spec& spec, std::uint64_t row,
               const std::vector<double>& place) {
    NamedDump single = one;
    std::visit(
        [&](auto& dump) {
            if constexpr (requires { dump.before; }) {
                dump.before = dump.before.from(row);
                dump.after = dump.after.from(row);
                dump.other.reset();
                dump.padding = 0;
            } else if constexpr (requires { dump.cos; }) {
                dump.cos = dump.cos.from(row);
                dump.sin = dump.sin.from(row);
            }
            if constexpr (requires { dump.grid; }) dump.grid = {};
        },
        single.dump);
    OnAxes on_axes;
    for (const double at : place) on_axes.push_back({at});
    move_to(single, std::move(on_axes));
    try {
        return rotates_by(spec, single.dump);
    } catch (const InputError&) {  // a row of zeros
        return true;
    }
}

class Placing {
  public:
    Placing(NamedDump& one, const Spec& spec)
        : one_(one), spec_(spec), of_(rows_of(one)), axes_(axis_count(spec.axes)) {}

    // Whether a grid explains every value, which then gives the places.
    bool on_a_grid() {
        for (const bool has_coordinates : {false, true})
            for (const bool is_transposed : {false, true}) {
                if (is_transposed && axes_ != 2) continue;
                Grid grid{{1, 1, 1}, is_transposed, has_coordinates};
                if (has_coordinates ? at_centres(grid) : at_corners(grid)) return true;
            }
        return false;
    }

    // Positions that are given in another unit.
    bool in_another_unit() {
        OnAxes own = positions();
        bool are_whole = true, are_within = true;
        for (const auto& on_axis : own)
            for (const double m : on_axis) {
                are_whole = are_whole && m == std::floor(m) && m >= 0;
                are_within = are_within && std::abs(m) <= 1;
            }
        if (are_within && !are_whole)
            return follow(scaled(own, 2 * std::numbers::pi),
                          "; 2π times these coordinates, as DINOv3 takes them");
        if (!are_whole) return false;
        for (auto& on_axis : own) {
            const double length = *std::ranges::max_element(on_axis) + 1;
            for (double& m : on_axis) m = 2 * std::numbers::pi * ((2 * m + 1) / length - 1);
        }
        return follow(
            std::move(own),
            "; 2π times the centres of these cells between −1 and 1, as DINOv3 takes them");
    }

  private:
    bool is_at(const Grid& grid, std::uint64_t index) const {
        return is_row_at(one_, spec_, index * of_.axis.stride, grid.place(index, axes_));
    }

    bool follow(OnAxes on_axes, const std::string& how) {
        NamedDump moved = one_;
        move_to(moved, std::move(on_axes));
        if (!rotates_by(spec_, moved.dump)) return false;
        std::visit(
            [&](auto& dump) {
                Assumption& read = assumption_named(dump.read_as, "positions");
                if constexpr (requires { dump.more_positions; })
                    read.value = positions_read(dump.positions, dump.more_positions, {}).value;
                read.from = how.starts_with(';') ? read.from + how : how;
            },
            moved.dump);
        one_ = std::move(moved);
        return true;
    }

    bool follow(const Grid& grid) {
        OnAxes on_axes(axes_);
        for (std::uint64_t row = 0; row < of_.rows; ++row) {
            const std::vector<double> place = grid.place(of_.axis.of(row), axes_);
            for (std::size_t axis = 0; axis < axes_; ++axis) on_axes[axis].push_back(place[axis]);
        }
        return follow(std::move(on_axes),
                      "the grid of " + grid.words(axes_) + " that the values follow");
    }

    // The last row of a line, of a frame and of all settle one length after the other.
    bool at_corners(Grid grid) {
        const std::uint64_t length = of_.axis.length;
        for (std::uint64_t width = 2; width <= length; ++width) {
            if (length % width != 0) continue;
            grid.lengths = {1, length / width, width};
            if (!is_at(grid, width - 1) || (width < length && !is_at(grid, width))) continue;
            for (std::uint64_t height = 1; height <= length / width; ++height) {
                if (length / width % height != 0 || (axes_ == 2 && height * width != length))
                    continue;
                grid.lengths = {length / width / height, height, width};
                if (is_at(grid, height * width - 1) && is_at(grid, length - 1) && follow(grid))
                    return true;
            }
        }
        return false;
    }

    // Every coordinate depends on the lengths.
    bool at_centres(Grid grid) {
        const std::uint64_t length = of_.axis.length;
        if (axes_ != 2) return false;
        for (std::uint64_t width = 2; width < length; ++width) {
            if (length % width != 0) continue;
            grid.lengths = {1, length / width, width};
            if (is_at(grid, 0) && is_at(grid, length - 1) && follow(grid)) return true;
        }
        return false;
    }

    OnAxes positions() const {
        return std::visit(
            [](const auto& dump) {
                OnAxes all;
                if constexpr (requires { dump.more_positions; }) {
                    all.push_back(dump.positions);
                    all.insert(all.end(), dump.more_positions.begin(), dump.more_positions.end());
                }
                return all;
            },
            one_.dump);
    }

    static OnAxes scaled(OnAxes all, double by) {
        for (auto& on_axis : all)
            for (double& m : on_axis) m *= by;
        return all;
    }

    NamedDump& one_;
    const Spec& spec_;
    SequenceRows of_;
    std::size_t axes_;
};

bool are_row_numbers(const NamedDump& one) {
    return std::visit(
        [](const auto& dump) {
            const auto read = std::ranges::find(dump.read_as, "positions", &Assumption::what);
            return read != dump.read_as.end() && read->from.starts_with("row numbers");
        },
        one.dump);
}

}  // namespace

void place_on_axes(NamedDump& one, const Spec& spec, bool has_images) {
    if (!(has_images || are_of_images_alone(spec.axes.scheme)) ||
        std::holds_alternative<FrequencyDump>(one.dump) || rotates_by(spec, one.dump))
        return;
    Placing placing(one, spec);
    if (!are_row_numbers(one)) {
        placing.in_another_unit();
        return;
    }
    if (placing.on_a_grid()) return;
    throw InputError(one.name + ": the config's positions have " + decimal(axis_count(spec.axes)) +
                     " axes, the file has none, and no grid of its " +
                     decimal(rows_of(one).axis.length) +
                     " rows explains the values; pass the positions of the rows as position_ids "
                     "or with --positions, such as [rows, axes]");
}

}  // namespace rope::io
