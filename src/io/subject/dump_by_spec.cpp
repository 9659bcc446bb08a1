// Reads a dump by a Spec.
#include <ranges>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/model/resolved_model.hpp"
#include "io/subject/subject.hpp"
#include "io/text/number.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

bool fits(const Spec& spec, const NamedDump& dump) {
    return dump.dimensions == (holds<RotatedDump>(dump) ? spec.head_dim : spec.rotary_dim);
}

// The dumps as the hints read them; none if nothing fits, or a choice is left.
std::vector<NamedDump> load_if_it_fits(DumpTensors& tensors, const DumpHints& hints) try {
    return load_dump(tensors, hints);
} catch (const InputError&) {
    return {};
}

// The Spec of DeepSeek's heads, or of the rows of its latent cache, with the dimensions before
// those that rotate. Nothing if the config has no such dimensions, or the vectors hold only the
// others.
std::optional<ResolvedSpec> with_dimensions_in_front(DumpTensors& tensors, DumpHints hints,
                                                     const ResolvedSpec& asked) {
    if (asked.spec.rotary_offset != 0) return std::nullopt;
    hints.splits_heads = false;
    const ConfigFacts& facts = asked.facts;
    for (const auto& [count, key] : {std::pair(facts.nope_dimensions, "qk_nope_head_dim"),
                                     std::pair(facts.latent_dimensions, "kv_lora_rank")}) {
        if (count == 0) continue;
        ResolvedSpec whole = asked;
        whole.spec.rotary_offset = count;
        whole.spec.head_dim += count;
        for (Origin& one : whole.origins)
            if (one.field == "head_dim") one.from = std::string(key) + " + qk_rope_head_dim";
        hints.spec = whole.spec;
        if (std::ranges::any_of(load_if_it_fits(tensors, hints), holds<RotatedDump>)) return whole;
    }
    return std::nullopt;  // the vectors hold only dimensions that rotate
}

// The Spec of only the dimensions that rotate, as kernels get them; nothing if all rotate.
std::optional<ResolvedSpec> rotating_part(const ResolvedSpec& asked) {
    if (asked.spec.rotary_dim == asked.spec.head_dim) return std::nullopt;
    ResolvedSpec part = asked;
    part.spec.head_dim = part.spec.rotary_dim;
    part.spec.rotary_offset = 0;
    part.facts.nope_dimensions = part.facts.latent_dimensions = 0;
    for (Origin& one : part.origins)
        if (one.field == "head_dim") one.from = "the vectors hold only the dimensions that rotate";
    return part;
}

// Adds the pairs that do not rotate to a table or inv_freq that leaves them out, as those of
// rope_type proportional may.
void add_still_pairs(NamedDump& one, const Spec& spec) {
    if (holds<RotatedDump>(one) || one.dimensions >= spec.rotary_dim) return;
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

std::optional<std::size_t> mistakes_in(const Spec& spec, const Dump& dump) {
    const Report report = compare(spec, dump);
    const auto is_explained = [](const Explanation& one) { return one.after <= 1; };
    if (report.diagnosis.empty() || !report.observations.empty() ||
        !std::ranges::all_of(report.diagnosis, is_explained))
        return std::nullopt;
    // a list of the rows' places is longer than any rule
    const auto lists_places = [](const Explanation& one) {
        const auto is_of_rows = [](const auto& parameter) { return parameter.first == "rows"; };
        return one.mistake == "position-source" && std::ranges::any_of(one.parameters, is_of_rows);
    };
    return report.diagnosis.size() +
           static_cast<std::size_t>(std::ranges::count_if(report.diagnosis, lists_places));
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
            if (!is_kept(dump, dump.before.at(row, dimension), dump.after.at(row, dimension)))
                return false;
    return true;
}

// Where some layers of the config do not rotate and no layer is known, throws InputError if no
// vector is rotated, and else adds {"still_layers", "layers 3, 7, …, 35", …} to the last vectors.
void require_layer(std::vector<NamedDump>& dumps, const ResolvedSpec& asked) {
    const auto last = std::ranges::find_if(dumps.rbegin(), dumps.rend(), holds<RotatedDump>);
    if (last == dumps.rend() || asked.still_layers.empty()) return;
    auto& vectors = std::get<RotatedDump>(last->dump);
    if (are_unrotated(dumps))
        throw InputError(vectors.origin + ": no row is rotated, which is right in " +
                         asked.still_layers +
                         " of the config and wrong in the others; name the layer of the dump with "
                         "--layers N");
    vectors.read_as.push_back({"still_layers", asked.still_layers,
                               "by the config " + asked.still_layers +
                                   " must not rotate; --layers N checks a dump as that of layer "
                                   "N"});
}

// Throws InputError for vectors of several heads if the model rotates only the first one.
void require_one_head(const std::vector<NamedDump>& dumps, const ResolvedSpec& asked) {
    if (!asked.facts.has("one_head_rotates")) return;
    for (const NamedDump& one : dumps)
        if (const auto* vectors = std::get_if<RotatedDump>(&one.dump);
            vectors != nullptr && vectors->grid.head.length > 1)
            throw InputError(one.name + ": has " + decimal(vectors->grid.head.length) +
                             " heads, of which the model of the config rotates head 0 only; save "
                             "the vectors of head 0 alone");
}

// Places the rows of all dumps. Where the values show the places, those of the first dump are those
// of all, as q, k and tables have the same tokens; without such a dump throws InputError.
void place_all(std::vector<NamedDump>& dumps, ResolvedSpec& asked,
               const std::optional<NamedArray>& grids) {
    const NamedDump* placed = nullptr;
    std::vector<NamedDump*> others;
    std::optional<InputError> refused;
    for (NamedDump& one : dumps) {
        if (!fits(asked.spec, one)) continue;
        try {
            place_on_axes(one, asked, grids, placed);
            if (placed == nullptr && follows(asked.spec, one.dump)) placed = &one;
        } catch (const InputError& error) {
            refused = refused ? refused : error;
            others.push_back(&one);
        }
    }
    if (placed == nullptr && refused) throw InputError(*refused);
    for (NamedDump* one : others) place_on_axes(*one, asked, grids, placed);
    const auto image = std::ranges::find_if(dumps, [&](const NamedDump& one) {
        return is_on_a_grid(one.dump) && fits(asked.spec, one) && follows(asked.spec, one.dump);
    });
    for (NamedDump& one : dumps)
        if (image != dumps.end() && !is_on_a_grid(one.dump) && fits(asked.spec, one))
            place_on_axes(one, asked, grids, &*image);
}

}  // namespace

bool are_unrotated(std::span<const NamedDump> dumps) {
    // a table or inv_freq has a verdict of any layer
    return std::ranges::all_of(dumps, [](const NamedDump& one) {
        const auto* vectors = std::get_if<RotatedDump>(&one.dump);
        return vectors != nullptr && !are_at_0(*vectors) && is_unchanged(*vectors);
    });
}

bool follows(const Spec& spec, const Dump& dump) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    const auto* table = std::get_if<TableDump>(&dump);
    if (vectors != nullptr ? head_dim_of(*vectors) != spec.head_dim
                           : table != nullptr && table->pairs != spec.pairs())
        return false;
    if (vectors != nullptr && are_at_0(*vectors)) return false;
    try {
        if (vectors == nullptr) return rotates_by(spec, dump);
        Spec own = spec;  // with the table of the last position
        if (!own.seq_len && short_length(own)) own.seq_len = context_of(vectors->positions);
        const RotatedDump some = some_rows(*vectors);
        return !some.positions.empty() && rotates_by(own, some);
    } catch (const InputError&) {  // nothing is left to check
        return false;
    }
}

void require_place(const std::vector<NamedDump>& dumps,
                   const std::function<bool(const NamedDump&)>& follow) {
    const auto k = std::ranges::find(dumps, "k", &NamedDump::name);
    for (const NamedDump& one : dumps) {
        const auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr || k == dumps.end() || &one == &*k) continue;
        const Assumption* read = find_assumption(vectors->read_as, "positions");
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
    if (auto whole = with_dimensions_in_front(tensors, hints, asked)) asked = *std::move(whole);
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
        hints.mistakes = [&](const Dump& dump) { return mistakes_in(asked.spec, dump); };
        dumps = load_dump(tensors, hints);
        for (NamedDump& one : dumps) add_still_pairs(one, asked.spec);
    } catch (const OpenOrder&) {
        throw;
    } catch (const InputError&) {
        if (auto part = rotating_part(asked)) try {
                DumpHints of_part = plain;
                of_part.splits_heads = false;
                auto found = load_dump_by(tensors, of_part, *part);
                if (std::ranges::any_of(found, holds<RotatedDump>)) {
                    asked = *std::move(part);
                    return found;
                }
            } catch (const InputError&) {  // the vectors are of another width
            }
        dumps = load_if_it_fits(tensors, plain);
        for (NamedDump& one : dumps) add_still_pairs(one, asked.spec);
        // a rotation of another part of the same head is a mistake, any other width another dump
        const auto is_usable = [&](const NamedDump& one) {
            return fits(asked.spec, one) ||
                   (!holds<RotatedDump>(one) && one.dimensions <= asked.spec.head_dim);
        };
        if (dumps.empty() || !std::ranges::all_of(dumps, is_usable)) throw;
        for (const NamedDump& one : dumps) require_axes(one, asked);
        return dumps;
    }
    require_place(dumps, [&](const NamedDump& one) { return follows(asked.spec, one.dump); });
    require_layer(dumps, asked);
    require_one_head(dumps, asked);
    if (axis_count(asked.spec.axes) > 1)
        place_all(dumps, asked, tensors.first_of(Usual::grid_sizes));
    return dumps;
}

void warn_of_inv_freq(ResolvedSpec& resolved, const DumpTensors& tensors) {
    constexpr double most_off = 0.01;  // 16 bits round by less
    const std::vector<NamedArray> all = tensors.all_of(Usual::inv_freq);
    if (all.size() != 1 || all[0].array.size() != resolved.spec.pairs()) return;
    const std::vector<double> own = all[0].array.values();
    const auto is_near = [](double got, double want) {
        return std::abs(got - want) <= most_off * std::abs(want);
    };
    Spec unscaled = resolved.spec;
    unscaled.scaling = {};
    const auto wanted = plan_frequencies(resolved.spec, exact_precision).inv_freq();
    const auto off = std::ranges::mismatch(own, wanted, is_near);
    if (off.in1 == own.end() ||
        std::ranges::equal(own, plan_frequencies(unscaled, exact_precision).inv_freq(), is_near))
        return;
    resolved.lint.push_back({"inv_freq-differs", Severity::warning, printable(all[0].name, 100),
                             "is not checked, and it differs: pair " +
                                 decimal(off.in1 - own.begin()) + " is " +
                                 significant(*off.in1, 6) + ", not " + significant(*off.in2, 6) +
                                 "; inv_freq=NAME checks it"});
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
