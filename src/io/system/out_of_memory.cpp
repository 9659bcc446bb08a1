#include "io/system/out_of_memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "io/system/unfinished.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::io {
namespace {

constinit std::atomic<bool> is_out_of_memory = false;

[[noreturn]] void note_and_throw() {
    is_out_of_memory = true;
    throw std::bad_alloc();
}

[[noreturn]] void end_process() {
    remove_unfinished();
    if (!is_out_of_memory) std::abort();
    say_out_of_memory();
    ::_exit(out_of_memory_code);
}

void set_handlers() {
    std::set_new_handler(note_and_throw);
    std::set_terminate(end_process);
}

#ifdef __GNUC__
// before the constructors of CLI11's objects, which allocate memory
[[gnu::constructor(101)]] void set_handlers_early() { set_handlers(); }
#endif

}  // namespace

void say_out_of_memory() noexcept {
    constexpr std::string_view line = "error: not enough memory\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
}

void survive_out_of_memory() {
    set_handlers();
    make_gmp_throw();
}

}  // namespace rope::io
