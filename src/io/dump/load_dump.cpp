#include <algorithm>
#include <set>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/dump_positions.hpp"
#include "io/dump/dump_tensors.hpp"
#include "io/dump/not_read.hpp"
#include "io/dump/other_encodings.hpp"
#include "io/dump/read_as.hpp"
#include "io/dump/stacked_tables.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {
namespace {

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

class Loader {
  public:
    Loader(DumpTensors& tensors, const DumpHints& asked)
        : files_(tensors.files()),
          asked_(asked),
          tensors_(tensors),
          found_(find_positions(tensors)),
          positions_(found_.ids) {
        has_vectors_ = !files_.q.empty() || !files_.k.empty() || tensors_.first_of(q_names) ||
                       tensors_.first_of(k_names);
    }

    std::vector<NamedDump> load() {
        load_named();
        const bool are_named = !dumps_.empty();
        if (!are_named) load_usual();
        if (dumps_.empty()) load_only();
        if (dumps_.empty()) throw InputError(tensors_.say_what_is_missing());
        introduce_vectors();
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
        if (const auto q = tensors_.first_of(q_names)) add_vectors("q", q->first, q->second);
        if (const auto k = tensors_.first_of(k_names)) add_vectors("k", k->first, k->second);
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
        if (positions_) used_.insert(positions_->name);
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
    MaybeArray positions_of(const NamedArray& table) const {
        if (positions_ && has_vectors_ && is_cache(table, *positions_, asked_)) return std::nullopt;
        return positions_;
    }

    void add_table(const NamedArray& cos, const NamedArray& sin) {
        used_.insert({cos.name, sin.name});
        const MaybeArray positions = positions_of(cos);
        add_table(table_dump(cos, sin, positions, asked_), positions.has_value());
    }
    void add_table(const NamedArray& both, std::optional<CacheLayout> layout) {
        used_.insert(both.name);
        if (!layout) refuse_other_encodings(both);
        DumpHints asked = asked_;
        asked.layout = layout;
        const MaybeArray positions = positions_of(both);
        TableDump dump = table_dump(both, positions, asked);
        if (!asked_.layout && layout)
            assumption_named(dump.read_as, "cache_layout").from =
                files_.angles.empty() ? "its name" : "--angles";
        add_table(std::move(dump), positions.has_value());
    }

    // Two concatenated tables are longrope's short and long one if the Spec is longrope's.
    void add_table(TableDump dump, bool has_positions) {
        if (positions_ && !has_positions)
            assumption_named(dump.read_as, "positions").from =
                "row numbers: " + positions_->name + " is for the vectors";
        const std::vector<TableDump> tables =
            has_positions ? std::vector{dump} : stacked_tables(dump);
        const bool is_longrope = asked_.spec && tables.size() == 2 &&
                                 asked_.spec->scaling.rope_type == "longrope" &&
                                 asked_.spec->scaling.original_max_position_embeddings;
        for (std::size_t k = 0; k < tables.size(); ++k) {
            NamedDump one{"table", tables[k], 2 * dump.pairs};
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
        if (*name == 'k') asked.heads = asked.key_heads;
        RotatedDump dump = rotated_dump(before, after, positions_, asked);
        const auto lanes = static_cast<std::uint32_t>(dump.before.size() / dump.positions.size());
        dumps_.push_back({name, std::move(dump), lanes});
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
    DumpPositions found_;
    const MaybeArray& positions_;
    std::set<std::string> used_;  // arrays that became a subject
    bool has_vectors_ = false;
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
