#include "cli/command/dump_cases.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "base/printable.hpp"
#include "cli/shell/specs.hpp"
#include "io/subject/dump_by_spec.hpp"
#include "io/subject/identified.hpp"
#include "io/subject/xpos_dumps.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

// BASE[:CENTRE] of --xpos.
void take_xpos_off(std::vector<io::NamedDump>& dumps, const Spec& spec, const std::string& text) {
    const std::size_t colon = text.find(':');
    const double base = io::parse_real("--xpos", text.substr(0, colon));
    if (!(base >= 1 && base <= static_cast<double>(max_context)))
        throw InputError("--xpos", printable(text), "a BASE from 1 to 2^32, as in 512");
    std::optional<double> centre;
    if (colon != text.npos) centre = io::parse_real("--xpos", text.substr(colon + 1));
    if (centre && !(std::abs(*centre) <= static_cast<double>(max_context)))
        throw InputError("--xpos", printable(text), "a CENTRE from -2^32 to 2^32");
    io::take_xpos_off(dumps, spec, base, centre);
}

bool names_spec(const Arguments& arguments) {
    return arguments.has("--config") || !arguments.spec_flags.empty();
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
    DumpCases all{asked ? io::load_dump_by(tensors, hints, *asked) : load_dump(tensors, hints), {}};
    if (const auto xpos = arguments.value("--xpos")) {
        if (!asked)
            throw InputError("--xpos", "needs the config of the rotation, such as --dim 64");
        take_xpos_off(all.dumps, asked->spec, *xpos);
    }
    std::vector<io::Identified> found;
    if (!asked) found = io::identified(all.dumps, tensors, hints, io::known_specs());
    for (std::size_t i = 0; i < all.dumps.size(); ++i) {
        const io::NamedDump& dump = all.dumps[i];
        io::ResolvedSpec resolved = asked ? *asked : std::move(found[i].resolved);
        io::choose_table_of(resolved, dump, how.context);
        if (std::holds_alternative<FrequencyDump>(dump.dump))
            (void)context_to_check(how.context != 0 ? std::optional(how.context) : std::nullopt,
                                   resolved.spec.max_position_embeddings, resolved.spec, arguments);
        CompareOptions own = how;
        if (asked) own.facts = resolved.facts;
        if (!asked) own.is_assumed = found[i].is_assumed;
        const auto judge = [&dump, own, spec = resolved.spec](const SessionOptions& options) {
            return compare(spec, dump.dump, own, options);
        };
        all.cases.push_back({std::move(resolved), judge, all.dumps.size() > 1 ? dump.name : "",
                             asked ? "" : found[i].identity});
    }
    return all;
}

}  // namespace rope::cli
