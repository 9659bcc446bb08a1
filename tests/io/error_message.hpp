// The error of a call as text: tests compare complete messages.
#pragma once

#include <exception>
#include <ostream>
#include <string>

namespace rope {

// The message of the Error that `call` throws; in brackets, the outcome if it throws none.
template <typename Error, typename Call>
std::string error_message(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("[another type] ") + error.what();
    }
    return "[no error]";
}

// A row of a table: an input that is refused, and the message.
struct Refused {
    const char* name;
    std::string input;
    std::string message;

    friend void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }
};

}  // namespace rope
