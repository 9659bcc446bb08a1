#include "cli/command/dump_cases.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "cli/command/identifying.hpp"
#include "cli/shell/specs.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/text/number.hpp"
#include "rope/session/xpos.hpp"
#include "rope/subject/positions.hpp"

namespace rope::cli {
namespace {

bool fits(const Spec& spec, const io::NamedDump& dump) {
    return std::holds_alternative<RotatedDump>(dump.dump) ? dump.lanes == spec.head_dim
                                                          : dump.lanes == spec.rotary_dim;
}

// A wrong part of the same head rotates, which is a mistake; any other width is a different dump.
bool has_other_rotary_dim(const Spec& spec, const io::NamedDump& dump) {
    return !std::holds_alternative<RotatedDump>(dump.dump) && dump.lanes != spec.rotary_dim &&
           dump.lanes <= spec.head_dim;
}

// DeepSeek's heads with the lanes before those that rotate: none where the config has none, or the
// vectors are of the latter alone.
std::optional<io::ResolvedSpec> with_nope_lanes(io::DumpTensors& tensors, io::DumpHints hints,
                                                const io::ResolvedSpec& asked) {
    if (asked.facts.nope_lanes == 0 || asked.spec.rotary_offset != 0) return std::nullopt;
    io::ResolvedSpec whole = asked;
    whole.spec.rotary_offset = asked.facts.nope_lanes;
    whole.spec.head_dim += asked.facts.nope_lanes;
    for (Origin& one : whole.origins)
        if (one.field == "head_dim") one.from = "qk_nope_head_dim + qk_rope_head_dim";
    hints.spec = whole.spec;
    hints.splits_heads = false;
    try {
        const std::vector<io::NamedDump> dumps = load_dump(tensors, hints);
        const auto is_whole = [&](const io::NamedDump& one) {
            return std::holds_alternative<RotatedDump>(one.dump);
        };
        if (std::ranges::any_of(dumps, is_whole)) return whole;
        return std::nullopt;
    } catch (const InputError&) {  // they are the heads' rotating parts
        return std::nullopt;
    }
}

// Dumps read by the Spec; if none has its width, by their shape alone.
std::vector<io::NamedDump> load(io::DumpTensors& tensors, io::DumpHints asked,
                                const io::ResolvedSpec* spec) {
    if (spec == nullptr) return load_dump(tensors, asked);
    const io::DumpHints plain = asked;
    asked.spec = spec->spec;
    if (spec->facts.heads != 0) asked.heads = {spec->facts.heads};
    if (spec->facts.key_heads != 0) asked.key_heads = {spec->facts.key_heads, spec->facts.heads};
    try {
        return load_dump(tensors, asked);
    } catch (const InputError&) {
        std::vector<io::NamedDump> dumps;
        try {
            dumps = load_dump(tensors, plain);
        } catch (const InputError&) {
            dumps.clear();
        }
        const auto is_usable = [&](const io::NamedDump& one) {
            return fits(spec->spec, one) || has_other_rotary_dim(spec->spec, one);
        };
        if (dumps.empty() || !std::all_of(dumps.begin(), dumps.end(), is_usable)) throw;
        return dumps;
    }
}

// BASE[:CENTRE]; of L positions torchscale's centre is ⌈L/2⌉.
Xpos parse_xpos(const std::string& text, std::span<const io::NamedDump> dumps) {
    const std::size_t colon = text.find(':');
    Xpos xpos{.base = io::parse_real("--xpos", text.substr(0, colon))};
    if (!(xpos.base >= 1 && xpos.base <= static_cast<double>(max_context)))
        throw InputError("--xpos", printable(text), "a BASE from 1 to 2^32, as in 512");
    if (colon != text.npos) {
        xpos.centre = io::parse_real("--xpos", text.substr(colon + 1));
        if (!(std::abs(xpos.centre) <= static_cast<double>(max_context)))
            throw InputError("--xpos", printable(text), "a CENTRE from -2^32 to 2^32");
        return xpos;
    }
    std::uint64_t length = 0;
    for (const io::NamedDump& one : dumps)
        if (const auto* vectors = std::get_if<RotatedDump>(&one.dump))
            length = std::max(length, context_of(vectors->positions));
    xpos.centre = std::ceil(static_cast<double>(length) / 2);
    return xpos;
}

// What is judged is the rotation: xPos' scales are in no table and in no law but that of scores.
void take_xpos_off(std::vector<io::NamedDump>& dumps, const Spec* spec, const std::string& text) {
    if (spec == nullptr)
        throw InputError("--xpos", "needs the SPEC of the rotation, such as --dim 64");
    const Xpos xpos = parse_xpos(text, dumps);
    for (io::NamedDump& one : dumps) {
        auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr)
            throw InputError(
                "--xpos",
                ": " + one.name + " does not hold vectors; name them with --q and --q-rot");
        const XposSide side = one.name.starts_with('k') ? XposSide::key : XposSide::query;
        *vectors = without_xpos(*spec, std::move(*vectors), xpos, side);
        vectors->read_as.push_back(
            {"xpos", decimal(xpos.base) + ", centre " + decimal(xpos.centre), "--xpos"});
    }
}

bool names_spec(const Arguments& arguments) {
    return arguments.has("--config") || !arguments.spec_flags.empty();
}

// Of two concatenated tables each is its own; else the positions choose, of frequencies --context
// or they themselves.
void choose_table(io::ResolvedSpec& resolved, const io::NamedDump& dump, std::uint64_t context) {
    if (dump.seq_len) return io::choose_table(resolved, *dump.seq_len, "the dump's two tables");
    if (const auto* frequencies = std::get_if<FrequencyDump>(&dump.dump))
        return context != 0 ? io::choose_table(resolved, context, "--context")
                            : io::choose_nearest_table(resolved, frequencies->inv_freq);
    std::visit(
        [&](const auto& rows) {
            if constexpr (requires { rows.positions; })
                if (!rows.positions.empty())
                    io::choose_table(resolved, context_of(rows.positions),
                                     "the dump's last position");
        },
        dump.dump);
}

CompareOptions compare_options(const Arguments& arguments) {
    CompareOptions how;
    if (const auto name = arguments.value("--pipeline")) how.pipeline = &pipeline_named(*name);
    if (const auto context = arguments.value("--context"))
        how.context = io::parse_whole("--context", *context, 1, max_context);
    return how;
}

io::DumpHints dump_hints(const Arguments& arguments) {
    io::DumpHints hints;
    hints.axes = arguments.value("--axes").value_or("");
    if (const auto name = arguments.value("--cache-layout")) {
        hints.layout = io::parse_cache_layout(*name);
    }
    return hints;
}

}  // namespace

AskedDump asked_dump(const Arguments& arguments) {
    return {dump_hints(arguments), compare_options(arguments)};
}

DumpCases dump_cases(io::DumpTensors& tensors, const AskedDump& how_asked,
                     const Arguments& arguments) {
    const io::DumpHints& hints = how_asked.hints;
    const CompareOptions& how = how_asked.how;
    std::optional<io::ResolvedSpec> asked;
    if (names_spec(arguments)) asked = spec_of(arguments);
    if (asked)
        if (auto whole = with_nope_lanes(tensors, hints, *asked)) asked = std::move(whole);
    DumpCases all;
    all.dumps = load(tensors, hints, asked ? &*asked : nullptr);
    if (const auto xpos = arguments.value("--xpos"))
        take_xpos_off(all.dumps, asked ? &asked->spec : nullptr, *xpos);
    const KnownSpecs known = asked ? KnownSpecs{} : known_specs();
    for (io::NamedDump& dump : all.dumps) {
        Identified found;
        if (!asked) found = identified_in_heads(dump, tensors, hints, known);
        io::ResolvedSpec resolved = asked ? *asked : found.resolved;
        choose_table(resolved, dump, how.context);
        if (std::holds_alternative<FrequencyDump>(dump.dump))
            (void)context_to_check(how.context != 0 ? std::optional(how.context) : std::nullopt,
                                   resolved.spec.max_position_embeddings, resolved.spec, arguments);
        CompareOptions own = how;
        if (asked) own.facts = resolved.facts;
        const auto judge = [&dump, own, spec = resolved.spec](const SessionOptions& options) {
            return compare(spec, dump.dump, own, options);
        };
        all.cases.push_back(
            {std::move(resolved), judge, all.dumps.size() > 1 ? dump.name : "", found.identity});
    }
    return all;
}

}  // namespace rope::cli
