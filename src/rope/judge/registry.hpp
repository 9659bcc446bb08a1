// The explicit table of all checks.
#pragma once

#include <span>
#include <string_view>

#include "rope/checks/check.hpp"

namespace rope {

// In report order: laws and conformance, then claims.
std::span<const Check> checks();
// Throws InputError naming the known checks when there is not one of that id.
const Check& find_check(std::string_view id);
// Not applicable as yet.
Finding finding_of(const Check& check);

}  // namespace rope
