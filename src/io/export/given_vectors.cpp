#include <cmath>

#include "base/decimal.hpp"
#include "io/export/export.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {

Array given_vectors(const NamedArray& array, const Spec& spec) {
    const std::vector<std::uint64_t>& shape = array.array.shape;
    const auto refuse = [&](const std::string& why) {
        throw InputError("--q: " + array.name + " " + why);
    };
    if (!array.array.format())
        refuse("has " + std::string(to_string(array.array.element)) + " values, not floats");
    if (shape.size() < 2 || shape.back() != spec.head_dim)
        refuse("has shape " + shape_text(shape) + "; it must end in the positions and " +
               decimal(spec.head_dim) + " lanes");
    if (array.array.size() == 0) refuse("is empty");
    for (std::uint64_t i = 0; i < array.array.size(); ++i)
        if (const double x = array.array.at(i); !std::isfinite(x))
            refuse("has " + decimal(x) + " in row " + decimal(i / spec.head_dim) + ", lane " +
                   decimal(i % spec.head_dim) + "; each value must be finite");
    return array.array;
}

}  // namespace rope::io
