// A dump of any kind, with its positions and the arrays that no subject was made of.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "rope/rows/dump.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

bool is_called_cache(const NamedArray& table) {
    return table.name.ends_with("_cache") || table.name.ends_with("_cached");
}

// Whether a table is kept for every position rather than made for the vectors' positions: by its
// name, because no axis is as long as they are, or because it has one sequence and theirs differ.
// Throws InputError if a position has no row.
bool is_cache(const NamedArray& table, const NamedArray& positions, const DumpHints& asked) {
    if (is_called_cache(table)) return true;
    const Shape& shape = table.array.shape;
    if (shape.size() < 2) return false;
    const Shape axes(shape.begin(), shape.end() - 1);
    const NamedArray on_axis = positions_by_axis(positions, asked, axes).front();
    const Shape& ids = on_axis.array.shape;
    const std::uint64_t rows = *std::ranges::max_element(axes);
    const bool is_as_long = std::ranges::find(axes, ids.empty() ? 1 : ids.back()) != axes.end();
    const bool is_one_sequence = std::ranges::count(axes, 1) + 1 == std::ssize(axes);
    if (is_as_long && !(is_one_sequence && ids.size() == 2 && !are_equal(position_ids(on_axis))))
        return false;
    for (std::uint64_t k = 0; k < positions.array.size(); ++k)
        if (const double m = positions.array.at(k);
            !(m >= 0 && m < static_cast<double>(rows) && m == std::floor(m)))
            throw InputError(positions.name + ": value " + decimal(k) + " is " + decimal(m) + "; " +
                             table.name + ", shape " + shape_text(shape) +
                             ", has rows for positions 0 to " + decimal(rows - 1));
    return true;
}

using MaybeArray = std::optional<NamedArray>;

bool is_one_row(const NamedArray& array) {
    return std::ranges::all_of(array.array.shape, [&](std::uint64_t length) {
        return length == 1 || length == array.array.size();
    });
}

// How many rows of the table are of one sequence, if there is one table.
std::optional<std::uint64_t> rows_of_the_table(const std::vector<NamedDump>& dumps) {
    std::optional<std::uint64_t> rows;
    for (const NamedDump& one : dumps)
        if (const auto* table = std::get_if<TableDump>(&one.dump)) {
            if (rows) return std::nullopt;
            const std::uint64_t length = table->grid.sequence.length;
            rows = length > 1 ? length : table->positions.size();
        }
    return rows;
}

// Heads on axes that are not neighbours have no grid, and one row would be a sequence.
bool has_grid(const RotatedDump& dump) {
    const auto& [batch, head, sequence] = dump.grid;
    return batch.length * head.length * sequence.length == dump.positions.size();
}

// The only choice whose rows the fewest known mistakes explain, and its dump; none if no choice
// or several are such.
template <class Read>
auto read_by_mistakes(const std::vector<AxisChoice>& choices, const Read& read,
                      const DumpHints& asked) {
    std::optional<std::pair<const AxisChoice*, decltype(read(choices[0]))>> found;
    std::size_t least = SIZE_MAX;
    if (!asked.mistakes) return found;
    for (const AxisChoice& one : choices) try {
            auto dump = read(one);
            const std::optional<std::size_t> mistakes = asked.mistakes(dump);
            if (!mistakes || *mistakes > least) continue;
            if (*mistakes == least)
                found.reset();
            else
                found.emplace(&one, std::move(dump));
            least = *mistakes;
        } catch (const InputError&) {  // the arrays have other axes
        }
    return found;
}

// Whether every vector is as one at position 0, where cos is 1 or the attention factor and sin is
// 0.
bool are_at_position_0(const Array& before, const Array& after, const DumpHints& asked) {
    constexpr double rounding = 0x1p-7;  // of bfloat16 numbers that are rounded twice
    const std::uint64_t width = asked.spec ? asked.spec->head_dim : 0;
    if (width == 0 || before.shape.back() % width != 0) return before.values() == after.values();
    const Spec& spec = *asked.spec;
    const double factor = plan_frequencies(spec, exact_precision).attention_factor;
    const Vector one(spec.pairs(), 1), scaled(spec.pairs(), factor), zero(spec.pairs(), 0);
    Vector x(width);
    for (std::uint64_t first = 0; first < before.size(); first += width) {
        for (std::uint64_t k = 0; k < width; ++k) x[k] = before.at(first + k);
        const Vector plain = rotate(spec, x, one, zero), wanted = rotate(spec, x, scaled, zero);
        for (std::uint64_t k = 0; k < width; ++k) {
            const double y = after.at(first + k);
            if (y != plain[k] && !(std::abs(y - wanted[k]) <= rounding * std::abs(wanted[k])))
                return false;
        }
    }
    return true;
}

class Loader {
  public:
    Loader(DumpTensors& tensors, const DumpHints& asked)
        : files_(tensors.files()),
          asked_(asked),
          tensors_(tensors),
          stated_(stated_positions(tensors, asked)),
          found_(stated_.front()),
          positions_(found_.ids) {
        has_vectors_ = !files_.q.empty() || !files_.k.empty() || tensors_.vectors(Usual::q) ||
                       tensors_.vectors(Usual::k);
    }

    std::vector<NamedDump> load() {
        load_named();
        const bool are_named = !dumps_.empty();
        if (!are_named) load_usual();
        if (dumps_.empty()) load_only();
        if (dumps_.empty()) throw InputError(tensors_.say_what_is_missing());
        relate_vectors();
        add_remarks(dumps_, tensors_, found_, used_, are_named);
        return std::move(dumps_);
    }

  private:
    void load_named() {
        const MaybeArray cos = tensors_.named(files_.cos), sin = tensors_.named(files_.sin);
        if (cos && sin) add_table(*cos, *sin);
        if (const MaybeArray both = tensors_.named(files_.cos_sin)) add_table(*both, asked_.layout);
        if (const MaybeArray angles = tensors_.named(files_.angles))
            add_table(*angles, CacheLayout::angles);
        const auto both = [&](const std::string& before, const std::string& after) {
            const MaybeArray one = tensors_.named(before), other = tensors_.named(after);
            return one && other ? std::optional(std::pair(*one, *other)) : std::nullopt;
        };
        add_q_and_k(both(files_.q, files_.q_rot), both(files_.k, files_.k_rot));
        if (const MaybeArray inv_freq = tensors_.named(files_.inv_freq)) add_frequencies(*inv_freq);
    }

    void load_usual() {
        if (const auto two = tensors_.first_two_of(Usual::cos_and_sin))
            add_table(two->first, two->second);
        else if (const MaybeArray both = tensors_.first_of(Usual::cos_sin))
            add_table(*both, asked_.layout);
        else if (const MaybeArray angles = usual_angles())
            add_table(*angles, holds_pairs(*angles) ? asked_.layout : CacheLayout::angles);
        add_usual_vectors();
        if (dumps_.empty())
            if (const MaybeArray inv_freq = tensors_.first_of(Usual::inv_freq))
                add_frequencies(*inv_freq);
        for (NamedDump& one : dumps_)
            std::visit([&](auto& dump) { dump.origin = printable(files_.dump); }, one.dump);
    }

    // Adds q and k by their usual names, and where one of them has none, by names that also have
    // other words, if these are of one pair that can be read.
    void add_usual_vectors() {
        const std::size_t tables = dumps_.size();
        const auto q = tensors_.vectors(Usual::q), k = tensors_.vectors(Usual::k);
        const auto other_q = q ? q : only_other(Usual::q);
        auto other_k = k ? k : only_other(Usual::k);
        if (!other_k) other_k = shared_key();
        const std::set<std::string> used = used_;
        try {
            add_q_and_k(other_q, other_k);
        } catch (const InputError&) {
            const bool are_usual =
                q.has_value() == other_q.has_value() && k.has_value() == other_k.has_value();
            if (are_usual || (!q && !k)) throw;
            keep_first(tables);
            used_ = used;
            counts_padding_.reset();
            agreed_.reset();
            add_q_and_k(q, k);
        }
        if (dumps_.size() > tables) return;
        const auto qkv = tensors_.vectors(Usual::qkv);
        if (!qkv) return;
        const FusedParts parts = parts_of_qkv(*qkv, asked_);
        axes_of_parts_ = parts.axes;
        add_q_and_k(parts.q, parts.k);
    }

    std::optional<DumpTensors::Two> only_other(Usual kind) const {
        const auto names = tensors_.other_vectors(kind);
        return names.size() == 1 ? std::optional(tensors_.arrays_of(names[0])) : std::nullopt;
    }

    // The key and value of all heads in one array, as far as the config has one head of keys.
    std::optional<DumpTensors::Two> shared_key() const {
        auto both = tensors_.vectors(Usual::kv);
        if (!both || !asked_.spec || asked_.key_heads.empty() || asked_.key_heads[0] != 1)
            return std::nullopt;
        const Shape& shape = both->second.array.shape;
        const bool has_values = shape.size() > 2 && shape[shape.size() - 2] == 2;
        const bool fits = !shape.empty() && shape.back() == asked_.spec->head_dim && !has_values;
        return fits ? both : std::nullopt;
    }

    void load_only() {
        if (!asked_.layout) tensors_.require_whole_pairs();
        const MaybeArray only = tensors_.only();
        if (only && !asked_.layout && only->array.shape.size() == 1)
            add_frequencies(*only);
        else if (only)
            add_table(*only, asked_.layout);
    }

    // Whether a last axis of 2 holds cos and sin, unless the config has one pair or two.
    bool holds_pairs(const NamedArray& table) const {
        const Shape& shape = table.array.shape;
        return shape.size() > 2 && shape.back() == 2 &&
               !(asked_.spec && asked_.spec->rotary_dim <= 4);
    }

    MaybeArray usual_angles() const {
        for (const NamedArray& found : tensors_.all_of(Usual::angles)) {
            // one row may be inv_freq by another name
            const bool is_named = found.array.shape.size() > 1 && found.name.ends_with("angles");
            if (is_named || !is_one_row(found)) return found;
        }
        return std::nullopt;
    }

    // The positions of a table: none if the file's are those of the vectors and the table is a
    // cache.
    StatedPositions positions_of(const NamedArray& table) const {
        const bool may_be_cache = positions_ && has_vectors_;
        if (found_.is_derived ? is_called_cache(table) || is_of_one_sequence(table)
                              : may_be_cache && is_cache(table, *positions_, asked_))
            return {};
        return found_;
    }

    // Whether a table has as many rows as each of several sequences with derived positions.
    bool is_of_one_sequence(const NamedArray& table) const {
        if (!found_.ids || found_.is_of_grids) return false;
        const Shape &ids = found_.ids->array.shape, &shape = table.array.shape;
        return ids.size() == 2 && ids[0] > 1 && !shape.empty() &&
               shape[0] * (shape.size() > 2 ? shape[1] : 1) == ids[1];
    }

    // Choices for a tensor with the likeliest positions first, in agreement with earlier tensors.
    // Row numbers come last if the array that positions follow from may be about other rows.
    std::vector<AxisChoice> choices_of(const StatedPositions& first) const {
        if (!first.ids && !first.starts) {
            std::vector<AxisChoice> all{{first}};
            if (found_.starts && asked_.follows) all.push_back({found_, {}, true});  // of a cache
            return all;
        }
        std::vector<AxisChoice> all;
        for (const StatedPositions& one : stated_)
            if (one.counts_padding == counts_padding_.value_or(one.counts_padding) &&
                (!one.is_of_grids || one.from == agreed_.value_or(one.from)))
                all.push_back({one});
        if (first.is_derived) all.push_back({{}, {}, false, true});
        return all;
    }

    bool follows(const Dump& dump) const { return !asked_.follows || asked_.follows(dump); }

    static std::vector<AxisChoice> of_grids(std::vector<AxisChoice> choices) {
        std::erase_if(choices, [](const AxisChoice& one) {
            return !one.positions.is_of_grids || !one.axes.empty();
        });
        return choices;
    }

    // Returns the result of read() for the first choice whose rows follow the config, else of the
    // first that fits; of several orders of a grid's cells the one that the fewest mistakes
    // explain. Throws InputError if none fits.
    template <class Read>
    auto read_by_some(const std::vector<AxisChoice>& choices, const Read& read) {
        std::optional<decltype(read(choices[0]))> found;
        std::optional<InputError> refused;
        const AxisChoice* chosen = nullptr;
        bool is_right = false, leave_a_choice = false;
        for (const AxisChoice& one : choices) try {
                if (is_right || (found && one.is_last_resort)) continue;
                auto dump = read(one);
                is_right = choices.size() == 1 || follows(dump);
                if (!is_right && (found || one.must_follow)) continue;
                found = std::move(dump);
                chosen = &one;
            } catch (const UndeterminedAxes& error) {
                leave_a_choice = true;
                refused = error;
            } catch (const InputError& error) {
                if (!one.must_follow) refused = error;
            }
        std::string axes_from = chosen == nullptr ? "" : chosen->axes_from;
        std::vector<AxisChoice> open;
        if (found && !is_right) open = of_grids(choices);
        if (!found && leave_a_choice) open = choices;
        auto explained = open.size() > 1 ? read_by_mistakes(open, read, asked_) : std::nullopt;
        if (!found && !explained && leave_a_choice) throw UndeterminedAxes(refused->what());
        if (!found && !explained) throw InputError(*refused);
        if (explained) {
            std::tie(chosen, found) = *std::move(explained);
            axes_from = "the order in which the fewest known mistakes explain every value";
        }
        const StatedPositions& positions = chosen->positions;
        if (positions.is_derived) {
            Assumption& assumed = assumption_named(found->read_as, "positions");
            assumed.from = positions.from;
            assumed.are_row_numbers = positions.counts_padding;
        }
        if (!chosen->axes.empty()) assumption_named(found->read_as, "axes").from = axes_from;
        used_.insert(positions.read.begin(), positions.read.end());
        if (is_right && positions.kept) counts_padding_ = positions.counts_padding;
        if (is_right && positions.is_of_grids) agreed_ = positions.from;
        return *std::move(found);
    }

    void add_table(const NamedArray& cos, const NamedArray& sin) {
        used_.insert({cos.name, sin.name});
        add_copies(cos, asked_, [&](const StatedPositions& stated, const DumpHints& asked) {
            return table_dump(cos, sin, stated, asked);
        });
    }
    void add_table(const NamedArray& both, std::optional<CacheLayout> layout) {
        used_.insert(both.name);
        if (!layout) refuse_other_encodings(both);
        DumpHints asked = asked_;
        asked.layout = layout;
        add_copies(both, asked, [&](const StatedPositions& stated, const DumpHints& which) {
            TableDump dump = table_dump(both, stated, which);
            if (!asked_.layout && layout)
                assumption_named(dump.read_as, "cache_layout").from =
                    files_.angles.empty() ? "its name" : "angles=";
            return dump;
        });
    }

    // Adds a table, or both copies of a table whose columns hold every value twice and differ.
    template <class Read>
    void add_copies(const NamedArray& table, DumpHints asked, const Read& read) {
        const StatedPositions positions = positions_of(table);
        for (asked.copy = 0; asked.copy < 2; ++asked.copy) {
            TableDump dump = read_by_some(choices_of(positions), [&](const AxisChoice& choice) {
                return read(choice.positions, asked);
            });
            const auto& starts = positions.starts;
            if (starts && starts->array.at(0) > 0 && dump.positions.front() == 0)
                assumption_named(dump.read_as, "positions").from =
                    "row numbers: row 0 is that of position 0, and not of " + starts->name;
            const auto copy = std::ranges::find(dump.read_as, "copy", &Assumption::what);
            const bool differ = copy != dump.read_as.end();
            const std::string name = differ ? "table, " + copy->value : "table";
            add_table(std::move(dump), positions.ids.has_value(), name);
            if (!differ) return;
        }
    }

    // Two concatenated tables are the short and the long one of a longrope Spec.
    void add_table(TableDump dump, bool has_positions, const std::string& name) {
        if (positions_ && !has_positions)
            assumption_named(dump.read_as, "positions").from =
                "row numbers: " + positions_->name + " is for the vectors";
        const std::vector<TableDump> tables =
            has_positions ? std::vector{dump} : stacked_tables(dump);
        const bool is_longrope = asked_.spec && tables.size() == 2 &&
                                 asked_.spec->scaling.rope_type == "longrope" &&
                                 asked_.spec->scaling.original_max_position_embeddings;
        for (std::size_t k = 0; k < tables.size(); ++k) {
            NamedDump one{name, tables[k], 2 * dump.pairs};
            one.is_concatenated = tables.size() > 1;
            if (one.is_concatenated) one.name += " " + decimal(k + 1);
            if (is_longrope)
                one.seq_len = *asked_.spec->scaling.original_max_position_embeddings + k;
            dumps_.push_back(std::move(one));
        }
    }

    // Removes all dumps but the first ones.
    void keep_first(std::size_t count) {
        dumps_.erase(dumps_.begin() + static_cast<std::ptrdiff_t>(count), dumps_.end());
    }

    // Row numbers count padding. If q follows the config at these and k only at the positions that
    // the mask counts, or if the mask is of more keys than the file has, since a cache has the
    // others, scores depend on the difference: both are read at the positions of the mask.
    void add_q_and_k(const std::optional<DumpTensors::Two>& q,
                     const std::optional<DumpTensors::Two>& k) {
        const std::size_t tables = dumps_.size();
        bool has_all_keys = true;
        const auto add = [&] {
            keys_ = q && k ? k->first.array.shape : Shape{};
            queries_ = q ? q->first.array.shape : Shape{};
            if (q) add_vectors("q", q->first, q->second);
            if (k) add_vectors("k", k->first, k->second);
            has_all_keys = counts_padding_ != true || has_rows_of_mask();
            return has_all_keys && (!q || !k || follows(dumps_.back().dump));
        };
        const bool are_read = add();
        if (are_read && q && k && !follows(dumps_[tables].dump) &&
            (order_of_keys_ = letters_of_keys())) {
            auto as_read = dumps_;
            keep_first(tables);
            add();
            if (!follows(dumps_[tables].dump) && !agreed_) dumps_ = std::move(as_read);
        }
        if (are_read || counts_padding_ != true) return;
        auto by_row_numbers = dumps_;
        const bool is_possible = has_all_keys;
        keep_first(tables);
        counts_padding_ = false;
        if (!add() && is_possible) dumps_ = std::move(by_row_numbers);
    }

    // The order of the axes of k, which was read last; nothing if an option names it, or k has
    // fused heads.
    std::optional<std::string> letters_of_keys() const {
        const auto& all = std::get<RotatedDump>(dumps_.back().dump).read_as;
        const std::string& own = std::ranges::find(all, "axes", &Assumption::what)->value;
        const bool is_plain = asked_.axes.empty() && own.find('(') == own.npos;
        return is_plain ? std::optional(own) : std::nullopt;
    }

    // Whether q or k has a row for each number of the mask.
    bool has_rows_of_mask() const {
        return std::ranges::any_of(dumps_, [&](const NamedDump& one) {
            const auto* vectors = std::get_if<RotatedDump>(&one.dump);
            if (vectors == nullptr) return false;
            return !has_grid(*vectors) ||
                   vectors->grid.sequence.length >= found_.ids->array.shape.back();
        });
    }

    void add_vectors(const char* name, NamedArray before, NamedArray after) {
        used_.insert({before.name, after.name});
        DumpHints asked = asked_;
        if (asked.axes.empty()) asked.axes = axes_of_parts_;
        const bool are_named = asked.axes.ends_with("ds");
        if (are_named) std::swap(asked.axes.back(), asked.axes[asked.axes.size() - 2]);
        const bool is_transposed = exchange_last_axes(before, after, head_widths(), are_named);
        keep_rotating_dimensions(name, before, after);
        asked.table_rows = rows_of_the_table(dumps_);
        asked.are_keys = *name == 'k';
        if (asked.are_keys) asked.heads = asked.key_heads;
        // of q [B, S, kv heads, q heads of each, d] and k [B, S, kv heads, d]
        const std::size_t twice = asked.axes.find("hh");
        if (twice != std::string::npos && asked.axes.size() == after.array.shape.size() + 1)
            asked.axes.erase(twice, 1);
        const auto read = [&](const AxisChoice& choice) {
            DumpHints hints = asked;
            if (!choice.axes.empty()) hints.axes = choice.axes;
            return rotated_dump(before, after, choice.positions, hints);
        };
        const auto* q = asked.are_keys && !dumps_.empty()
                            ? std::get_if<RotatedDump>(&dumps_.back().dump)
                            : nullptr;
        std::vector<AxisChoice> choices = choices_of_axes(
            choices_of(found_), {before, after, found_, q, keys_, order_of_keys_}, asked);
        RotatedDump dump = [&] {
            try {
                return read_by_some(choices, read);
            } catch (const UndeterminedAxes&) {
                refuse_other_order(before, after, asked);
                throw;
            }
        }();
        if (asked.are_keys && found_.starts && is_longer_than_q(dump)) {  // the whole cache
            for (AxisChoice& one : choices) one.positions = {};
            dump = read_by_some(choices, read);
            assumption_named(dump.read_as, "positions").from = "row numbers of the cache";
        }
        if (!axes_of_parts_.empty() && asked_.axes.empty())
            assumption_named(dump.read_as, "axes").from = "the axis of q, k and v";
        refuse_heads_or_rows(before, after, asked, dump);
        refuse_first_token(before, after, asked, dump);
        if (asked.axes.empty() && asked.follows && !follows(dump)) {
            const std::string own = assumption_named(dump.read_as, "axes").value;
            if (const auto order = order_that_follows(before, after, asked, own)) {
                refuse_open_order(before, own, *order);
                std::erase_if(dump.read_as,
                              [](const Assumption& one) { return one.what == "other_axes"; });
                dump.read_as.push_back({"other_axes", *order,
                                        before.name + " is read as " + own + "; as " + *order +
                                            " it rotates as the config says"});
            }
        }
        if (asked.follows && !found_.ids && !found_.starts && !follows(dump))
            refuse_unknown_names(name, before, after, asked);
        if (is_transposed)
            assumption_named(dump.read_as, "axes").from +=
                "; in the file the positions are behind the dimensions";
        const auto dimensions =
            static_cast<std::uint32_t>(dump.before.size() / dump.positions.size());
        dumps_.push_back({name, std::move(dump), dimensions});
    }

    // Refuses rows [rows, d] next to a start that all rotate to it and that the config's head count
    // does not decide: heads of one token, or rows of a sequence at a constant position.
    void refuse_heads_or_rows(const NamedArray& before, const NamedArray& after, DumpHints asked,
                              const RotatedDump& dump) const {
        const bool is_start = found_.starts && found_.starts->array.size() == 1;
        const bool are_read_as_rows = dump.grid.sequence.length > 1;
        if (!is_start || !asked.axes.empty() || asked.is_any_axis_right || !are_read_as_rows ||
            before.array.shape.size() != 2 || !rotate_alike(before.array, after.array))
            return;
        asked.axes = "hd";
        if (!follows(rotated_dump(before, after, found_, asked))) return;
        const std::string rows = decimal(before.array.shape[0]);
        refuse_shape(before, "may be " + rows + " heads of one token or " + rows +
                                 " rows that were all rotated to " + found_.starts->name +
                                 "; pass --axes hd for heads or --axes sd for rows");
    }

    // Refuses vectors without a position or next to start 0 that do not turn and have an order
    // of axes in which they are one token, which is right, and not rows, which are not.
    void refuse_first_token(const NamedArray& before, const NamedArray& after,
                            const DumpHints& asked, RotatedDump& dump) const {
        const Shape& shape = before.array.shape;
        const bool is_first =
            found_.starts ? found_.starts->array.size() == 1 && found_.starts->array.at(0) == 0
                          : !found_.ids;
        if (!is_first || !asked.axes.empty() || asked.is_any_axis_right || shape.size() < 3 ||
            !are_at_position_0(before.array, after.array, asked))
            return;
        const std::uint64_t rows = dump.grid.sequence.length, count = dump.positions.size();
        const std::string& own = assumption_named(dump.read_as, "axes").value;
        const auto refuse = [&](const std::string& token, const std::string& of_rows,
                                std::uint64_t length) {
            throw OpenOrder(before.name + ": shape " + shape_text(shape) +
                            " may be one token at position 0, where nothing rotates, or " +
                            decimal(length) + " rows that are not rotated; pass --axes " + token +
                            " for one token or --axes " + of_rows + " for rows");
        };
        if (rows == 1 && shape.size() == 4 && count > 1 && shape[0] == count)
            refuse(own, "sbhd", count);
        if (rows == 1 || rows > most_heads) return;
        for (const auto& [letters, is_usual] : axis_orders(shape, asked.heads))
            if (is_usual && letters != own && shape[letters.find('s')] == 1)
                refuse(letters, own, rows);
    }

    // Another order of axes in which the vectors follow the config; next to one position also with
    // other heads than the config's, as a part of them has.
    std::optional<std::string> order_that_follows(const NamedArray& before, const NamedArray& after,
                                                  DumpHints asked, const std::string& own) const {
        if (has_one_position()) asked.heads.clear();
        for (const AxisOrder& order : axis_orders(after.array.shape, asked.heads)) try {
                asked.axes = order.letters;
                if (own != order.letters && follows(rotated_dump(before, after, found_, asked)))
                    return order.letters;
            } catch (const InputError&) {  // the arrays have other axes
            }
        return std::nullopt;
    }

    // Refuses vectors whose shape leaves a choice, and which follow the config in one order of
    // axes.
    void refuse_other_order(const NamedArray& before, const NamedArray& after,
                            const DumpHints& asked) const {
        if (!asked.follows || !asked.axes.empty()) return;
        if (const auto order = order_that_follows(before, after, asked, ""))
            throw OpenOrder(before.name + ": shape " + shape_text(before.array.shape) +
                            " does not determine which axis is the sequence; it rotates as the "
                            "config says along axis " +
                            decimal(order->find('s')) + ": pass --axes " + *order +
                            " if that is the sequence");
    }

    bool has_one_position() const {
        const auto& given = found_.ids ? found_.ids : found_.starts;
        return given && given->array.size() == 1;
    }

    // Refuses vectors that follow the config in an order that is as likely as the one that was
    // read: [N, M, heads, d] along N, which is a rotation by the number of the batch entry or
    // Megatron's [S, B, heads, d], unless there are far fewer entries than rows; and next to one
    // position N heads of one token that rotate as N rows of one head.
    void refuse_open_order(const NamedArray& before, const std::string& own,
                           const std::string& order) const {
        constexpr std::uint64_t far_fewer = 4;
        const Shape& shape = before.array.shape;
        const auto length = [&](const std::string& letters, char axis) {
            const std::size_t at = letters.find(axis);
            return at == letters.npos ? 1 : shape[at];
        };
        const bool are_entries =
            own.starts_with("bs") && order.starts_with("sb") && far_fewer * shape[0] >= shape[1];
        const bool are_heads = has_one_position() && length(own, 's') == 1 && order.size() == 4 &&
                               length(order, 'h') == 1;
        if (!are_entries && !are_heads) return;
        throw OpenOrder(before.name + ": shape " + shape_text(shape) +
                        " rotates as the config says along axis " + decimal(order.find('s')) +
                        ": right as --axes " + order + ", and a rotation by the number of the " +
                        (are_entries ? "batch entry" : "head") + " as --axes " + own +
                        "; pass one of them");
    }

    // Refuses rows that follow the config only at the positions that an array of an unknown name
    // may give.
    void refuse_unknown_names(const std::string& role, const NamedArray& before,
                              const NamedArray& after, const DumpHints& asked) const {
        for (const auto& [positions, array, known_name] : readings_by_unknown_names(tensors_)) try {
                if (!follows(rotated_dump(before, after, positions, asked))) continue;
                throw OpenOrder(role + ": its rows follow the config if " + array + " is what " +
                                known_name +
                                " is, and not at their row numbers; save it under "
                                "that name, or give the positions with --positions");
            } catch (const OpenOrder&) {
                throw;
            } catch (const InputError&) {  // the array does not fit
            }
    }

    // How many dimensions a head may have: by the config, or as the vectors that were read.
    std::vector<std::uint64_t> head_widths() const {
        if (asked_.spec) {
            const Spec& spec = *asked_.spec;
            return {spec.head_dim, spec.rotary_dim, asked_.nope_dimensions + spec.head_dim};
        }
        if (asked_.head_dim) return {*asked_.head_dim};
        for (const NamedDump& one : dumps_)
            if (std::holds_alternative<RotatedDump>(one.dump)) return {one.dimensions};
        return {};
    }

    // Heads of a config with qk_nope_head_dim whose first dimensions are unchanged: keeps those
    // that rotate, which are all that the file's other vectors have. Throws InputError if they
    // change.
    void keep_rotating_dimensions(const std::string& role, NamedArray& before,
                                  NamedArray& after) const {
        const Shape& shape = before.array.shape;
        if (asked_.nope_dimensions == 0 || !asked_.spec || shape.empty()) return;
        const std::uint64_t nope = asked_.nope_dimensions, width = nope + asked_.spec->head_dim;
        if (before.array.size() == 0 || shape.back() % width != 0 || shape != after.array.shape)
            return;
        for (std::uint64_t first = 0; first < before.array.size(); first += width)
            for (std::uint64_t k = first; k < first + nope; ++k)
                if (before.array.at(k) != after.array.at(k))
                    refuse_nope_dimensions(role, before, after, nope, width);
        before = part_of_each(before, width, nope, width - nope);
        after = part_of_each(after, width, nope, width - nope);
    }

    [[noreturn]] static void refuse_nope_dimensions(const std::string& role,
                                                    const NamedArray& before,
                                                    const NamedArray& after, std::uint64_t nope,
                                                    std::uint64_t width) {
        throw InputError(after.name + ": the first " + decimal(nope) + " of " + decimal(width) +
                         " dimensions, by qk_nope_head_dim, must not change, and they do; " + role +
                         "=" + name_in_file(before.name) + " and " + role + "_rot=" +
                         name_in_file(after.name) + " without the other vectors find out why");
    }

    bool is_longer_than_q(const RotatedDump& dump) const {
        return std::ranges::any_of(dumps_, [&](const NamedDump& one) {
            const auto* q = std::get_if<RotatedDump>(&one.dump);
            return q != nullptr && q->grid.sequence.length < dump.grid.sequence.length;
        });
    }

    // Throws InputError if q rotates along one axis and has k's positions along another.
    void require_axis_of_k(const RotatedDump& q, std::uint64_t rows_of_k) const {
        const auto other = std::ranges::find(q.read_as, "other_axes", &Assumption::what);
        if (other == q.read_as.end() || other->value.size() != queries_.size()) return;
        const std::size_t sequence = other->value.find('s');
        if (sequence == other->value.npos || queries_[sequence] != rows_of_k) return;
        throw InputError("q: its vectors follow the config along another axis than that of k's " +
                         decimal(rows_of_k) + " positions; --axes " + other->value +
                         " checks them along that");
    }

    // Gives q the vectors of k, and k those of q: a kernel may have confused them. Without
    // positions, q with fewer rows than k are the last rows, as in a step with a cache, unless a
    // name has the word cross.
    void relate_vectors() {
        RotatedDump *q = nullptr, *k = nullptr;
        for (NamedDump& one : dumps_)
            if (auto* dump = std::get_if<RotatedDump>(&one.dump)) (one.name == "k" ? k : q) = dump;
        if (q == nullptr || k == nullptr) return;
        if (q->positions.size() == k->positions.size() && head_dim_of(*q) == head_dim_of(*k)) {
            q->other = {"k", k->before};
            k->other = {"q", q->before};
        }
        const std::uint64_t rows = q->grid.sequence.length, of_k = k->grid.sequence.length;
        if (positions_ || found_.starts || is_cross_attention() || rows >= of_k) return;
        require_axis_of_k(*q, of_k);
        if (!has_grid(*q)) return;
        for (double& position : q->positions) position += static_cast<double>(of_k - rows);
        assumption_named(q->read_as, "positions") = {
            "positions", positions_read(q->positions, q->more_positions, {}).value,
            std::string(last_rows_of_k), true};
    }

    bool is_cross_attention() const {
        return std::ranges::any_of(used_, [](const std::string& name) {
            return lower_case(name_in_file(name)).find("cross") != std::string::npos;
        });
    }

    void add_frequencies(const NamedArray& inv_freq) {
        for (const char* name : {"rope_freqs", "rope_freqs.weight", "rope_factors_short.weight",
                                 "rope_factors_long.weight"})
            if (inv_freq.name.ends_with(name))
                throw InputError(inv_freq.name +
                                 ": holds what frequencies are divided by, not frequencies; give "
                                 "its GGUF as --config to verify or explain");
        used_.insert(inv_freq.name);
        FrequencyDump dump = frequency_dump(inv_freq, asked_);
        const auto dimensions = static_cast<std::uint32_t>(2 * dump.inv_freq.size());
        dumps_.push_back({"inv_freq", std::move(dump), dimensions});
    }

    const DumpFiles& files_;
    const DumpHints& asked_;
    DumpTensors& tensors_;
    std::vector<StatedPositions> stated_;
    const StatedPositions& found_;  // the first of them
    const MaybeArray& positions_;
    std::set<std::string> used_;  // arrays that became a subject
    bool has_vectors_ = false;
    std::optional<bool> counts_padding_;
    std::optional<std::string> agreed_ = {};  // the cells' order that an earlier tensor follows
    std::optional<std::string> order_of_keys_ = {};  // if k follows the config, and q does not
    std::string axes_of_parts_ = {};                 // of q and k that one array holds
    Shape keys_ = {};                                // k's shape, if the file has q and k
    Shape queries_ = {};                             // q's shape
    std::vector<NamedDump> dumps_;
};

}  // namespace

std::vector<NamedDump> load_dump(DumpTensors& tensors, const DumpHints& asked) {
    return Loader(tensors, asked).load();
}

}  // namespace rope::io
