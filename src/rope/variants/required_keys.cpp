// What several rope types ask of their keys.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/variants/variants.hpp"

namespace rope {

void check_positive(const std::optional<double>& value, const char* key) {
    if (value && !(*value >= 1e-9 && *value <= 1e9))
        throw InputError(std::string(key) + " is " + decimal(*value) +
                         "; it must be greater than 0 (1e-9 to 1e9)");
}

double require_positive(const Spec& spec, const std::optional<double>& value, const char* key) {
    if (!value)
        throw InputError(std::string(key) + " is missing; rope_type " + spec.scaling.rope_type +
                         " needs it, a number greater than 0");
    check_positive(value, key);
    return *value;
}

double require_original_length(const Spec& spec) {
    const auto& length = spec.scaling.original_max_position_embeddings;
    const std::string accepted = "a whole number from 1 to " + decimal(max_context);
    if (!length)
        throw InputError("original_max_position_embeddings is missing; rope_type " +
                         spec.scaling.rope_type + " needs it, " + accepted);
    if (*length < 1 || *length > max_context)
        throw InputError("original_max_position_embeddings is " + decimal(*length) +
                         "; it must be " + accepted);
    return static_cast<double>(*length);
}

}  // namespace rope
