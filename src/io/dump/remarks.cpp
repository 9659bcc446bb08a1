// Remarks on how a dump was read: its positions may be others, and arrays may be left.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/dump/dump.hpp"

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
    // a format of t bits with unit roundoff 2⁻ᵗ cannot hold 2ᵗ + 1
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

// Adds the arrays that give other positions than a dump's, and {"rounded_positions", "33 of 65", …}
// if the ids' format cannot hold every whole number of their size and neighbours are equal.
void add_other_positions(std::vector<Assumption>& read_as, const StatedPositions& stated) {
    const Assumption* own = find_assumption(read_as, "positions");
    if (!stated.ids || own == nullptr || !own->from.starts_with(stated.ids->name)) return;
    if (!stated.differing.empty())
        read_as.push_back({"differing", join(stated.differing),
                           stated.ids->name + " holds other positions than " +
                               join(stated.differing) + " gives; rows are checked at those of " +
                               stated.ids->name});
    if (const auto rounded = rounded_positions(*stated.ids)) read_as.push_back(*rounded);
}

constexpr std::size_t most_of_a_dump = 32;  // arrays
constexpr std::size_t most_named = 6;

// {"not_read", "x, y, offset", …} with six names at most; nothing if no array is left. A
// checkpoint has more arrays than a dump, and only those with usual names count.
std::optional<Assumption> not_read(std::vector<std::string> names) {
    std::erase(names, "spec");  // which export writes
    if (names.size() > most_of_a_dump)
        std::erase_if(names, [](const std::string& name) { return !is_usual(name); });
    if (names.empty()) return std::nullopt;
    const std::size_t more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    std::string text = join(names, [](const std::string& name) { return printable(name, 100); });
    if (more > 0) text += " and " + decimal(more) + " more";
    return Assumption{"not_read", std::move(text),
                      "the file's other arrays; q=NAME, inv_freq=NAME and so on select them"};
}

// {"possible_positions", "ids", …} of the first array that is not read and has whole numbers, one
// for all rows of the vectors or one for each, where the file states no positions.
std::optional<Assumption> possible_positions(const NamedDump& dump, const DumpTensors& tensors,
                                             const StatedPositions& stated,
                                             const std::vector<std::string>& left) {
    const auto* rows = std::get_if<RotatedDump>(&dump.dump);
    if (stated.ids || stated.starts || rows == nullptr) return std::nullopt;
    for (const std::string& name : left) {
        const auto ids = tensors.usual(name);
        if (!ids || format_of(ids->array.element)) continue;
        const Shape& shape = ids->array.shape;
        if (ids->array.size() != 1 && (shape.empty() || shape.back() != rows->grid.sequence.length))
            continue;
        const std::string shown = printable(name, 100);
        return Assumption{"possible_positions", shown,
                          "positions are the numbers of the rows; if " + shown +
                              " holds the positions, pass --positions " + shown};
    }
    return std::nullopt;
}

// {"pair_not_read", "k=k_new k_rot=k_new_rot", …} of the first vectors before and after a
// rotation that no subject was made of.
std::optional<Assumption> pair_left(const DumpTensors& tensors,
                                    const std::vector<std::string>& left) {
    const auto is_left = [&](const std::string& name) {
        return std::ranges::count(left, name) > 0;
    };
    for (const Usual kind : {Usual::q, Usual::k, Usual::kv, Usual::qkv})
        for (const auto& [before, after] : tensors.other_vectors(kind)) {
            if (!is_left(before) || !is_left(after)) continue;
            const std::string side = kind == Usual::q ? "q" : "k", one = printable(before, 100),
                              other = printable(after, 100);
            return Assumption{
                "pair_not_read",
                kind == Usual::qkv ? "" : side + "=" + one + " " + side + "_rot=" + other,
                one + " and " + other + " are not checked"};
        }
    return std::nullopt;
}

}  // namespace

void add_remarks(std::vector<NamedDump>& dumps, const DumpTensors& tensors,
                 const StatedPositions& stated, std::set<std::string> read, bool are_named) {
    const auto possible = possible_positions(dumps[0], tensors, stated, tensors.names_except(read));
    if (stated.ids && !stated.is_derived) read.insert(stated.ids->name);
    const std::vector<std::string> left =
        are_named ? std::vector<std::string>{} : tensors.names_except(read);
    const auto pair = pair_left(tensors, left), others = not_read(left);
    for (NamedDump& one : dumps) {
        std::vector<Assumption>& read_as =
            *std::visit([](auto& dump) { return &dump.read_as; }, one.dump);
        add_other_positions(read_as, stated);
        for (const auto* remark : {&possible, &pair, &others})
            if (*remark && (remark != &pair || &one == &dumps.back())) read_as.push_back(**remark);
    }
}

}  // namespace rope::io
