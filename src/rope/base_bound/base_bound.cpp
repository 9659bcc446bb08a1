// The proved search for bases that hold, in parts of the range of bases. The results of a part
// depend only on its ends, so that threads, ranks and later runs can share the parts.
//
// A part is searched, with proof, up to its first base that holds. Above it, bases in steps of a
// ratio are tried: the island ends below the first that fails, and the search goes on above it.
#include "rope/base_bound/base_bound.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/tasks.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

constexpr double widest_search = 1000;  // maximum, as a multiple of the infimum
constexpr double usual_search = 10;
// The result of a search over all distances stays useful for about as long.
constexpr double part_ratio = 1 + 1. / 16;

double end_of_bases() { return std::nextafter(largest_base, HUGE_VAL); }

// Returns the step between tried bases; smaller ones would take more than a few seconds.
double step_ratio(std::uint64_t context) {
    return context <= 1 << 15 ? 1.0002 : context <= 1 << 18 ? 1.001 : 1.005;
}

// Returns first, first·ratio, … below `end`.
std::vector<double> products(double first, double ratio, double end) {
    std::vector<double> all;
    for (; first < end; first *= ratio) all.push_back(first);
    return all;
}

// The work on one part.
struct PartTask {
    static constexpr bool has_no_padding = true;
    std::uint64_t part;
    double last;  // islands are searched to this base; 0: only the first base that holds
};

// An IslandEnd; base 0 if there is none.
struct StoredEnd {
    static constexpr bool has_no_padding = true;
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    double base;
    std::uint64_t position, is_proved;

    static StoredEnd of(const std::optional<IslandEnd>& end, bool is_proved = true) {
        if (!end) return {0, none, is_proved};
        return {end->base, end->position.value_or(none), is_proved};
    }
    IslandEnd end() const {
        return {base, position == none ? std::nullopt : std::optional(position)};
    }
};

class BaseSearch : public TaskSource {
  public:
    explicit BaseSearch(const BaseQuestion& question)
        : question_(question),
          threads_(threads_of(question)),
          ratio_(step_ratio(question.context)),
          starts_(products(1, part_ratio, end_of_bases())) {
        starts_.push_back(end_of_bases());
    }

    BaseBound bound() {
        const PairCounts pairs = question_.pairs;
        const std::uint64_t context = question_.context;
        BaseBound bound;
        const std::size_t lowest = find_infimum(bound);
        const double least = bound.infimum ? bound.infimum->base : largest_base;
        if (bound.infimum)
            bound.on_grid = first_of_digits(pairs, context, bound.proved ? least : 1,
                                            end_of_bases(), question_.digits);
        if (!question_.search_to && pairs.rotating * context > question_.island_work) return bound;
        bound.ratio = ratio_;
        bound.searched_to = std::min({question_.search_to.value_or(usual_search * least),
                                      widest_search * least, largest_base});
        std::size_t end = lowest;
        while (end < parts() && starts_[end] <= bound.searched_to) ++end;
        for (const Bytes& islands : search(lowest, end, bound.searched_to))
            append(bound.islands, values_of<StoredEnd>(islands));
        const bool holds_at_last = !bound.islands.empty() && !bound.islands.back().to.position;
        if (!holds_at_last)
            bound.largest_failing = bound.searched_to;
        else if (bound.islands.back().from.position)
            bound.largest_failing = bound.islands.back().from.base;
        return bound;
    }

    std::optional<Bytes> next() override {
        if (next_ == end_) return std::nullopt;
        return to_bytes(PartTask{next_++, last_});
    }
    void take(const Bytes& task, const Bytes& result) override {
        results_[value_of<PartTask>(task).part - first_] = result;
    }
    Bytes perform(const Bytes& task) const override {
        const auto [part, last] = value_of<PartTask>(task);
        if (last > 0) return to_bytes(islands(part, last));
        const Ascent risen = rise(starts_[part], starts_[part + 1]);
        return to_bytes(StoredEnd::of(risen.end, risen.proved));
    }

  private:
    std::size_t parts() const { return starts_.size() - 1; }

    // Returns the results of the parts from `first` to before `end`.
    std::vector<Bytes> search(std::size_t first, std::size_t end, double last) {
        first_ = next_ = first;
        end_ = end;
        last_ = last;
        results_.assign(end - first, {});
        perform_all(*this, threads_, question_.log);
        return std::move(results_);
    }

    // Sets `infimum` and `proved`. Returns the number of parts without a base that holds.
    std::size_t find_infimum(BaseBound& bound) {
        bound.proved = true;
        const std::size_t at_once = workers(threads_);
        for (std::size_t first = 0; first < parts(); first += at_once) {
            std::size_t part = first;
            for (const Bytes& result : search(first, std::min(first + at_once, parts()), 0)) {
                const auto end = value_of<StoredEnd>(result);
                bound.proved = bound.proved && end.is_proved != 0;
                if (end.base > 0) {
                    bound.infimum = end.end();
                    return part;
                }
                ++part;
            }
        }
        return parts();
    }

    // Appends the ends of islands; the first island may continue the last one of the part before.
    static void append(std::vector<Island>& all, const std::vector<StoredEnd>& ends) {
        for (std::size_t k = 0; k < ends.size(); k += 2)
            if (!all.empty() && !all.back().to.position && all.back().to.base == ends[k].base)
                all.back().to = ends[k + 1].end();
            else
                all.push_back({ends[k].end(), ends[k + 1].end()});
    }

    Ascent rise(double from, double to) const {
        return Exclusion(question_.pairs, question_.context).rise(from, to);
    }
    bool holds(double base) const {
        return !is_ever_negative(CosineSum(question_.pairs, base), question_.context);
    }
    IslandEnd end_between(double holding, double failing) const {
        return island_end(question_.pairs, question_.context, holding, failing);
    }

    // Returns both ends of the islands of a part up to `last`. An island that continues in the next
    // part, or reaches `last`, ends there without a position.
    std::vector<StoredEnd> islands(std::size_t part, double last) const {
        std::vector<StoredEnd> ends;
        const double start = starts_[part], next = starts_[part + 1];
        std::optional<IslandEnd> from = rise(start, next).end;
        if (!from || from->base > last) return ends;
        const auto add = [&](const IslandEnd& to) {
            ends.push_back(StoredEnd::of(from));
            ends.push_back(StoredEnd::of(to));
        };
        const std::vector<double> bases = products(start, ratio_, std::min(next, last));
        auto base = std::ranges::upper_bound(bases, from->base);
        double held = from->base;  // the last base of the island that was tried
        for (; base != bases.end(); ++base) {
            if (holds(*base)) {
                held = *base;
                continue;
            }
            add(end_between(held, *base));
            const auto above =
                std::find_if(base, bases.end(), [&](double one) { return holds(one); });
            from = rise(*base, above == bases.end() ? next : *above).end;
            if (!from && above == bases.end()) return ends;
            if (!from) from = IslandEnd{*above, {}};
            held = from->base;
            base = std::ranges::upper_bound(base, bases.end(), held) - 1;
        }
        if (from->base > last) return ends;
        if (next >= last)
            add({last, {}});
        else
            add(holds(next) ? IslandEnd{next, {}} : end_between(held, next));
        return ends;
    }

    const BaseQuestion& question_;
    unsigned threads_;
    double ratio_;                                // of neighbouring tried bases
    std::vector<double> starts_;                  // of the parts, and the end of the last one
    std::size_t first_ = 0, next_ = 0, end_ = 0;  // the parts that are searched
    double last_ = 0;
    std::vector<Bytes> results_;
};

}  // namespace

// Starting a thread takes tens of microseconds, as long as 2^21 cosines.
unsigned threads_of(const BaseQuestion& question) {
    if (question.threads != 0) return question.threads;
    const bool is_long = question.pairs.rotating * question.context >= std::uint64_t{1} << 21;
    return is_long ? machine_threads() : 1;
}

BaseBound bound_base(const BaseQuestion& question) {
    const std::uint64_t pairs = question.pairs.rotating;
    if (pairs * question.context > largest_work)
        throw InputError("--context",
                         decimal(question.context) + " with " + decimal(pairs) + " pairs",
                         "at most " + decimal(largest_work / pairs));
    return BaseSearch(question).bound();
}

std::optional<double> first_of_digits(PairCounts pairs, std::uint64_t context, double from,
                                      double to, int digits) {
    for (;;) {
        const double base = round_up_to_digits(from, digits);
        if (base >= to) return std::nullopt;
        const CosineSum sum(pairs, base);
        const auto failed = first_negative(sum, context);
        if (!failed) return base;
        from = excluded_to(sum, *failed, base);
    }
}

double round_up_to_digits(double x, int digits) {
    // the nearest d.ddde±xx; if it is below x, the next one
    std::array<char, 64> text;
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), x,
                                          std::chars_format::scientific, digits - 1)
                                .ptr;
    const char* const mark = std::find<const char*>(text.data(), end, 'e');
    std::uint64_t mantissa = 0;  // has `digits` digits
    for (const char* digit = text.data(); digit != mark; ++digit)
        if (*digit != '.') mantissa = 10 * mantissa + static_cast<std::uint64_t>(*digit - '0');
    int exponent = 0;
    std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
    const auto scaled = [&](std::uint64_t whole) {
        const std::string words =
            decimal(whole) + "e" + decimal(static_cast<double>(exponent - digits + 1));
        double value = 0;
        std::from_chars(words.data(), words.data() + words.size(), value);
        return value;
    };
    const double nearest = scaled(mantissa);
    return nearest >= x ? nearest : scaled(mantissa + 1);
}

std::uint64_t farthest_search(std::uint32_t pairs) {
    constexpr std::uint64_t cosines = std::uint64_t{1} << 35;
    return std::min(max_context, cosines / std::max(1U, pairs));
}

BaseScan scan_sum(const CosineSum& sum, std::uint64_t context, std::uint64_t farthest) {
    BaseScan scan{context, std::nullopt, std::nullopt, HUGE_VAL, 0};
    if (!sum.is_never_negative()) {
        scan.searched_to = std::max(context, farthest);
        scan.first_negative = first_negative(sum, *scan.searched_to);
    }
    CosineScan blocks(sum);
    std::array<double, CosineScan::size> values;
    for (std::uint64_t first = 0; first <= context; first += values.size()) {
        if (blocks.fill(first, values.data()) >= scan.least) continue;
        for (std::size_t k = 0; k < values.size() && first + k <= context; ++k)
            if (values[k] < scan.least) scan.least = values[k], scan.least_position = first + k;
    }
    return scan;
}

}  // namespace rope
