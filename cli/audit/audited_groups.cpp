#include "cli/audit/audited_groups.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "cli/audit/audited_program.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

bool has_axis(const Arguments& arguments, char axis) {
    return !arguments.has("--python") || called_axes(arguments).find(axis) != std::string::npos;
}

std::uint64_t count_of(const Arguments& arguments, const std::string& option, char axis,
                       std::uint64_t usual) {
    const auto given = arguments.value(option);
    if (!given) return arguments.has("--python") && has_axis(arguments, axis) ? usual : 1;
    const std::uint64_t count = io::parse_whole(option, *given, 1, max_audited_groups);
    if (count > 1 && !has_axis(arguments, axis))
        throw InputError(option, fmt::format(": x has no axis {}; give --axes with it, not {}",
                                             axis, called_axes(arguments)));
    return count;
}

SequenceOrder order_of(const Arguments& arguments) {
    const auto axes = arguments.value("--position-axes");
    if (arguments.has("--contiguous")) {
        if (axes)
            throw InputError("--position-axes",
                             ": under --contiguous a function gets no positions");
        return SequenceOrder::as_they_are;
    }
    if (!axes) return SequenceOrder::own;
    if (*axes != "s" && *axes != "bs")
        throw InputError("--position-axes", ": '" + printable(*axes, 60) + "' is neither s nor bs");
    if (*axes == "bs" && !has_axis(arguments, 'b'))
        throw InputError("--position-axes",
                         ": x has no axis b; give --axes with it, not " + called_axes(arguments));
    return *axes == "s" ? SequenceOrder::shared : SequenceOrder::own;
}

}  // namespace

std::vector<Option> group_options() {
    return {
        {.name = "--batch", .value = "N", .help = "number of batch entries (default: 1)"},
        {.name = "--heads",
         .value = "N",
         .help = "number of heads (default: 2 if --axes has h, else 1)"},
        {.name = "--position-axes",
         .value = "LETTERS",
         .help = "s: all batch entries share positions; bs: they do not (default)"},
    };
}

AuditGroups groups_of(const Arguments& arguments) {
    return {.batch = count_of(arguments, "--batch", 'b', 1),
            .heads = count_of(arguments, "--heads", 'h', 2),
            .order = order_of(arguments)};
}

}  // namespace rope::cli
