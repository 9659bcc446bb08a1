#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "io/export/export.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {

namespace {

[[noreturn]] void refuse(std::string_view option, const NamedArray& array, const std::string& why) {
    throw InputError(std::string(option), ": " + array.name + " " + why);
}

void require_floats(std::string_view option, const NamedArray& array) {
    if (!array.array.format())
        refuse(option, array,
               "has " + std::string(to_string(array.array.element)) + " values, not floats");
}

void require_finite(std::string_view option, const NamedArray& array, std::uint32_t head_dim,
                    std::uint64_t first_row, std::uint64_t rows) {
    for (std::uint64_t i = first_row * head_dim; i < (first_row + rows) * head_dim; ++i)
        if (const double x = array.array.at(i); !std::isfinite(x))
            refuse(option, array,
                   "has " + decimal(x) + " in row " + decimal(i / head_dim) + ", dimension " +
                       decimal(i % head_dim) + "; each value must be finite");
}

}  // namespace

Array given_vectors(const NamedArray& array, const Spec& spec) {
    const std::vector<std::uint64_t>& shape = array.array.shape;
    const std::string_view option = "--q";
    require_floats(option, array);
    if (shape.size() < 2 || shape.back() != spec.head_dim)
        refuse(option, array,
               "has shape " + shape_text(shape) + "; it must end in the positions and " +
                   decimal(spec.head_dim) + " dimensions");
    if (array.array.size() == 0) refuse(option, array, "is empty");
    require_finite(option, array, spec.head_dim, 0, array.array.size() / spec.head_dim);
    return array.array;
}

std::vector<double> given_vector(std::string_view option, const NamedArray& array,
                                 std::uint32_t head_dim, std::uint64_t row) {
    const std::vector<std::uint64_t>& shape = array.array.shape;
    require_floats(option, array);
    if (shape.empty() || shape.back() != head_dim)
        refuse(option, array,
               "has shape " + shape_text(shape) + "; its last axis must have head_dim " +
                   decimal(head_dim) + " dimensions");
    const std::uint64_t rows = array.array.size() / head_dim;
    if (row >= rows)
        refuse(option, array,
               rows == 0 ? "is empty"
                         : "has " + decimal(rows) + (rows == 1 ? " row" : " rows") +
                               " and no row " + decimal(row) + ", the first being row 0");
    require_finite(option, array, head_dim, row, 1);
    std::vector<double> vector;
    for (std::uint64_t lane = 0; lane < head_dim; ++lane)
        vector.push_back(array.array.at(row * head_dim + lane));
    if (std::ranges::all_of(vector, [](double x) { return x == 0; }))
        refuse(option, array, "is zero in row " + decimal(row) + "; each of its scores would be 0");
    return vector;
}

}  // namespace rope::io
