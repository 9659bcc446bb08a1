#include "io/tensor/writers/row_array.hpp"

#include <algorithm>
#include <utility>

namespace rope::io {
namespace {

constexpr std::uint64_t values_at_a_time = std::uint64_t{1} << 17;

}  // namespace

WrittenArray row_array(std::string name, Element element, std::vector<std::uint64_t> shape,
                       std::uint64_t width, Rows rows) {
    WrittenArray array{std::move(name), {std::move(shape), element, {}, {}}};
    const std::uint64_t all = byte_count(array) / bytes_of(element) / width;
    array.parts = [=, rows = std::move(rows)](const Sink& write) {
        const std::uint64_t most = std::max<std::uint64_t>(1, values_at_a_time / width);
        for (std::uint64_t first = 0; first < all; first += most) {
            const std::vector<double> values = rows(first, std::min(most, all - first));
            write(text_of(encoded(element, {values.size()}, values).bytes));
        }
    };
    return array;
}

}  // namespace rope::io
