#include <algorithm>

#include "io/dump.hpp"
#include "io/dump_positions.hpp"
#include "io/printable.hpp"
#include "io/stacked_tables.hpp"
#include "io/tensor_file.hpp"
#include "io/tensor_names.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

using Found = std::optional<NamedArray>;

// The tensors that the command line names, and those of a file by their usual names.
class Tensors {
  public:
    explicit Tensors(const std::string& file) {
        if (!file.empty()) file_ = open_tensor_file(file);
    }

    bool has_file() const { return file_.has_value(); }
    // The only tensor of the file, whatever it is called.
    bool has_one() const { return file_ && file_->names().size() == 1; }
    NamedArray only() const { return file_->named_array(file_->names().front()); }
    const std::string& file_name() const { return file_->name(); }

    // One that was asked for: a member of the file, or one of another.
    NamedArray named(const std::string& value) const {
        if (file_ && file_->has(value)) return file_->named_array(value);
        if (file_ && value.find_first_of("./:") == value.npos) return file_->named_array(value);
        return load_array(value);
    }
    Found named_if(const std::string& value) const {
        if (value.empty()) return std::nullopt;
        return named(value);
    }

    // By a usual name, or the only name that ends in a dot and it.
    Found usual(std::string_view name) const {
        if (!file_) return std::nullopt;
        if (file_->has(name)) return file_->named_array(std::string(name));
        const std::string ending = "." + std::string(name);
        std::vector<std::string> names = file_->names();
        std::erase_if(names, [&](const std::string& one) { return !one.ends_with(ending); });
        if (names.size() != 1) return std::nullopt;
        return file_->named_array(names.front());
    }
    template <class Names>
    Found first_of(const Names& names) const {
        for (const std::string_view name : names)
            if (Found found = usual(name)) return found;
        return std::nullopt;
    }
    template <class Names>
    std::optional<std::pair<NamedArray, NamedArray>> first_two_of(const Names& names) const {
        for (const auto& [first, second] : names)
            if (Found one = usual(first))
                if (Found other = usual(second)) return std::pair(*one, *other);
        return std::nullopt;
    }

    std::string member_names() const {
        std::string names;
        for (const std::string& name : file_->names())
            names += (names.empty() ? "" : ", ") + printable(name);
        return names;
    }

  private:
    std::optional<TensorFile> file_;
};

bool is_one_row(const NamedArray& array) {
    return std::all_of(
        array.array.shape.begin(), array.array.shape.end(),
        [&](std::uint64_t length) { return length == 1 || length == array.array.size(); });
}

// A table that is kept for every position, rather than made for those of the vectors.
bool is_cache(const NamedArray& table) {
    return table.name.ends_with("_cache") || table.name.ends_with("_cached");
}

class Loader {
  public:
    Loader(const DumpFiles& files, const Asked& asked)
        : files_(files), asked_(asked), tensors_(files.dump) {
        positions_ = tensors_.named_if(files.positions);
        if (!positions_) positions_ = tensors_.first_of(position_names);
    }

    std::vector<NamedDump> load() {
        load_named();
        if (dumps_.empty() && tensors_.has_file()) load_usual();
        if (dumps_.empty() && tensors_.has_file()) load_only();
        if (dumps_.empty())
            throw InputError(tensors_.has_file()
                                 ? tensors_.file_name() +
                                       ": holds no cos and sin, no cos_sin, no q and q_rot and no "
                                       "inv_freq; name its tensors with --cos and --sin, --q and "
                                       "--q-rot …; it has " +
                                       tensors_.member_names()
                                 : "a dump is a file, or cos and sin, or vectors before and "
                                   "after rotation, or inv_freq");
        return std::move(dumps_);
    }

  private:
    void load_named() {
        const auto& f = files_;
        if (const Found cos = tensors_.named_if(f.cos)) add_table(*cos, tensors_.named(f.sin));
        if (!f.cos_sin.empty()) add_table(tensors_.named(f.cos_sin), asked_.layout);
        if (!f.angles.empty()) add_table(tensors_.named(f.angles), CacheLayout::angles);
        if (const Found q = tensors_.named_if(f.q)) add_vectors("q", *q, tensors_.named(f.q_rot));
        if (const Found k = tensors_.named_if(f.k)) add_vectors("k", *k, tensors_.named(f.k_rot));
        if (!f.inv_freq.empty()) add_frequencies(tensors_.named(f.inv_freq));
    }

    void load_usual() {
        if (const auto two = tensors_.first_two_of(cos_and_sin_names))
            add_table(two->first, two->second);
        else if (const Found both = tensors_.first_of(cos_sin_names))
            add_table(*both, asked_.layout);
        else if (const Found angles = usual_angles())
            add_table(*angles, CacheLayout::angles);
        if (const auto q = tensors_.first_two_of(q_names)) add_vectors("q", q->first, q->second);
        if (const auto k = tensors_.first_two_of(k_names)) add_vectors("k", k->first, k->second);
        for (const std::string_view name : inv_freq_names)
            if (dumps_.empty())
                if (const Found inv_freq = tensors_.usual(name)) add_frequencies(*inv_freq);
        for (NamedDump& one : dumps_)
            std::visit([&](auto& dump) { dump.origin = tensors_.file_name(); }, one.dump);
    }

    void load_only() {
        if (!tensors_.has_one()) return;
        const NamedArray only = tensors_.only();
        if (!asked_.layout && is_one_row(only) && only.array.shape.size() == 1)
            add_frequencies(only);
        else
            add_table(only, asked_.layout);
    }

    Found usual_angles() const {
        for (const std::string_view name : angle_names)
            if (Found found = tensors_.usual(name); found && !is_one_row(*found)) return found;
        return std::nullopt;
    }

    Found positions_of(const NamedArray& table) const {
        return is_cache(table) && files_.positions.empty() ? std::nullopt : positions_;
    }

    void add_table(const NamedArray& cos, const NamedArray& sin) {
        add_table(table_dump(cos, sin, positions_of(cos), asked_), positions_of(cos).has_value());
    }
    void add_table(const NamedArray& both, std::optional<CacheLayout> layout) {
        Asked asked = asked_;
        asked.layout = layout;
        const Found positions = positions_of(both);
        add_table(table_dump(both, positions, asked), positions.has_value());
    }

    // Two tables that follow on are longrope's short and long one where the Spec is longrope's.
    void add_table(const TableDump& dump, bool has_positions) {
        const std::vector<TableDump> tables =
            has_positions ? std::vector{dump} : stacked_tables(dump);
        const bool is_longrope = asked_.spec && tables.size() == 2 &&
                                 asked_.spec->scaling.rope_type == "longrope" &&
                                 asked_.spec->scaling.original_max_position_embeddings;
        for (std::size_t k = 0; k < tables.size(); ++k) {
            NamedDump one{"table", tables[k], 2 * dump.pairs};
            if (tables.size() > 1) one.name += " " + decimal(std::uint64_t{k + 1});
            if (is_longrope)
                one.seq_len = *asked_.spec->scaling.original_max_position_embeddings + k;
            dumps_.push_back(std::move(one));
        }
    }

    void add_vectors(const char* name, const NamedArray& before, const NamedArray& after) {
        RotatedDump dump = rotated_dump(before, after, positions_, asked_);
        dumps_.push_back(
            {name, std::move(dump), static_cast<std::uint32_t>(before.array.shape.back())});
    }

    void add_frequencies(const NamedArray& inv_freq) {
        FrequencyDump dump = frequency_dump(inv_freq);
        const auto lanes = static_cast<std::uint32_t>(2 * dump.inv_freq.size());
        dumps_.push_back({"inv_freq", std::move(dump), lanes});
    }

    const DumpFiles& files_;
    const Asked& asked_;
    Tensors tensors_;
    Found positions_;
    std::vector<NamedDump> dumps_;
};

void require_both(const std::string& one, const std::string& other, const char* names) {
    if (one.empty() != other.empty())
        throw InputError(std::string(names) + " belong together; name both");
}

}  // namespace

std::vector<NamedDump> load_dump(const DumpFiles& files, const Asked& asked) {
    require_both(files.cos, files.sin, "--cos and --sin");
    require_both(files.q, files.q_rot, "--q and --q-rot");
    require_both(files.k, files.k_rot, "--k and --k-rot");
    return Loader(files, asked).load();
}

}  // namespace rope::io
