#include "rope/variants/used_key.hpp"

#include <type_traits>

#include "base/decimal.hpp"

namespace rope {
namespace {

struct KeyCheck {
    const Spec& spec;
    const ScalingField& field;
    bool is_required;

    template <typename T>
    void operator()(std::optional<T> Scaling::* member) const {
        const std::optional<T>& value = spec.scaling.*member;
        if (value) return check(*value);
        if (is_required)
            throw InputError(std::string(field.name),
                             "is missing; rope_type " + spec.scaling.rope_type + " needs it, " +
                                 std::string(field.range.wanted_if_missing));
    }
    void operator()(std::vector<double> Scaling::* member) const {
        const std::vector<double>& list = spec.scaling.*member;
        if (list.empty() && !is_required) return;
        if (list.size() != spec.pairs())
            throw InputError(std::string(field.name), "has " + decimal(list.size()) +
                                                          " values; it must have rotary_dim/2, " +
                                                          decimal(spec.pairs()));
        for (const double value : list) check(value);
    }

  private:
    template <typename T>
    void check(T value) const {
        if constexpr (!std::is_same_v<T, bool>)
            if (!field.range.accepts(static_cast<double>(value)))
                throw InputError(std::string(field.name), decimal(value),
                                 std::string(field.range.wanted));
    }
};

}  // namespace

void check_keys(const Spec& spec, std::span<const UsedKey> keys) {
    for (const UsedKey& key : keys)
        std::visit(KeyCheck{spec, field_of(key.member), key.is_required}, key.member);
}

const UsedKey* find_key(std::span<const UsedKey> keys, ScalingMember member) {
    for (const UsedKey& key : keys)
        if (key.member == member) return &key;
    return nullptr;
}

std::string default_text(const UsedKey& key) {
    if (const auto* number = std::get_if<double>(&key.otherwise)) return decimal(*number);
    const auto* truth = std::get_if<bool>(&key.otherwise);
    return truth == nullptr ? "" : *truth ? "true" : "false";
}

}  // namespace rope
