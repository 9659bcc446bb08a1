// The error of a call as text: tests compare complete messages.
#pragma once

#include <exception>
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

}  // namespace rope
