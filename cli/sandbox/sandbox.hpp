// --sandbox: a process that opens its inputs and outputs and no other file.
#pragma once

#include <memory>

#include "cli/shell/commands.hpp"
#include "io/sandbox/deputy.hpp"

namespace rope::cli {

// Of the process, from here to its end, before it opens an input or starts a thread. Outputs are
// opened, and figures converted, by a deputy that stays outside. Throws InputError where --sandbox
// is on for a command that does what a sandbox forbids, IoError where the system has none.
class Sandbox {
  public:
    Sandbox(const Command& command, const Arguments& arguments, Process process);
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;
    ~Sandbox() { io::outside = nullptr; }

  private:
    std::unique_ptr<io::Deputy> deputy_;
};

}  // namespace rope::cli
