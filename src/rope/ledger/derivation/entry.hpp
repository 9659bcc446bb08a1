// One statement of an article or a paper, and how it is derived.
#pragma once

#include <string_view>

#include "rope/ledger/derivation/derivation.hpp"

namespace rope::ledger {

struct Entry {
    std::string_view id;         // "001-c3-literal": the work, then a name
    std::string_view section;    // of the work, where it is stated
    std::string_view statement;  // one line, in our words
    Status status;
    void (*derive)(Derivation& d);
    std::string_view see = {};  // a command that shows more
};

}  // namespace rope::ledger
