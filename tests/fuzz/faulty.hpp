// Dumps with faults, and the names that their diagnosis may give.
#pragma once

#include <algorithm>
#include <string>

#include "rope/diagnose/diagnosis.hpp"
#include "tests/fuzz/specs.hpp"

namespace rope::fuzz {

struct Faulty {
    Dump dump;
    std::vector<std::string> faults;  // names of mistakes
};

inline Dump dump_of(const Spec& spec, bool of_vectors, const PositionsByAxis& made_at,
                    const PositionsByAxis& positions, Format format) {
    if (of_vectors) return vectors_of(spec, made_at, positions, format);
    return table_of(spec, made_at, positions, format);
}

inline bool is_named(const Explanation& one, const std::string& fault) {
    const auto is_it = [&](const std::string& name) { return name.starts_with(fault); };
    return one.mistake == fault || std::ranges::any_of(one.equivalent, is_it) ||
           std::ranges::any_of(one.also_fits, is_it);
}

// The diagnosis names only these faults, or mistakes with the same numbers; for a right dump,
// nothing.
inline void require_no_false_name(const Spec& spec, const Faulty& faulty) {
    const Report report = compare(spec, faulty.dump, {}, one_thread());
    std::string what = words_of(spec) + " with";
    for (const std::string& fault : faulty.faults) what += " " + fault;
    what += ": " + violated(report) + named(report);
    require(!faulty.faults.empty() || violated(report).empty(), what);
    for (const Explanation& one : report.diagnosis)
        require(std::ranges::any_of(faulty.faults,
                                    [&](const std::string& fault) { return is_named(one, fault); }),
                what);
}

}  // namespace rope::fuzz
