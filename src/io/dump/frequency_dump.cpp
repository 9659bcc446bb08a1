#include "io/dump/dump.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {

FrequencyDump frequency_dump(const NamedArray& inv_freq) {
    require_alike(inv_freq, inv_freq);
    const Array& array = inv_freq.array;
    for (const std::uint64_t length : array.shape)
        if (length != 1 && length != array.size())
            throw InputError(inv_freq.name + ": shape " + shape_text(array.shape) +
                             " is not one row of frequencies");
    if (array.size() > max_head_dim / 2)
        throw InputError(inv_freq.name + ": shape " + shape_text(array.shape) +
                         " is more than 32768 frequencies");
    return {array.values(), *array.format(), inv_freq.name};
}

}  // namespace rope::io
