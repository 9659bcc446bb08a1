// Unusable input.
#pragma once

#include <stdexcept>
#include <string>

namespace rope {

// The message is one line: what, where, and what would be right.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
    // "FIELD is VALUE; it must be WANTED"
    InputError(const std::string& of, const std::string& is, const std::string& must_be)
        : runtime_error(of + " is " + is + "; it must be " + must_be),
          field(of),
          value(is),
          wanted(must_be) {}
    // "FIELD CLAUSE", where the clause has another shape
    InputError(const std::string& of, const std::string& clause)
        : runtime_error(of + " " + clause), field(of) {}

    // The same of the field by another name, such as where it was given.
    InputError renamed(const std::string& name) const {
        InputError other(name + (what() + field.size()));
        other.field = name;
        other.value = value;
        other.wanted = wanted;
        return other;
    }

    // Empty where the message is about no field, or says this in another way.
    std::string field = {}, value = {}, wanted = {};
};

}  // namespace rope
