// What a call throws, as text: tests state whole messages.
#pragma once

#include <exception>
#include <string>

namespace rope {

// The message of the Error that `call` throws; what happened instead, in brackets, if it does not.
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
