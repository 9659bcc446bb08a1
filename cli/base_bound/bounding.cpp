#include "cli/base_bound/bounding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/task_source.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/specs.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/text/number.hpp"

namespace rope::cli {

Spec spec_to_judge(const Arguments& arguments) {
    io::ResolvedSpec resolved = spec_of(arguments);
    io::choose_table(resolved, context_to_bound(arguments, resolved.spec), "--context");
    const Spec& spec = resolved.spec;
    if (frequency_restarts(spec.axes) != 1)
        throw InputError(fmt::format("the axes are '{}'; the base bound is defined for one axis",
                                     to_string(spec.axes.scheme)));
    return spec;
}

Spec spec_to_bound(const Arguments& arguments) {
    Spec spec = spec_to_judge(arguments);
    if (spec.scaling.rope_type != "default")
        throw InputError(
            fmt::format("rope_type is '{}'; the bases that hold are searched for unscaled "
                        "frequencies: use --dim and --rotary-dim only",
                        spec.scaling.rope_type));
    return spec;
}

bool asks_for(const Arguments& arguments, std::string_view spec_flag) {
    return std::ranges::any_of(arguments.spec_flags, [&](const io::Flag& flag) {
        return io::find_spec_flag(flag.name).name == spec_flag;
    });
}

void refuse_idle(const Arguments& arguments, const Spec& spec) {
    const auto refuse = [&](std::string_view flag, bool idle, std::string_view why) {
        if (idle && asks_for(arguments, flag))
            throw InputError(std::string(flag),
                             fmt::format("does nothing here: {}; leave it out", why));
    };
    for (const std::string_view flag : {"--layout", "--rope direction", "--rope rotary_offset",
                                        "--rope axes", "--rope mrope_section"})
        refuse(flag, true, "the score of two equal tokens does not depend on it");
    refuse("--max-position", spec.scaling.rope_type == "default" && arguments.has("--context"),
           "--context replaces it");
}

PairCounts pairs_to_bound(const Spec& spec) {
    if (spec.pairs() > most_bounded_pairs)
        throw InputError("rotary_dim", fmt::format("{}", spec.rotary_dim),
                         fmt::format("at most {} for base bounds", 2 * most_bounded_pairs));
    return {spec.pairs(), (spec.head_dim - spec.rotary_dim) / 2};
}

Option resume_option() {
    return {.name = "--resume",
            .value = "FILE",
            .help = "save the results of finished tasks in FILE, and resume from them",
            .reads = Reads::file,
            .writes = true};
}

std::unique_ptr<io::FileTaskLog> log_of(const Arguments& arguments, PairCounts pairs,
                                        std::uint64_t context) {
    const auto file = arguments.value("--resume");
    if (!file || !is_first_rank()) return nullptr;
    refuse_to_overwrite(arguments.inputs, "--resume", *file);
    return std::make_unique<io::FileTaskLog>(
        *file, fmt::format("{} {} {}+{} pairs to {}", ROPE_CHECK_VERSION, arguments.command,
                           pairs.rotating, pairs.passing, context));
}

std::uint64_t context_to_bound(const Arguments& arguments, const Spec& spec) {
    const auto context = arguments.value("--context");
    return context ? io::parse_whole("--context", *context, 0, max_context)
                   : spec.max_position_embeddings;
}

}  // namespace rope::cli
