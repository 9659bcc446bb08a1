#include "rope/base_bound/bound_task.hpp"

#include "rope/base_bound/island_end.hpp"
#include "rope/base_bound/round_base.hpp"
#include "rope/cosine_sum/cosine_scan.hpp"

namespace rope {
namespace {

constexpr std::uint64_t no_position = ~std::uint64_t{0};

// An Ascent, or an end alone.
struct Way {
    static constexpr bool has_no_padding = true;
    double base;
    std::uint64_t position;
    enum Kind : std::uint64_t { ends, fails, stops } kind;
    std::uint64_t proved;
};
static_assert(sizeof(Way) == 32);

Bytes bytes_of(const IslandEnd& end, bool proved = true) {
    return to_bytes(Way{end.base, end.position.value_or(no_position), Way::ends, proved});
}

Bytes bytes_of(const Ascent& risen) {
    if (risen.end) return bytes_of(*risen.end, risen.proved);
    if (risen.stopped_at) return to_bytes(Way{*risen.stopped_at, 0, Way::stops, risen.proved});
    return to_bytes(Way{0, 0, Way::fails, risen.proved});
}

std::optional<std::uint64_t> position_of(std::uint64_t s) {
    return s == no_position ? std::nullopt : std::optional(s);
}

Bytes test(const BoundScope& scope, double base, std::uint64_t count) {
    std::vector<char> holds;
    for (; holds.size() < count; base *= scope.ratio)
        holds.push_back(!is_ever_negative(CosineSum(scope.pairs, ln(base)), scope.context));
    return to_bytes(holds);
}

}  // namespace

Bytes perform(const BoundScope& scope, const BoundTask& task) {
    const auto& [pairs, context, ratio] = scope;
    switch (task.kind) {
        case BoundTask::rise:
            return bytes_of(Exclusion(pairs, context).rise(task.from, task.to, task.count));
        case BoundTask::test:
            return test(scope, task.from, task.count);
        case BoundTask::end:
            return bytes_of(island_end(pairs, context, task.from, task.to));
        default:
            return to_bytes(
                first_of_digits(pairs, context, task.from, task.to, static_cast<int>(task.count))
                    .value_or(0));
    }
}

Ascent ascent_of(const Bytes& result) {
    const Way way = value_of<Way>(result);
    Ascent risen{std::nullopt, way.proved != 0};
    if (way.kind == Way::ends) risen.end = IslandEnd{way.base, position_of(way.position)};
    if (way.kind == Way::stops) risen.stopped_at = way.base;
    return risen;
}

std::vector<char> holding_of(const Bytes& result) { return values_of<char>(result); }

IslandEnd island_end_of(const Bytes& result) { return *ascent_of(result).end; }

std::optional<double> round_base_of(const Bytes& result) {
    const auto base = value_of<double>(result);
    return base > 0 ? std::optional(base) : std::nullopt;
}

}  // namespace rope
