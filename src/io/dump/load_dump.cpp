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
#include "io/dump/vectors.hpp"
#include "rope/rows/dump.hpp"
#include "rope/spec/axis.hpp"

namespace rope::io {
namespace {

bool is_called_cache(const NamedArray& table) {
    return table.name.ends_with("_cache") || table.name.ends_with("_cached");
}

// Whether ids of one axis are fewer than the rows of a table.
bool has_more_rows(const NamedArray& table, const NamedArray& positions) {
    const Shape& shape = table.array.shape;
    return shape.size() > 1 &&
           positions.array.size() < *std::max_element(shape.begin(), shape.end() - 1);
}

// Whether a table is kept for every position rather than made for the vectors' positions: by its
// name if it has a row for each, because no axis is as long as they are, or because it has one
// sequence and theirs differ. Throws InputError if a position has no row.
bool is_cache(const NamedArray& table, const NamedArray& positions, const DumpHints& asked) {
    const Shape& shape = table.array.shape;
    if (shape.size() < 2) return is_called_cache(table);
    const Shape axes(shape.begin(), shape.end() - 1);
    const NamedArray on_axis = positions_by_axis(positions, asked, axes).front();
    const Shape& ids = on_axis.array.shape;
    const std::uint64_t rows = *std::ranges::max_element(axes);
    const std::uint64_t length = ids.empty() ? 1 : ids.back();
    const bool is_as_long = length == 1 ? rows == 1 : std::ranges::count(axes, length) > 0;
    const auto has_row = [&](double m) { return m < static_cast<double>(length); };
    if (is_called_cache(table) &&
        (!is_as_long || std::ranges::all_of(positions.array.values(), has_row)))
        return true;
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

// Whether the last row of every sequence is padding.
bool ends_in_padding(const Array& kept) {
    const std::uint64_t length = kept.shape.empty() ? 1 : kept.shape.back();
    for (std::uint64_t end = length; end <= kept.size(); end += length)
        if (kept.at(end - 1) != 0) return false;
    return kept.size() > 0;
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
        const auto forget_vectors = [&, used = used_, counts_padding = counts_padding_,
                                     agreed = agreed_] {
            keep_first(tables);
            used_ = used;
            counts_padding_ = counts_padding;
            agreed_ = agreed;
        };
        try {
            add_q_and_k(other_q, other_k);
        } catch (const InputError&) {
            const bool are_usual =
                q.has_value() == other_q.has_value() && k.has_value() == other_k.has_value();
            if (are_usual || (!q && !k)) throw;
            forget_vectors();
            add_q_and_k(q, k);
        }
        if (dumps_.size() > tables) return;
        const auto qkv = tensors_.vectors(Usual::qkv);
        if (!qkv) return;
        std::vector<FusedParts> all = parts_of_qkv(*qkv, asked_);
        if (all.size() > 1)  // the first if none follows the config
            all.push_back(all.front());
        for (const FusedParts& parts : all) try {
                forget_vectors();
                axes_of_parts_ = parts.axes;
                add_q_and_k(parts.q, parts.k);
                if (follows(dumps_[tables].dump) && follows(dumps_.back().dump)) return;
            } catch (const InputError&) {
                if (&parts == &all.back()) throw;
            }
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
        if (only && !asked_.layout && only->array.shape.size() == 1) {
            const std::string name = lower_case(name_in_file(only->name));
            for (const char* word : {"_factor", "factors", "period", "wavelength", "norm", "bias"})
                if (name.find(word) != name.npos)
                    throw InputError(only->name +
                                     ": its name is not that of frequencies; if it holds them, "
                                     "pass it as inv_freq=" +
                                     name_in_file(only->name));
            add_frequencies(*only);
        } else if (only) {
            add_table(*only, asked_.layout);
        }
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

    // The positions of a table: none if the file's are those of vectors and the table is a cache.
    StatedPositions positions_of(const NamedArray& table) const {
        const bool may_be_cache =
            positions_ &&
            (has_vectors_ || (files_.positions.empty() && has_more_rows(table, *positions_)));
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

    bool follows(const Dump& dump) const { return !asked_.follows || asked_.follows(dump); }

    // The ways in which a file states positions that agree with earlier tensors, the likeliest
    // first. Row numbers come last if the array that positions follow from may be about other rows.
    std::vector<StatedPositions> stated_for(const StatedPositions& first) const {
        if (!first.ids && !first.starts) return {first};
        std::vector<StatedPositions> all;
        for (const StatedPositions& one : stated_)
            if (one.counts_padding == counts_padding_.value_or(one.counts_padding) &&
                (!one.is_of_grids || one.from == agreed_.value_or(one.from)))
                all.push_back(one);
        if (first.is_derived) all.push_back({});
        return all;
    }

    void agree_with(const StatedPositions& positions, bool is_right) {
        used_.insert(positions.read.begin(), positions.read.end());
        if (is_right && positions.kept) counts_padding_ = positions.counts_padding;
        if (is_right && positions.is_of_grids) agreed_ = positions.from;
    }

    // The table at the first positions at which its rows follow the config, else at the first that
    // fit. Throws InputError if none fit.
    template <class Read>
    TableDump read_table(const StatedPositions& first, const Read& read) {
        std::vector<StatedPositions> all = stated_for(first);
        if (!first.ids && !first.starts && (found_.starts || found_.is_derived) && asked_.follows)
            all.push_back(found_);  // of a cache
        struct Reading {
            const StatedPositions* at;
            TableDump dump;
        };
        std::vector<Reading> readings;  // the first, and those of other orders of a grid
        std::optional<InputError> refused;
        bool is_right = false;
        for (const StatedPositions& one : all) try {
                const bool is_last_resort = first.is_derived && &one == &all.back();
                if (is_right || (!readings.empty() && is_last_resort)) continue;
                TableDump dump = read(one);
                is_right = all.size() == 1 || follows(dump);
                if (is_right) readings.clear();
                if (readings.empty() || (one.is_of_grids && readings[0].at->is_of_grids))
                    readings.push_back({&one, std::move(dump)});
            } catch (const InputError& error) {
                refused = error;
            }
        if (readings.empty()) throw InputError(*refused);
        const auto likeliest =
            readings.size() == 1 ? std::nullopt
                                 : fewest_mistakes(asked_, readings.size(),
                                                   [&](std::size_t k) { return readings[k].dump; });
        auto& [chosen, found] = readings[likeliest.value_or(0)];
        if (chosen->is_derived) {
            Assumption& assumed = assumption_named(found.read_as, "positions");
            assumed.from = chosen->from;
            assumed.are_row_numbers = chosen->counts_padding;
        }
        agree_with(*chosen, is_right);
        return std::move(found);
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
            TableDump dump = read_table(
                positions, [&](const StatedPositions& stated) { return read(stated, asked); });
            const auto& starts = positions.starts;
            if (starts && starts->array.at(0) > 0 && dump.positions.front() == 0)
                assumption_named(dump.read_as, "positions").from =
                    "row numbers: row 0 is that of position 0, and not of " + starts->name;
            const Assumption* copy = find_assumption(dump.read_as, "copy");
            const bool differ = copy != nullptr;
            const std::string name = differ ? "table, " + copy->value : "table";
            add_table(std::move(dump), positions.ids.has_value(), name);
            if (!differ) return;
        }
    }

    // Two concatenated tables are the short and the long one of a longrope Spec.
    void add_table(TableDump dump, bool has_positions, const std::string& name) {
        if (positions_ && !has_positions)
            assumption_named(dump.read_as, "positions").from =
                "row numbers: " + positions_->name +
                (has_vectors_ ? " is for the vectors" : " has fewer positions than the table rows");
        // the row of an image's first token repeats that of the text's, too
        const bool is_one = has_positions || (asked_.spec && axis_count(asked_.spec->axes) > 1);
        const std::vector<TableDump> tables = is_one ? std::vector{dump} : stacked_tables(dump);
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

    // Row numbers count padding, positions by the mask do not. Both give the same scores only if q
    // and k are read in one way. So both are read by the mask if k follows the config only there,
    // or if the mask has more keys than the file, since a cache has the others.
    void add_q_and_k(const std::optional<DumpTensors::Two>& q,
                     const std::optional<DumpTensors::Two>& k) {
        if (asked_.has_only_tables) {
            for (const auto* one : {&q, &k})
                if (*one) used_.insert({(*one)->first.name, (*one)->second.name});
            return;
        }
        const std::size_t tables = dumps_.size();
        std::optional<OneSide> own, keys;
        has_q_ = q.has_value();
        if (q) own.emplace(prepared("q", *q, {}));
        if (k) keys.emplace(prepared("k", *k, own));
        const bool is_transposed =
            (own && own->is_transposed) || (keys && keys->is_transposed);  // one of them may be
        if (asked_.axes.ends_with("ds") && !is_transposed && (q || k))
            refuse_shape(q ? q->first : k->first,
                         "does not fit the axes '" + printable(asked_.axes) +
                             "': the axis before the last has no dimensions of a head");
        bool has_all_keys = true;
        const auto add = [&] {
            if (own) add_vectors("q", *own, keys);
            if (keys) add_vectors("k", *keys, own);
            has_all_keys = counts_padding_ != true || found_.may_have_window || has_rows_of_mask();
            return has_all_keys && (!own || !keys || follows(dumps_.back().dump));
        };
        const bool are_read = add();
        if (are_read && own && keys && !follows(dumps_[tables].dump)) {  // by the axes of k
            auto as_read = dumps_;
            keep_first(tables);
            add_vectors("q", *own, keys);
            if (follows(dumps_.back().dump)) {
                add_vectors("k", *keys, own);
            } else {
                dumps_ = std::move(as_read);
            }
        }
        if (are_read || counts_padding_ != true) return;
        auto by_row_numbers = dumps_;
        const bool is_possible = has_all_keys;
        keep_first(tables);
        counts_padding_ = false;
        if (own) own->read.reset();
        if (keys) keys->read.reset();
        if (!add() && is_possible) dumps_ = std::move(by_row_numbers);
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

    // q or k of the file, and how it was read.
    struct OneSide {
        Vectors vectors;
        DumpHints asked;
        bool is_transposed = false;
        std::optional<ReadVectors> read = {};
    };

    OneSide prepared(const std::string& name, DumpTensors::Two two,
                     const std::optional<OneSide>& q) {
        auto& [before, after] = two;
        used_.insert({before.name, after.name});
        OneSide side{{before, after}, asked_};
        DumpHints& asked = side.asked;
        if (asked.axes.empty()) asked.axes = axes_of_parts_;
        const bool are_named = asked.axes.ends_with("ds");
        if (are_named) std::swap(asked.axes.back(), asked.axes[asked.axes.size() - 2]);
        for (NamedArray* one : {&before, &after}) join_pairs(*one, head_widths(q));
        side.is_transposed = exchange_last_axes(before, after, head_widths(q), are_named);
        keep_rotating_dimensions(name, before, after);
        asked.table_rows = rows_of_the_table(dumps_);
        asked.are_keys = name == "k";
        if (asked.are_keys) asked.heads = asked.key_heads;
        // of q [B, S, kv heads, q heads of each, d] and k [B, S, kv heads, d]
        const std::size_t twice = asked.axes.find("hh");
        if (twice != std::string::npos && asked.axes.size() == after.array.shape.size() + 1)
            asked.axes.erase(twice, 1);
        side.vectors = prepared_vectors(before, after, asked);
        return side;
    }

    void add_vectors(const char* name, OneSide& side, const std::optional<OneSide>& other) {
        NextTo next;
        if (other) {
            next.vectors = &other->vectors;
            next.is_cross_attention = is_cross_attention();
            if (other->read) next.read = &*other->read;
        }
        ReadVectors read = read_vectors(side.vectors, given_for(side), next, side.asked);
        agree_with(read.positions, read.is_right);
        side.read = read;
        RotatedDump& dump = read.dump;
        Assumption& axes = assumption_named(dump.read_as, "axes");
        if (!axes_of_parts_.empty() && asked_.axes.empty()) axes.from = "the axis of q, k and v";
        if (side.is_transposed) {
            std::swap(axes.value.back(), axes.value[axes.value.size() - 2]);
            if (!asked_.axes.empty() && asked_.axes != axes.value)
                axes.from += "; in the file the positions are behind the dimensions";
        }
        const bool is_listed = found_.ids && !found_.is_derived && !found_.are_slots;
        if (asked_.follows && !is_listed && !follows(dump)) refuse_other_names(name, side, next);
        const auto dimensions = static_cast<std::uint32_t>(head_dim_of(dump));
        dumps_.push_back({name, std::move(dump), dimensions});
    }

    // The ways to give rows positions.
    std::vector<GivenPositions> given_for(const OneSide& side) const {
        constexpr double last_resort = 20;
        const Shape& shape = side.vectors.shape();
        const bool are_keys = side.asked.are_keys;
        std::vector<GivenPositions> ways;
        for (const StatedPositions& one : stated_for(found_)) {
            const bool is_first = ways.empty(), is_none = !one.ids && !one.starts;
            // several starts next to batch entries are not ids
            if (!is_first && found_.starts && one.ids && shape.size() > 3) continue;
            ways.push_back({one, is_first ? 0 : is_none ? last_resort : 0.1});
            // unused rows are those of a cache
            if (!are_keys && one.kept && ends_in_padding(one.kept->array)) ways.back().cost += 3;
        }
        // ids of a step, and of the cache
        if (ways.size() > 1 && ways[1].stated.ids &&
            (!found_.is_derived || ways[1].stated.is_of_keys)) {
            const std::uint64_t length = ways[1].stated.ids->array.shape.back();
            const bool is_cache = are_keys && std::ranges::count(shape, length) > 0;
            ways = {ways[is_cache ? 1 : 0]};
            ways[0].cost = 0;
        }
        const std::uint64_t axes = asked_.spec ? axis_count(asked_.spec->axes) : 1;
        if (axes > 1 && found_.ids)
            if (auto text = text_of_a_batch(found_, axes)) {
                // [1, A] next to A rows are rarely the ids of one row
                const bool is_likely = found_.ids->array.shape[0] == 1 &&
                                       std::count(shape.begin(), shape.end() - 1, axes) > 0;
                ways.push_back({*std::move(text), is_likely ? -1.0 : 1.0});
            }
        const bool may_be_cache = !ways[0].stated.is_of_keys && is_longer_than_ids(shape);
        if (are_keys && ((found_.starts && has_q_ && !is_as_short_as_q(shape)) || may_be_cache)) {
            StatedPositions whole;
            whole.from = "row numbers of the cache";
            whole.is_derived = true;
            ways.push_back({whole, found_.starts ? 0.0 : 2.0, true});
        }
        return ways;
    }

    // Whether k has the rows of q alone, and so no whole cache: no axis is longer.
    bool is_as_short_as_q(const Shape& shape) const {
        const auto q = tensors_.vectors(Usual::q);
        return q && std::ranges::equal(shape, q->second.array.shape, std::less_equal<>());
    }

    // Whether no axis is as long as the ids of one sequence, and one is longer and has a row for
    // each id: rows of a cache, of which some may be unused.
    bool is_longer_than_ids(const Shape& shape) const {
        if (!found_.ids || found_.ids->array.shape.empty() || found_.ids->array.size() == 0)
            return false;
        const std::uint64_t length = found_.ids->array.shape.back();
        const auto last = shape.end() - 1;
        const std::uint64_t rows = *std::max_element(shape.begin(), last);
        return length == found_.ids->array.size() && std::count(shape.begin(), last, length) == 0 &&
               rows > length &&
               std::ranges::max(found_.ids->array.values()) < static_cast<double>(rows);
    }

    // Refuses rows that follow the config only at the positions that an array gives if it has
    // another name.
    void refuse_other_names(const std::string& role, const OneSide& side,
                            const NextTo& next) const {
        std::set<std::string> read;
        for (const StatedPositions& one : stated_) {
            read.insert(one.read.begin(), one.read.end());
            for (const auto& array : {one.ids, one.starts})
                if (array) read.insert(array->name);
        }
        for (const auto& [positions, array, known_name] :
             readings_by_other_names(tensors_, asked_, read))
            try {
                const auto own = read_vectors(side.vectors, {{positions}}, next, side.asked);
                if (!follows(own.dump)) continue;
                throw OtherName(role + ": its rows are right if " + array + " is what " +
                                known_name + " is, and not " +
                                (read.empty() ? "at their row numbers" : "without it") +
                                "; save it under that name, or give the positions with "
                                "--positions");
            } catch (const OtherName&) {
                throw;
            } catch (const InputError&) {  // the array does not fit
            }
    }

    // How many dimensions a head may have: by the config, or as q.
    std::vector<std::uint64_t> head_widths(const std::optional<OneSide>& q) const {
        if (asked_.spec) {
            const Spec& spec = *asked_.spec;
            return {spec.head_dim, spec.rotary_dim, asked_.nope_dimensions + spec.head_dim};
        }
        if (asked_.head_dim) return {*asked_.head_dim};
        if (q) return {q->vectors.shape().back()};
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
        if (positions_ || found_.starts || is_cross_attention() || rows >= of_k ||
            assumption_named(q->read_as, "positions").from == last_rows_of_k)
            return;
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
    bool has_vectors_ = false, has_q_ = false;
    std::optional<bool> counts_padding_;
    std::optional<std::string> agreed_ = {};  // the cells' order that an earlier tensor follows
    std::string axes_of_parts_ = {};          // of q and k that one array holds
    std::vector<NamedDump> dumps_;
};

}  // namespace

std::vector<NamedDump> load_dump(DumpTensors& tensors, const DumpHints& asked) {
    return Loader(tensors, asked).load();
}

}  // namespace rope::io
