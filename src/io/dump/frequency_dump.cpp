#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {
namespace {

// By which every frequency stands twice: half their number or 1, as the Spec's width or, without
// one, frequencies that are not all alike say; 0 where none does.
std::size_t repeats_after(const std::vector<double>& all, const std::optional<Spec>& spec) {
    const std::size_t half = all.size() / 2;
    if (all.size() % 2 != 0 || half < 2) return 0;
    if (spec ? half != spec->pairs() : std::ranges::count(all, all[0]) > 2) return 0;
    const auto is_twice = [&](std::size_t step) {
        for (std::size_t i = 0; i < half; ++i) {
            const std::size_t at = step == 1 ? 2 * i : i;
            if (all[at] != all[at + step]) return false;
        }
        return true;
    };
    return is_twice(half) ? half : is_twice(1) ? 1 : 0;
}

}  // namespace

FrequencyDump frequency_dump(const NamedArray& inv_freq, const DumpHints& asked) {
    require_alike(inv_freq, inv_freq);
    const Array& array = inv_freq.array;
    for (const std::uint64_t length : array.shape)
        if (length != 1 && length != array.size())
            throw InputError(inv_freq.name + ": shape " + shape_text(array.shape) +
                             " is not one row of frequencies");
    if (array.size() > max_head_dim / 2)
        throw InputError(inv_freq.name + ": shape " + shape_text(array.shape) +
                         " is more than 32768 frequencies");
    FrequencyDump dump{array.values(), *array.format(), inv_freq.name};
    const std::size_t step = repeats_after(dump.inv_freq, asked.spec);
    if (step == 0) return dump;
    dump.read_as.push_back({"inv_freq", step == 1 ? "f0 f0 f1 f1" : "cat(f, f)",
                            "shape " + shape_text(array.shape) + ", every value twice"});
    std::vector<double> once;
    for (std::size_t i = 0; i < dump.inv_freq.size() / 2; ++i)
        once.push_back(dump.inv_freq[step == 1 ? 2 * i : i]);
    dump.inv_freq = std::move(once);
    return dump;
}

}  // namespace rope::io
