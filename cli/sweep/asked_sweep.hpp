// A command line to a sweep.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/lint/lint.hpp"
#include "io/sweep/sweep_table.hpp"

namespace rope::cli {

struct AskedSweep {
    io::SweepTable table;        // without rows
    std::vector<io::Lint> lint;  // of its configs
};

// Models, then configs, each under every value of the flags that are given several times; without
// either, what the flags say. A config that cannot be used is a row. Throws InputError on what is
// asked twice, and on a flag that suits no model.
AskedSweep asked_sweep(const Arguments& arguments);

}  // namespace rope::cli
