#include "io/subject/dump_by_spec.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>

#include "base/decimal.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/subject/placed_on_axes.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/number/row_sample.hpp"
#include "rope/session/session.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::io {
namespace {

bool holds_vectors(const NamedDump& one) { return std::holds_alternative<RotatedDump>(one.dump); }

bool fits(const Spec& spec, const NamedDump& dump) {
    return dump.lanes == (holds_vectors(dump) ? spec.head_dim : spec.rotary_dim);
}

// A wrong part of the same head rotates, which is a mistake; any other width is a different dump.
bool has_other_rotary_dim(const Spec& spec, const NamedDump& dump) {
    return !holds_vectors(dump) && dump.lanes != spec.rotary_dim && dump.lanes <= spec.head_dim;
}

// DeepSeek's heads with the lanes before those that rotate: none where the config has none, or the
// vectors are of the latter alone.
std::optional<ResolvedSpec> with_nope_lanes(DumpTensors& tensors, DumpHints hints,
                                            const ResolvedSpec& asked) {
    if (asked.facts.nope_lanes == 0 || asked.spec.rotary_offset != 0) return std::nullopt;
    ResolvedSpec whole = asked;
    whole.spec.rotary_offset = asked.facts.nope_lanes;
    whole.spec.head_dim += asked.facts.nope_lanes;
    for (Origin& one : whole.origins)
        if (one.field == "head_dim") one.from = "qk_nope_head_dim + qk_rope_head_dim";
    hints.spec = whole.spec;
    hints.splits_heads = false;
    try {
        if (std::ranges::any_of(load_dump(tensors, hints), holds_vectors)) return whole;
        return std::nullopt;
    } catch (const InputError&) {  // they are the heads' rotating parts
        return std::nullopt;
    }
}

// By their shape alone; none where that leaves open what they are.
std::vector<NamedDump> load_by_shape(DumpTensors& tensors, const DumpHints& hints) {
    try {
        return load_dump(tensors, hints);
    } catch (const InputError&) {
        return {};
    }
}

// Some of its rows that are not zero, spread over all.
RotatedDump some_rows(const RotatedDump& dump) {
    constexpr std::size_t most = 64;
    const std::uint64_t lanes = head_dim_of(dump), rows = dump.positions.size();
    RotatedDump some;
    some.format = dump.format;
    some.stored_in = dump.stored_in;
    some.scale_rounding = dump.scale_rounding;
    some.roundings = dump.roundings;
    some.more_positions.resize(dump.more_positions.size());
    std::vector<double> before, after;
    for (std::uint64_t k = 0; k < rows && some.positions.size() < most; ++k) {
        const std::uint64_t row = sampled_row(k, rows, most);
        const auto is_zero = [&](std::uint64_t lane) { return dump.before.at(row, lane) == 0; };
        if (std::ranges::all_of(std::views::iota(std::uint64_t{0}, lanes), is_zero)) continue;
        some.positions.push_back(dump.positions[row]);
        for (std::size_t axis = 0; axis < some.more_positions.size(); ++axis)
            some.more_positions[axis].push_back(dump.more_positions[axis][row]);
        for (std::uint64_t lane = 0; lane < lanes; ++lane) {
            before.push_back(dump.before.at(row, lane));
            after.push_back(dump.after.at(row, lane));
        }
    }
    some.before = StridedRows(std::move(before), lanes);
    some.after = StridedRows(std::move(after), lanes);
    return some;
}

// Whether it is what the Spec asks for, by some rows of vectors and all of a table.
bool follows(const Spec& spec, const Dump& dump) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    const auto* table = std::get_if<TableDump>(&dump);
    if (vectors != nullptr ? head_dim_of(*vectors) != spec.head_dim
                           : table != nullptr && table->pairs != spec.pairs())
        return false;
    try {
        return rotates_by(spec, vectors != nullptr ? some_rows(*vectors) : dump);
    } catch (const InputError&) {  // nothing is left to check
        return false;
    }
}

}  // namespace

std::vector<NamedDump> load_dump_by(DumpTensors& tensors, DumpHints hints, ResolvedSpec& asked) {
    if (auto whole = with_nope_lanes(tensors, hints, asked)) asked = *std::move(whole);
    const DumpHints plain = hints;
    hints.spec = asked.spec;
    const ConfigFacts& facts = asked.facts;
    if (facts.heads != 0) hints.heads = {facts.heads};
    if (facts.key_heads != 0) hints.key_heads = {facts.key_heads, facts.heads};
    std::vector<NamedDump> dumps;
    try {
        hints.follows = [&](const Dump& dump) { return follows(asked.spec, dump); };
        dumps = load_dump(tensors, hints);
    } catch (const InputError&) {
        dumps = load_by_shape(tensors, plain);
        const auto is_usable = [&](const NamedDump& one) {
            return fits(asked.spec, one) || has_other_rotary_dim(asked.spec, one);
        };
        if (dumps.empty() || !std::ranges::all_of(dumps, is_usable)) throw;
        return dumps;
    }
    for (NamedDump& one : dumps)
        if (axis_count(asked.spec.axes) > 1 && fits(asked.spec, one))
            place_on_axes(one, asked.spec, tensors.first_of(grid_names).has_value());
    return dumps;
}

void choose_table_of(ResolvedSpec& resolved, const NamedDump& dump, std::uint64_t context) {
    if (dump.seq_len) return choose_table(resolved, *dump.seq_len, "the dump's two tables");
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump.dump))
        return context != 0 ? choose_table(resolved, context, "--context")
                            : choose_nearest_table(resolved, frequencies->inv_freq);
    std::visit(
        [&](const auto& rows) {
            if constexpr (requires { rows.positions; })
                if (!rows.positions.empty())
                    choose_table(resolved, context_of(rows.positions), "the dump's last position");
        },
        dump.dump);
}

namespace {

bool explains_all(const std::vector<NamedDump>& dumps, const TableUse& use) {
    const TableDump& table = only_table(dumps);
    return std::ranges::all_of(dumps, [&](const NamedDump& one) {
        const auto* vectors = std::get_if<RotatedDump>(&one.dump);
        return vectors == nullptr ||
               summarize(judge_by_table(in_heads_of(one, use), *vectors, table)).violated == 0;
    });
}

}  // namespace

const TableDump& only_table(const std::vector<NamedDump>& dumps) {
    const TableDump* found = nullptr;
    for (const NamedDump& one : dumps)
        if (const auto* table = std::get_if<TableDump>(&one.dump)) {
            if (found != nullptr)
                throw InputError("--table", ": the dump holds several tables, one after the other");
            found = table;
        }
    if (found == nullptr)
        throw InputError("--table",
                         ": the dump holds no table of cos and sin; name it with --cos and "
                         "--sin");
    return *found;
}

TableUse in_heads_of(const NamedDump& vectors, TableUse use) {
    use.place.head_dim = vectors.lanes;
    return use;
}

std::vector<NamedDump> load_with_table(DumpTensors& tensors, DumpHints hints, const TableUse& use) {
    std::vector<NamedDump> dumps = load_dump(tensors, hints);
    const std::uint32_t rotary_dim = 2 * only_table(dumps).pairs;
    const auto may_be_fused = [&](const NamedDump& one) {
        return std::holds_alternative<RotatedDump>(one.dump) && one.lanes > rotary_dim &&
               one.lanes % rotary_dim == 0;
    };
    if (hints.head_dim || std::ranges::none_of(dumps, may_be_fused) || explains_all(dumps, use))
        return dumps;
    hints.head_dim = rotary_dim;
    std::vector<NamedDump> fused = load_dump(tensors, hints);
    return explains_all(fused, use) ? fused : dumps;
}

namespace {

double usual_centre(const std::vector<NamedDump>& dumps) {
    std::uint64_t length = 0;
    for (const NamedDump& one : dumps)
        if (const auto* vectors = std::get_if<RotatedDump>(&one.dump))
            length = std::max(length, context_of(vectors->positions));
    return std::ceil(static_cast<double>(length) / 2);
}

}  // namespace

void take_scale_off(std::vector<NamedDump>& dumps, double scale) {
    const auto is_query = [](const NamedDump& one) {
        return std::holds_alternative<RotatedDump>(one.dump) && !one.name.starts_with('k');
    };
    const bool has_queries = std::ranges::any_of(dumps, is_query);
    bool is_taken = false;
    for (NamedDump& one : dumps) {
        auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr || (has_queries && !is_query(one))) continue;
        vectors->after = vectors->after.divided_by(
            std::make_shared<const std::vector<double>>(vectors->positions.size(), scale));
        int exponent = 0;
        // the factor and its product are rounded
        if (std::frexp(scale, &exponent) != 0.5)
            vectors->scale_rounding = 2 * unit_roundoff(vectors->format);
        vectors->read_as.push_back({"scale", decimal(scale), "--after"});
        is_taken = true;
    }
    if (!is_taken)
        throw InputError("--after", ": the dump holds no vectors; name them with --q and --q-rot");
}

void take_xpos_off(std::vector<NamedDump>& dumps, const Spec& spec, double base,
                   std::optional<double> centre) {
    const Xpos xpos{base, centre ? *centre : usual_centre(dumps)};
    for (NamedDump& one : dumps) {
        auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr)
            throw InputError(
                "--xpos",
                ": " + one.name + " does not hold vectors; name them with --q and --q-rot");
        const XposSide side = one.name.starts_with('k') ? XposSide::key : XposSide::query;
        *vectors = without_xpos(spec, std::move(*vectors), xpos, side);
        vectors->read_as.push_back(
            {"xpos", decimal(xpos.base) + ", centre " + decimal(xpos.centre), "--xpos"});
    }
}

}  // namespace rope::io
