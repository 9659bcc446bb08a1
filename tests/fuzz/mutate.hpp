// Mutators that parse a file, change a few of its parts and write it again, so that its
// lengths, offsets and checksums are right.
#pragma once

#include <algorithm>
#include <iterator>

#include "rope/exact/random.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace rope::fuzz {

class Choice {
  public:
    explicit Choice(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return random_.bits() % n; }
    template <class List>
    auto& one_of(List& list) {
        return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
    }
    // A list with one element removed or repeated.
    template <class List>
    void drop_or_repeat(List& list) {
        const std::size_t k = below(list.size());
        if (below(2) == 0)
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
        else
            list.insert(list.end(), typename List::value_type(list[k]));
    }

  private:
    Random random_;
};

inline std::string mutated(std::string text) {
    const std::size_t size = text.size();
    text.resize(size + 16);
    const auto data = reinterpret_cast<std::uint8_t*>(text.data());
    text.resize(LLVMFuzzerMutate(data, size, text.size()));
    return text;
}

// `change` makes another file from a valid one, and throws InputError for others. Some inputs are
// changed without regard to their format.
template <class Change>
std::size_t rewrite(std::span<std::uint8_t> memory, std::size_t size, unsigned seed,
                    const Change& change) {
    Choice choice(seed);
    std::string file;
    if (choice.below(4) != 0)
        is_accepted([&] { file = change(std::as_bytes(memory.first(size)), choice); });
    if (file.empty() || file.size() > memory.size())
        return LLVMFuzzerMutate(memory.data(), size, memory.size());
    std::ranges::copy(file, memory.begin());
    return file.size();
}

}  // namespace rope::fuzz
