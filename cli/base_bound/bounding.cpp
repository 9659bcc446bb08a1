#include "cli/base_bound/bounding.hpp"

#include <fmt/format.h>

#include "cli/shell/specs.hpp"
#include "io/text/number.hpp"

namespace rope::cli {

Spec spec_to_bound(const Arguments& arguments) {
    Spec spec = spec_of(arguments).spec;
    if (spec.scaling.rope_type != "default")
        throw InputError(
            fmt::format("rope_type is '{}'; the base bound is defined for unscaled frequencies; "
                        "use --dim, --rotary-dim and --base only",
                        spec.scaling.rope_type));
    if (frequency_restarts(spec.axes) != 1)
        throw InputError(fmt::format("the axes are '{}'; the base bound is defined for one axis",
                                     to_string(spec.axes.scheme)));
    return spec;
}

PairCounts pairs_to_bound(const Spec& spec) {
    return {spec.pairs(), (spec.head_dim - spec.rotary_dim) / 2};
}

std::uint64_t context_to_bound(const Arguments& arguments, const Spec& spec) {
    const auto context = arguments.value("--context");
    return context ? io::parse_whole("--context", *context, 0, max_context)
                   : spec.max_position_embeddings;
}

}  // namespace rope::cli
