// What --raw and --shape say of files without a header.
#include "io/tensor/raw_arrays.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/tensor/readers/array.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

constexpr std::size_t most_axes = 8;

struct Word {
    std::string_view text;
    Element element;
};
constexpr std::array words{Word{"f64", Element::float64}, Word{"f32", Element::float32},
                           Word{"f16", Element::float16}, Word{"bf16", Element::bfloat16}};

}  // namespace

Element parse_raw_element(const std::string& text) {
    for (const auto& [word, element] : words)
        if (text == word || text == to_string(element)) return element;
    throw InputError("--raw", ": '" + printable(text, 60) + "' is not f64, f32, f16 or bf16");
}

std::vector<std::uint64_t> parse_raw_shape(const std::string& text) {
    std::vector<std::uint64_t> shape;
    for (const std::string& length : split_list(text))
        shape.push_back(parse_whole("--shape", length, 1, max_array_values));
    if (shape.size() > most_axes)
        throw InputError("--shape", ": '" + printable(text, 60) + "' has more than 8 axes");
    return shape;
}

}  // namespace rope::io
