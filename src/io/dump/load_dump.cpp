// A dump of any kind, with its positions and the arrays that no subject was made of.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/dump_tensors.hpp"
#include "io/dump/stated_positions.hpp"
#include "io/shape/position_ids.hpp"
#include "rope/number/element.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {
namespace {

std::optional<Format> own_format(const Array& ids) {
    const auto format = ids.format();
    if (format != Format::float32 && format != Format::float64) return format;
    const std::uint64_t columns = ids.shape.empty() ? 1 : ids.shape.back();
    const StridedRows rows(ids.element, ids.bytes, 0, columns, 1, ids.owner);
    return narrower_format(rows, ids.size() / columns, columns);
}

std::optional<Assumption> rounded_positions(const NamedArray& ids) {
    if (ids.array.size() == 0) return std::nullopt;
    const auto format = own_format(ids.array);
    if (format != Format::float16 && format != Format::bfloat16) return std::nullopt;
    // of t bits, unit roundoff 2⁻ᵗ: 2ᵗ + 1 is the first whole number that is none of its own
    const double last = 1 / unit_roundoff(*format);
    bool repeats = false;
    std::set<double> distinct;
    for (std::uint64_t k = 0; k < ids.array.size(); ++k) {
        const double id = ids.array.at(k);
        distinct.insert(id);
        repeats = repeats || (k > 0 && id == ids.array.at(k - 1) && std::abs(id) >= last);
    }
    if (!repeats) return std::nullopt;
    return Assumption{
        "rounded_positions", decimal(distinct.size()) + " of " + decimal(ids.array.size()),
        ids.name + " holds " + std::string(to_string(*format)) +
            " numbers, which have no odd ones beyond " + decimal(last) + ": its " +
            decimal(ids.array.size()) + " ids are " + decimal(distinct.size()) +
            " positions, and rows are checked at these; save the ids as integers before they are "
            "rounded"};
}

// Of a dump that has its positions from them: which other array differs, and {"rounded_positions",
// "33 of 65", …} where ids are in a format, or all numbers of one, that cannot hold every whole
// number of their size, and some are repeated, one after the other.
void say_more_of(const StatedPositions& positions, std::vector<Assumption>& read_as) {
    const auto own = std::ranges::find(read_as, "positions", &Assumption::what);
    if (!positions.ids || own == read_as.end() || !own->from.starts_with(positions.ids->name))
        return;
    if (!positions.differing.empty())
        read_as.push_back({"differing", join(positions.differing),
                           positions.ids->name + " holds other positions than " +
                               join(positions.differing) + " gives; rows are checked at those of " +
                               positions.ids->name});
    if (const auto rounded = rounded_positions(*positions.ids)) read_as.push_back(*rounded);
}

bool is_called_cache(const NamedArray& table) {
    return table.name.ends_with("_cache") || table.name.ends_with("_cached");
}

// A table that is kept for every position, rather than made for those of the vectors: by its name,
// because it has no axis as long as they are, or because it is of one sequence and theirs differ;
// then each must have a row, else throws InputError.
bool is_cache(const NamedArray& table, const NamedArray& positions, const DumpHints& asked) {
    if (is_called_cache(table)) return true;
    const std::vector<std::uint64_t>& shape = table.array.shape;
    if (shape.size() < 2) return false;
    const std::vector<std::uint64_t> axes(shape.begin(), shape.end() - 1);
    const NamedArray on_axis = positions_by_axis(positions, asked, axes).front();
    const std::vector<std::uint64_t>& ids = on_axis.array.shape;
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

// The arrays of a dump that no subject was made of.

constexpr std::size_t most_of_a_dump = 32;
constexpr std::size_t most_named = 6;

bool is_called(const std::string& name, std::string_view usual) {
    return name == usual || name.ends_with("." + std::string(usual));
}

bool is_one_of(const std::string& name, std::span<const std::string_view> usual) {
    return std::ranges::any_of(usual, [&](std::string_view one) { return is_called(name, one); });
}

bool is_one_of(const std::string& name, std::span<const TwoNames> usual) {
    return std::ranges::any_of(usual, [&](const TwoNames& one) {
        return is_called(name, one.first) || is_called(name, one.second);
    });
}

// "cos", "model.layers.0.self_attn.rotary_emb.inv_freq"
bool is_usual(const std::string& name) {
    return is_one_of(name, cos_and_sin_names) || is_one_of(name, cos_sin_names) ||
           is_one_of(name, angle_names) || is_one_of(name, inv_freq_names) ||
           is_one_of(name, position_names) || is_one_of(name, q_names) || is_one_of(name, k_names);
}

// {"not_read", "x, y, offset", …}, six of them by name; nothing where there are none. Where there
// are more than a dump has, as in a checkpoint, those that rotary tensors are usually called.
std::optional<Assumption> not_read(std::vector<std::string> names) {
    std::erase(names, "spec");  // what an export says of itself
    if (names.size() > most_of_a_dump)
        std::erase_if(names, [](const std::string& name) { return !is_usual(name); });
    if (names.empty()) return std::nullopt;
    const std::size_t more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    std::string text = join(names, [](const std::string& name) { return printable(name, 100); });
    if (more > 0) text += " and " + decimal(more) + " more";
    return Assumption{"not_read", std::move(text),
                      "the file's other arrays; options such as --q and --inv-freq select them"};
}

using MaybeArray = std::optional<NamedArray>;

bool is_one_row(const NamedArray& array) {
    return std::all_of(
        array.array.shape.begin(), array.array.shape.end(),
        [&](std::uint64_t length) { return length == 1 || length == array.array.size(); });
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

// What the axes of vectors may be called: the usual order first.
std::span<const std::string_view> orders_of_axes(std::size_t rank) {
    static constexpr std::string_view three[] = {"bsd", "hsd", "shd"},
                                      four[] = {"bhsd", "bshd", "sbhd"};
    if (rank == 3) return three;
    return rank == 4 ? std::span<const std::string_view>(four)
                     : std::span<const std::string_view>();
}

// Orders that leave as many heads as the config has, or any if none does.
std::vector<std::string> likely_orders(const std::vector<std::uint64_t>& shape,
                                       const std::vector<std::uint64_t>& heads) {
    std::vector<std::string> all, of_config;
    for (const std::string_view order : orders_of_axes(shape.size())) {
        const std::size_t axis = order.find('h');
        const std::uint64_t own = axis == order.npos ? 1 : shape[axis];
        all.emplace_back(order);
        if (std::ranges::count(heads, own) > 0) of_config.emplace_back(order);
    }
    return of_config.empty() ? all : of_config;
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
        has_vectors_ = !files_.q.empty() || !files_.k.empty() || tensors_.vectors(q_names) ||
                       tensors_.vectors(k_names);
    }

    std::vector<NamedDump> load() {
        load_named();
        const bool are_named = !dumps_.empty();
        if (!are_named) load_usual();
        if (dumps_.empty()) load_only();
        if (dumps_.empty()) throw InputError(tensors_.say_what_is_missing());
        introduce_vectors();
        end_with_keys();
        for (std::vector<Assumption>* read_as : all_read_as()) say_more_of(found_, *read_as);
        if (!are_named) say_what_is_left();
        return std::move(dumps_);
    }

  private:
    void load_named() {
        const MaybeArray cos = tensors_.named(files_.cos), sin = tensors_.named(files_.sin);
        if (cos && sin) add_table(*cos, *sin);
        if (const MaybeArray both = tensors_.named(files_.cos_sin)) add_table(*both, asked_.layout);
        if (const MaybeArray angles = tensors_.named(files_.angles))
            add_table(*angles, CacheLayout::angles);
        const MaybeArray q = tensors_.named(files_.q), q_rot = tensors_.named(files_.q_rot);
        if (q && q_rot) add_vectors("q", *q, *q_rot);
        const MaybeArray k = tensors_.named(files_.k), k_rot = tensors_.named(files_.k_rot);
        if (k && k_rot) add_vectors("k", *k, *k_rot);
        if (const MaybeArray inv_freq = tensors_.named(files_.inv_freq)) add_frequencies(*inv_freq);
    }

    void load_usual() {
        if (const auto two = tensors_.first_of(cos_and_sin_names))
            add_table(two->first, two->second);
        else if (const MaybeArray both = tensors_.first_of(cos_sin_names))
            add_table(*both, asked_.layout);
        else if (const MaybeArray angles = usual_angles())
            add_table(*angles, holds_pairs(*angles) ? asked_.layout : CacheLayout::angles);
        if (const auto q = tensors_.vectors(q_names)) add_vectors("q", q->first, q->second);
        if (const auto k = tensors_.vectors(k_names)) add_vectors("k", k->first, k->second);
        if (dumps_.empty())
            if (const MaybeArray inv_freq = tensors_.first_of(inv_freq_names))
                add_frequencies(*inv_freq);
        for (NamedDump& one : dumps_)
            std::visit([&](auto& dump) { dump.origin = printable(files_.dump); }, one.dump);
    }

    void load_only() {
        if (!asked_.layout) tensors_.require_whole_pairs();
        const MaybeArray only = tensors_.only();
        if (only && !asked_.layout && only->array.shape.size() == 1)
            add_frequencies(*only);
        else if (only)
            add_table(*only, asked_.layout);
    }

    void say_what_is_left() {
        if (positions_ && !found_.is_derived) used_.insert(positions_->name);
        const auto left = not_read(tensors_.names_besides(used_));
        if (!left) return;
        for (std::vector<Assumption>* read_as : all_read_as()) read_as->push_back(*left);
    }

    std::vector<std::vector<Assumption>*> all_read_as() {
        std::vector<std::vector<Assumption>*> all;
        for (NamedDump& one : dumps_)
            all.push_back(std::visit([](auto& dump) { return &dump.read_as; }, one.dump));
        return all;
    }

    // cos and sin of each angle, as of complex numbers, unless one angle or two are all there is.
    bool holds_pairs(const NamedArray& table) const {
        const std::vector<std::uint64_t>& shape = table.array.shape;
        return shape.size() > 2 && shape.back() == 2 &&
               !(asked_.spec && asked_.spec->rotary_dim <= 4);
    }

    MaybeArray usual_angles() const {
        for (const std::string_view name : angle_names)
            if (MaybeArray found = tensors_.usual(name); found && !is_one_row(*found)) return found;
        return std::nullopt;
    }

    // Positions that are none of the vectors' are the table's: what does not fit is an error.
    StatedPositions positions_of(const NamedArray& table) const {
        const bool may_be_cache = positions_ && has_vectors_;
        if (found_.is_derived ? is_called_cache(table)
                              : may_be_cache && is_cache(table, *positions_, asked_))
            return {};
        return found_;
    }

    // The ways to read positions, the likeliest first, that agree with those of earlier arrays.
    std::vector<StatedPositions> readings_of(const StatedPositions& first) const {
        if (!first.ids && !first.starts) return {first};
        std::vector<StatedPositions> all = stated_;
        if (counts_padding_)
            std::erase_if(all, [&](const StatedPositions& one) {
                return one.counts_padding != *counts_padding_;
            });
        return all;
    }

    void take(const StatedPositions& chosen, bool is_right) {
        used_.insert(chosen.read.begin(), chosen.read.end());
        if (is_right && chosen.kept) counts_padding_ = chosen.counts_padding;
    }

    template <class Read>
    auto read_at(const StatedPositions& stated, const Read& read) {
        auto dump = read(stated);
        if (stated.is_derived && (stated.ids || stated.starts))
            assumption_named(dump.read_as, "positions").from = stated.from;
        return dump;
    }

    bool follows(const Dump& dump) const { return !asked_.follows || asked_.follows(dump); }

    // By the first reading of the positions that every value follows, else by the first that fits;
    // by row numbers where what positions follow from is of other rows. Throws InputError where
    // none fits.
    template <class Read>
    auto read_at_some(const std::vector<StatedPositions>& readings, const Read& read) {
        std::optional<decltype(read(readings[0]))> first;
        const StatedPositions* chosen = nullptr;
        bool is_right = false;
        for (const StatedPositions& stated : readings) try {
                auto dump = read_at(stated, read);
                is_right = readings.size() == 1 || follows(dump);
                if (is_right || !first) {
                    first = std::move(dump);
                    chosen = &stated;
                }
                if (is_right) break;
            } catch (const InputError&) {
                if (!first && &stated == &readings.back() && !stated.is_derived) throw;
            }
        if (!first) return read(StatedPositions());
        take(*chosen, is_right);
        return *std::move(first);
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
                    files_.angles.empty() ? "its name" : "--angles";
            return dump;
        });
    }

    // One table, or both copies of a table whose columns stand twice but differ somewhere.
    template <class Read>
    void add_copies(const NamedArray& table, DumpHints asked, const Read& read) {
        const StatedPositions positions = positions_of(table);
        for (asked.copy = 0; asked.copy < 2; ++asked.copy) {
            TableDump dump =
                read_at_some(readings_of(positions),
                             [&](const StatedPositions& stated) { return read(stated, asked); });
            const auto copy = std::ranges::find(dump.read_as, "copy", &Assumption::what);
            const bool differ = copy != dump.read_as.end();
            const std::string name = differ ? "table, " + copy->value : "table";
            add_table(std::move(dump), positions.ids.has_value(), name);
            if (!differ) return;
        }
    }

    // Two concatenated tables are longrope's short and long one if the Spec is longrope's.
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
            if (tables.size() > 1) one.name += " " + decimal(k + 1);
            if (is_longrope)
                one.seq_len = *asked_.spec->scaling.original_max_position_embeddings + k;
            dumps_.push_back(std::move(one));
        }
    }

    void add_vectors(const char* name, const NamedArray& before, const NamedArray& after) {
        used_.insert({before.name, after.name});
        DumpHints asked = asked_;
        asked.table_rows = rows_of_the_table(dumps_);
        asked.are_keys = *name == 'k';
        if (asked.are_keys) asked.heads = asked.key_heads;
        RotatedDump dump = vectors_in_some_order(before, after, std::move(asked));
        const auto lanes = static_cast<std::uint32_t>(dump.before.size() / dump.positions.size());
        dumps_.push_back({name, std::move(dump), lanes});
    }

    // By the axes that shapes and values suggest; where these leave a choice and the rows do not
    // follow the config, by the order of axes in which they do.
    RotatedDump vectors_in_some_order(const NamedArray& before, const NamedArray& after,
                                      DumpHints asked) {
        const auto read = [&](const StatedPositions& stated) {
            return rotated_dump(before, after, stated, asked);
        };
        std::vector<StatedPositions> readings = readings_of(found_);
        if (readings.size() > 1 && !found_.is_derived) {  // ids of a step, and of the cache
            const std::uint64_t length = readings[1].ids->array.shape.back();
            const bool is_cache =
                asked.are_keys && std::ranges::count(before.array.shape, length) > 0;
            readings = {std::move(readings[is_cache ? 1 : 0])};
        }
        std::optional<RotatedDump> usual;
        std::optional<InputError> refused;
        try {
            usual = read_at_some(readings, read);
        } catch (const InputError& error) {
            refused = error;
        }
        const bool leave_a_choice =
            refused || !positions_ || found_.is_derived ||
            (asked.are_keys && positions_->array.size() <= before.array.shape.front());
        if (asked.axes.empty() && asked_.follows && leave_a_choice && (refused || !follows(*usual)))
            for (const std::string& order : likely_orders(after.array.shape, asked.heads)) {
                asked.axes = order;
                for (const StatedPositions& stated : readings) try {
                        RotatedDump dump = read_at(stated, read);
                        if (!follows(dump)) continue;
                        assumption_named(dump.read_as, "axes").from =
                            "the order in which the vectors rotate as the config says";
                        take(stated, true);
                        return dump;
                    } catch (const InputError&) {
                    }
            }
        if (!usual) throw *refused;
        return *std::move(usual);
    }

    // q to k and k to q, of as many heads: a kernel may have taken one for the other.
    void introduce_vectors() {
        std::vector<std::pair<std::string, RotatedDump*>> vectors;
        for (NamedDump& one : dumps_)
            if (auto* dump = std::get_if<RotatedDump>(&one.dump))
                vectors.emplace_back(one.name, dump);
        if (vectors.size() != 2) return;
        RotatedDump &first = *vectors[0].second, &second = *vectors[1].second;
        if (first.positions.size() != second.positions.size() ||
            head_dim_of(first) != head_dim_of(second))
            return;
        first.other = {vectors[1].first, second.before};
        second.other = {vectors[0].first, first.before};
    }

    // Without positions, q of fewer rows than k are the last ones, as in a step with a cache.
    void end_with_keys() {
        if (positions_ || found_.starts) return;
        RotatedDump *q = nullptr, *k = nullptr;
        for (NamedDump& one : dumps_)
            if (auto* dump = std::get_if<RotatedDump>(&one.dump)) (one.name == "k" ? k : q) = dump;
        if (q == nullptr || k == nullptr) return;
        const std::uint64_t length = q->grid.sequence.length, all = k->grid.sequence.length;
        if (length >= all) return;
        for (double& position : q->positions) position += static_cast<double>(all - length);
        Assumption& read = assumption_named(q->read_as, "positions");
        read = positions_read(q->positions, q->more_positions, {});
        read.from = "the last rows of k";
    }

    void add_frequencies(const NamedArray& inv_freq) {
        for (const std::string_view name : divisor_names)
            if (inv_freq.name.ends_with(name))
                throw InputError(inv_freq.name +
                                 ": holds what frequencies are divided by, not frequencies; give "
                                 "its GGUF as --config to verify or explain");
        used_.insert(inv_freq.name);
        FrequencyDump dump = frequency_dump(inv_freq, asked_);
        const auto lanes = static_cast<std::uint32_t>(2 * dump.inv_freq.size());
        dumps_.push_back({"inv_freq", std::move(dump), lanes});
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
    std::vector<NamedDump> dumps_;
};

}  // namespace

std::vector<NamedDump> load_dump(DumpTensors& tensors, const DumpHints& asked) {
    return Loader(tensors, asked).load();
}

std::vector<NamedDump> load_dump(const DumpFiles& files, const DumpHints& asked) {
    DumpTensors tensors(files);
    return load_dump(tensors, asked);
}

}  // namespace rope::io
