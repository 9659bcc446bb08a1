// The subjects in a dump, each with the Spec that it is judged by.
#pragma once

#include <vector>

#include "cli/command/judging.hpp"
#include "io/dump/dump_tensors.hpp"

namespace rope::cli {

// How --axes and --cache-layout say that it is to be read, --pipeline and --context to be judged.
// To be asked before any file is.
struct AskedDump {
    io::DumpHints hints;
    CompareOptions how;
};
AskedDump asked_dump(const Arguments& arguments);

struct DumpCases {
    std::vector<io::NamedDump> dumps;
    std::vector<Case> cases;  // of each; they refer to them
};
// By the Spec that is given, else by what the dump turns out to be.
DumpCases dump_cases(io::DumpTensors& tensors, const AskedDump& how_asked,
                     const Arguments& arguments);

}  // namespace rope::cli
