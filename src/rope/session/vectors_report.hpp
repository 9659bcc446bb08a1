// Reports of dumps that are judged by no Spec's exact frequencies.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rope/session/session.hpp"

namespace rope {

// What was judged, without findings.
Report report_on(const Spec& spec, const RotatedDump& vectors, const SessionOptions& options);
Report report_on(const Spec& spec, const TableDump& table, const SessionOptions& options);

// pass-through of every lane beside rotary_dim.
Finding find_passed_lanes(const Spec& spec, const RotatedDump& vectors);

// Whether `only` leaves this check in.
bool is_asked(const std::vector<std::string>& only, std::string_view check);

// Throws InputError when `only` names another check than these, which alone apply to `what`.
void require_checks(const std::vector<std::string>& only,
                    std::initializer_list<std::string_view> these, const std::string& what);

}  // namespace rope
