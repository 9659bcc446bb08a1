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
    // "FIELD CLAUSE", where the clause has another shape, or begins with the colon of "FIELD: …"
    InputError(const std::string& of, const std::string& clause)
        : runtime_error(of + (clause.starts_with(':') ? "" : " ") + clause),
          field(of),
          wanted(clause) {}

    // The same of the field by another name, such as where it was given.
    InputError renamed(const std::string& name) const {
        return value.empty() ? InputError(name, wanted) : InputError(name, value, wanted);
    }
    // The same message, about an option that it does not begin with.
    InputError about(const std::string& option) const {
        InputError other = *this;
        other.field = option;
        return other;
    }

    // What the message is about, a key or an option such as "--seed"; its value; and what would be
    // right or, where no value is said, the clause. Empty where the message is about no field.
    std::string field = {}, value = {}, wanted = {};
};

}  // namespace rope
