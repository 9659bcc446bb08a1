#include <cmath>

#include "base/decimal.hpp"
#include "io/export/export.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {

GivenVectors given_vectors(const NamedArray& array, const Spec& spec) {
    const std::vector<std::uint64_t>& shape = array.array.shape;
    const auto refuse = [&](const std::string& why) {
        throw InputError("--q: " + array.name + " " + why);
    };
    if (!array.array.format())
        refuse("has " + std::string(to_string(array.array.element)) + " values, not floats");
    if (shape.size() < 2 || shape.back() != spec.head_dim)
        refuse("has shape " + shape_text(shape) + "; it must end in the positions and " +
               decimal(spec.head_dim) + " lanes");
    GivenVectors given{shape, array.array.values()};
    if (given.values.empty()) refuse("is empty");
    for (std::size_t i = 0; i < given.values.size(); ++i)
        if (!std::isfinite(given.values[i]))
            refuse("has " + decimal(given.values[i]) + " in row " + decimal(i / spec.head_dim) +
                   ", lane " + decimal(i % spec.head_dim) + "; each value must be finite");
    return given;
}

}  // namespace rope::io
