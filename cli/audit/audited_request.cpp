#include "cli/audit/audited_request.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "base/printable.hpp"
#include "cli/audit/audited_groups.hpp"
#include "io/export/export.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

// The gradient of y = R(m)x is R(m)ᵀ·dy = R(−m)·dy.
std::vector<double> negated(std::vector<double> positions) {
    for (double& position : positions)
        if (position != 0) position = -position;
    return positions;
}

std::vector<double> positions_of(const Spec& spec, const Arguments& arguments,
                                 std::uint64_t contiguous, std::uint64_t offset) {
    const auto list = arguments.value("--positions"), context = arguments.value("--context");
    if (list && context)
        throw InputError("--positions", "and --context both choose positions; give one of them");
    if (list) {
        const io::RowPositions positions = io::parse_positions("--positions", *list);
        if (positions.rows() > max_audited_positions)
            throw InputError("--positions", fmt::format(": '{}' has {} positions; the limit is {}",
                                                        printable(*list, 60), positions.rows(),
                                                        max_audited_positions));
        return positions.at(0, positions.rows()).front();
    }
    if (context)
        return audited_positions(spec, io::parse_whole("--context", *context, 1, max_context));
    if (contiguous == 0) return audited_positions(spec, spec.max_position_embeddings);
    std::vector<double> positions = audited_positions(spec, contiguous);
    for (double& position : positions) position += static_cast<double>(offset);
    return positions;
}

}  // namespace

std::vector<Option> request_options() {
    std::vector<Option> own{
        {.name = "--context",
         .value = "N",
         .help = "positions below N (default: max_position_embeddings)"},
        {.name = "--positions",
         .value = "LIST",
         .help = "positions, such as 0:8,255,-3,0.5 (default: up to 64)"},
        {.name = "--contiguous",
         .value = "N",
         .help = "x is [vectors, N, head_dim], at positions 0 to N - 1"},
        {.name = "--offset", .value = "N", .help = "first position of --contiguous (default: 0)"},
        {.name = "--backward", .help = "check the gradient: dy rotated back, R(m)^T dy"},
        {.name = "--raw", .help = "write headerless files: x.f32 and positions.f64"},
    };
    for (const Option& option : group_options()) own.push_back(option);
    return own;
}

io::Request request_of(const Spec& spec, const Arguments& arguments) {
    std::uint64_t seed = 1, contiguous = 0, offset = 0;
    if (const auto given = arguments.value("--seed"))
        seed = io::parse_whole("--seed", *given, 0, std::numeric_limits<std::uint64_t>::max());
    if (const auto given = arguments.value("--contiguous"))
        contiguous = io::parse_whole("--contiguous", *given, 1, max_context);
    if (const auto given = arguments.value("--offset")) {
        if (contiguous == 0)
            throw InputError("--offset", "belongs to --contiguous, which is missing");
        offset = io::parse_whole("--offset", *given, 0, max_context - contiguous);
    }
    std::vector<double> positions = positions_of(spec, arguments, contiguous, offset);
    const bool is_backward = arguments.has("--backward");
    if (is_backward && spec.layout == PairLayout::interleaved_to_half_split)
        throw InputError("--backward",
                         ": with --layout interleaved-to-half the gradient is written to "
                         "other dimensions than the rotation to -m");
    io::Request request{
        plan_audit(spec, is_backward ? negated(std::move(positions)) : std::move(positions), seed,
                   groups_of(arguments)),
        {.is_raw = arguments.has("--raw"),
         .contiguous = contiguous,
         .offset = offset,
         .is_backward = is_backward}};
    io::require_form(request);
    return request;
}

}  // namespace rope::cli
