#include "cli/command/other_truths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/command/dump_options.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/specs.hpp"

namespace rope::cli {
namespace {

bool is_rotary_dim_0(const io::Flag& flag) {
    return flag.name == "--rotary-dim" && !flag.value.empty() &&
           flag.value.find_first_not_of('0') == flag.value.npos;
}

bool names_head_dim(const Arguments& arguments) {
    return arguments.has("--config") ||
           std::ranges::any_of(arguments.spec_flags, [](const io::Flag& flag) {
               return flag.name == "--dim" || flag.name == "--head-dim" || flag.name == "--model";
           });
}

// Vectors alone, where there are any.
std::vector<io::NamedDump> vectors_of(io::DumpTensors& tensors, const io::DumpHints& hints) {
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
            throw InputError(fmt::format("{}: {} lanes do not hold heads of head_dim = {}",
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

}  // namespace rope::cli
