// The error of unusable input.
#pragma once

#include <stdexcept>
#include <string>

namespace rope {

// The message is one line that names the field, its value and the values it may take.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
    // "FIELD is VALUE; it must be WANTED"
    InputError(const std::string& of, const std::string& is, const std::string& must_be)
        : runtime_error(of + " is " + is + "; it must be " + must_be),
          field(of),
          value(is),
          wanted(must_be) {}
    // "FIELD CLAUSE" for any other message, or "FIELD: …" if the clause begins with a colon.
    InputError(const std::string& of, const std::string& clause)
        : runtime_error(of + (clause.starts_with(':') ? "" : " ") + clause),
          field(of),
          wanted(clause) {}

    // Returns the error with another name of the field, such as the option that set it.
    InputError renamed(const std::string& name) const {
        return value.empty() ? InputError(name, wanted) : InputError(name, value, wanted);
    }
    // Returns the error with the same message but another field, which the message need not name.
    InputError about(const std::string& option) const {
        InputError other = *this;
        other.field = option;
        return other;
    }

    // The field that the message is about (a config key or an option such as "--seed"), its value,
    // and the values it may take; without a value, `wanted` is the clause. Empty if there is no
    // field.
    std::string field = {}, value = {}, wanted = {};
};

}  // namespace rope
