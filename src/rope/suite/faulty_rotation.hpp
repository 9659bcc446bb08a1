// Rotations with a fault, of a case's vectors: float32 numbers, rows × head_dim.
#pragma once

#include <functional>
#include <vector>

#include "rope/suite/suite.hpp"

namespace rope {

struct TableEntry {
    double cos, sin;
};

struct FaultySubject {
    const SuiteCase& right;
    const std::vector<double>& x;
};
using Answer = std::vector<double>;

Answer by_spec(const FaultySubject& subject, const std::function<void(Spec&)>& change);
Answer by_positions(const FaultySubject& subject,
                    const std::function<double(double m, std::size_t row)>& change);

// Whole positions from 0 on, of one axis, for the following.
Answer by_frequencies(const FaultySubject& subject,
                      const std::function<void(std::vector<PlannedFrequency>&)>& change);
// The angle of which cos and sin are taken, at m positions of θ.
Answer by_angles(const FaultySubject& subject,
                 const std::function<double(double m, const BigReal& theta)>& angle);
// cos and sin, before they turn a vector.
Answer by_entries(const FaultySubject& subject,
                  const std::function<TableEntry(TableEntry right, double m)>& change);
// R(m) of half-split pairs (x1, x2), which `map` turns into (y1, y2).
Answer by_pairs(const FaultySubject& subject,
                void (*map)(double& x1, double& x2, const TableEntry& turn));

}  // namespace rope
