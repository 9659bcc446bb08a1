#include "io/tensor/readers/npy_order.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace rope::io {

std::vector<std::byte> reversed_numbers(std::span<const std::byte> bytes, std::size_t begin,
                                        std::size_t size) {
    std::vector<std::byte> copy(bytes.begin(), bytes.end());
    const auto place = [&](std::size_t at) {
        return copy.begin() + static_cast<std::ptrdiff_t>(at);
    };
    for (std::size_t at = begin; at + size <= copy.size(); at += size)
        std::reverse(place(at), place(at + size));
    return copy;
}

Array from_fortran_order(const Array& array, bool is_complex) {
    const std::size_t axes = array.shape.size() - (is_complex ? 1 : 0);
    const std::size_t size = bytes_of(array.element) * (is_complex ? 2 : 1);
    // axis k of the file is n_0·…·n_{k−1} numbers apart
    std::vector<std::uint64_t> stride(axes, 1), index(axes, 0);
    for (std::size_t k = 1; k < axes; ++k) stride[k] = stride[k - 1] * array.shape[k - 1];
    const auto rows = std::make_shared<std::vector<std::byte>>(array.bytes.size());
    std::uint64_t from = 0;
    for (std::size_t to = 0; to < rows->size(); to += size) {
        std::memcpy(rows->data() + to, array.bytes.data() + from * size, size);
        for (std::size_t k = axes; k-- > 0;) {
            from += stride[k];
            if (++index[k] < array.shape[k]) break;
            from -= stride[k] * array.shape[k];
            index[k] = 0;
        }
    }
    return {array.shape, array.element, *rows, rows};
}

}  // namespace rope::io
