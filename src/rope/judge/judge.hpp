// Spec and subject in, Report out: verify, compare and audit are this on different RowSources.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks.hpp"
#include "rope/report/report.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

struct ErrorMap;

struct JudgeOptions {
    std::uint64_t seed = 1;         // of the random q and k
    std::vector<std::string> only;  // check ids; empty means all
    bool claims = true;             // else laws and conformance alone, where `only` is empty
    // Of a component of cos and sin, absolute: beyond it max-error is violated.
    std::optional<double> max_error = {};
    unsigned threads = 0;        // 0: as many as help; a report is the same for any
    TaskCount* tasks = nullptr;  // what it does is added to these
    ErrorMap* errors = nullptr;  // where the largest error of each cell goes
};

// Ids in report order, laws and conformance first, then claims.
std::vector<std::string_view> check_ids();

// Throws InputError on an unknown id in `only`.
Report judge(const Spec& spec, const RowSource& subject, const JudgeOptions& options);

}  // namespace rope
