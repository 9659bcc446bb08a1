// Shared by the fuzz targets. Each target defines try_input(); entry.cpp calls it with libFuzzer's
// inputs, replay.cpp with the kept ones.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "io/system/file_descriptor.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// May throw InputError or IoError. Any other end is a finding.
void try_input(Bytes input);

inline std::string_view text_of(Bytes input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

// Ends the process if a property does not hold.
inline void require(bool holds, const std::string& what) {
    if (holds) return;
    (void)std::fprintf(stderr, "property violated: %s\n", what.c_str());
    std::abort();
}

// Whether `use` accepts its input.
template <class Use>
bool is_accepted(const Use& use) {
    try {
        use();
        return true;
    } catch (const InputError&) {
        return false;
    } catch (const io::IoError&) {
        return false;
    }
}

// For readers that need a path: a file with this name in a folder of the process.
inline std::string file_of(std::string_view bytes, const std::string& name) {
    static const TemporaryFolder folder;
    return folder.write(name, bytes).string();
}

// Choices drawn from the bytes of an input; after its end, each is the first option.

class Draw {
  public:
    explicit Draw(Bytes bytes) : bytes_(bytes) {}

    std::uint64_t bits(int count = 8) {
        std::uint64_t bits = 0;
        for (int k = 0; k < count && !bytes_.empty(); ++k, bytes_ = bytes_.subspan(1))
            bits = bits << 8 | bytes_.front();
        return bits;
    }
    std::uint64_t below(std::uint64_t n) { return bits(n <= 256 ? 1 : n <= 65536 ? 2 : 8) % n; }
    bool one_in(std::uint64_t n) { return below(n) == n - 1; }
    template <class List>
    const auto& one_of(const List& list) {
        return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
    }

    double any_double() { return std::bit_cast<double>(bits()); }
    double unit() { return static_cast<double>(bits(4)) * 0x1p-32; }  // [0, 1)
    double within(double low, double high) { return low + (high - low) * unit(); }
    double between_powers(double low, double high) {  // of 10
        return std::pow(10.0, within(low, high));
    }
    Bytes rest() const { return bytes_; }

  private:
    Bytes bytes_;
};

}  // namespace rope::fuzz
