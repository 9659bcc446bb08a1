// Preloaded: leaves the program a state that another library could leave, named by DISTURB.
#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <locale>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

// The C library's locale, whose LC_NUMERIC the test has made, and the C++ library's.
void set_locale() {
    if (std::setlocale(LC_ALL, "") == nullptr || *std::localeconv()->decimal_point != ',')
        std::abort();
    std::locale::global(std::locale(std::locale(), new German));
}

// Subnormal operands and results become zero.
void flush() {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{1} << 24));
#endif
}

__attribute__((constructor)) void disturb() {
    const char* const how = std::getenv("DISTURB");
    if (how == nullptr) return;
    if (std::strcmp(how, "locale") == 0) set_locale();
    if (std::strcmp(how, "flush") == 0) flush();
    if (std::strcmp(how, "upward") == 0) std::fesetround(FE_UPWARD);
    if (std::strcmp(how, "downward") == 0) std::fesetround(FE_DOWNWARD);
    if (std::strcmp(how, "towardzero") == 0) std::fesetround(FE_TOWARDZERO);
}

}  // namespace
