// The functions that libFuzzer calls.
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rope::fuzz::is_accepted([&] { rope::fuzz::try_input({data, size}); });
    return 0;
}
