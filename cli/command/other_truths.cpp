#include "cli/command/other_truths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/command/dump_options.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/specs.hpp"
#include "io/subject/own_table.hpp"

namespace rope::cli {
namespace {

bool is_rotary_dim_0(const io::Flag& flag) {
    return flag.name == "--rotary-dim" && !flag.value.empty() &&
           flag.value.find_first_not_of('0') == flag.value.npos;
}

bool names(const Arguments& arguments, std::string_view name) {
    return std::ranges::any_of(arguments.spec_flags,
                               [&](const io::Flag& flag) { return flag.name == name; });
}

bool names_model(const Arguments& arguments) {
    return arguments.has("--config") || names(arguments, "--model");
}

bool names_head_dim(const Arguments& arguments) {
    return names_model(arguments) || names(arguments, "--dim") || names(arguments, "--head-dim");
}

// Vectors alone, where there are any.
std::vector<io::NamedDump> vectors_of(io::DumpTensors& tensors, io::DumpHints hints) {
    hints.is_any_axis_right = true;  // no lane rotates, whatever its position
    std::vector<io::NamedDump> dumps = load_dump(tensors, hints);
    const auto is_vectors = [](const io::NamedDump& one) {
        return std::holds_alternative<RotatedDump>(one.dump);
    };
    if (std::ranges::any_of(dumps, is_vectors)) std::erase_if(dumps, std::not_fn(is_vectors));
    return dumps;
}

}  // namespace

bool is_stillness_asked(const Arguments& arguments) {
    return std::ranges::any_of(arguments.spec_flags, is_rotary_dim_0);
}

int judge_stillness(io::DumpTensors& tensors, const io::DumpHints& hints,
                    const Arguments& arguments) {
    Arguments rest = arguments;
    std::erase_if(rest.spec_flags, is_rotary_dim_0);
    const io::ResolvedSpec resolved = spec_of(rest);
    const std::vector<io::NamedDump> dumps = vectors_of(tensors, hints);
    std::vector<Case> cases;
    for (const io::NamedDump& dump : dumps) {
        io::ResolvedSpec own = resolved;
        Spec& spec = own.spec;
        if (names_head_dim(rest) && dump.lanes % spec.head_dim != 0)
            throw InputError(fmt::format("{}: {} dimensions do not hold heads of head_dim = {}",
                                         dump.name, dump.lanes, spec.head_dim));
        spec.head_dim = dump.lanes;
        spec.rotary_dim = spec.rotary_offset = 0;
        for (Origin& origin : own.origins)
            if (origin.field == "rotary_dim") origin.from = "--rotary-dim";
        const auto judge = [&dump, spec](const SessionOptions& options) {
            return compare(spec, dump.dump, {}, options);
        };
        cases.push_back({std::move(own), judge, dumps.size() > 1 ? dump.name : "", {}});
    }
    return judge_and_report(cases, arguments, dump_words(arguments));
}

namespace {

void refuse_frequencies(const Arguments& arguments) {
    constexpr std::string_view places[] = {
        "--dim",   "--head-dim", "--rotary-dim",         "--layout",
        "--model", "--layers",   "--rope rotary_offset", "--rope direction"};
    for (const io::Flag& flag : arguments.spec_flags)
        if (std::ranges::find(places, flag.name) == std::end(places))
            throw InputError(
                fmt::format("{} has no effect with --table: the rotation is the "
                            "table's, whatever its frequencies",
                            flag.name));
}

// In any layout that explains the vectors, unless one is asked for.
TableUse use_of(const Spec& asked, const Arguments& arguments) {
    TableUse use{asked};
    if (names_model(arguments) || names(arguments, "--layout")) use.layout = asked.layout;
    return use;
}

// q and k pair their lanes alike: as the first of them whose every value the table explains.
void choose_layout(TableUse& use, const std::vector<io::NamedDump>& dumps, const TableDump& table) {
    if (dumps.size() < 3) return;  // the table, and one tensor of vectors
    for (const io::NamedDump& dump : dumps) {
        const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
        if (use.layout || vectors == nullptr) continue;
        use.layout = layout_by_table(io::in_heads_of(dump, use), *vectors, table);
        use.from = "the values of " + dump.name;
    }
}

}  // namespace

int judge_by_own_table(io::DumpTensors& tensors, io::DumpHints hints, const Arguments& arguments) {
    refuse_frequencies(arguments);
    const io::ResolvedSpec asked = spec_of(arguments);
    if (names_head_dim(arguments)) hints.head_dim = asked.spec.head_dim;
    TableUse use = use_of(asked.spec, arguments);
    const std::vector<io::NamedDump> dumps = io::load_with_table(tensors, hints, use);
    const TableDump& table = io::only_table(dumps);
    choose_layout(use, dumps, table);
    std::vector<Case> cases;
    for (const io::NamedDump& dump : dumps) {
        const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
        if (vectors == nullptr) continue;
        const auto judge = [vectors, &table,
                            use = io::in_heads_of(dump, use)](const SessionOptions& options) {
            return judge_by_table(use, *vectors, table, options);
        };
        cases.push_back({asked, judge, dump.name, {}});
    }
    if (cases.empty())
        throw InputError("--table",
                         ": the dump holds no q and q_rot; name them with --q and --q-rot");
    if (cases.size() == 1) cases.front().layers.clear();
    std::vector<std::string> words = dump_words(arguments);
    words.emplace_back("--table");
    return judge_and_report(cases, arguments, words);
}

}  // namespace rope::cli
