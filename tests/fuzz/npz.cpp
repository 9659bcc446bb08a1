#include "io/tensor/readers.hpp"
#include "tests/fuzz/arrays.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::fuzz {
namespace {

constexpr std::string_view names[] = {"cos.npy",          "sin.npy",      "q.npy",
                                      "q_rot.npy",        "inv_freq.npy", "position_ids.npy",
                                      "cos__bf16bits.npy"};

std::vector<TestMember> members_of(const std::vector<io::ZipMember>& listed,
                                   std::span<const std::byte> bytes) {
    std::vector<TestMember> members;
    for (const io::ZipMember& one : listed) {
        std::optional<io::ZipContent> content;
        is_accepted([&] { content = io::zip_content(bytes, one); });
        if (!content) continue;
        const std::string data(reinterpret_cast<const char*>(content->bytes.data()),
                               content->bytes.size());
        members.push_back(one.is_deflated ? compressed(one.name, data)
                                          : TestMember{one.name, data});
    }
    return members;
}

void change(std::vector<TestMember>& members, Choice& choice) {
    TestMember& member = choice.one_of(members);
    switch (choice.below(5)) {
        case 0:
            return choice.drop_or_repeat(members);
        case 1:
            member.name = choice.one_of(names);
            return;
        case 2:
            member.name = mutated(member.name);
            return;
        default:
            break;
    }
    const std::string data = mutated(member.data);
    member = choice.below(2) == 0 ? compressed(member.name, data) : TestMember{member.name, data};
}

std::string changed_npz(std::span<const std::byte> bytes, Choice& choice) {
    std::vector<TestMember> members = members_of(io::list_zip_members(bytes), bytes);
    for (std::size_t count = 1 + choice.below(3); count > 0 && !members.empty(); --count)
        change(members, choice);
    return npz(members);
}

}  // namespace
}  // namespace rope::fuzz

void rope::fuzz::try_input(Bytes input) { read_arrays(input, "x.npz"); }

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    return rope::fuzz::rewrite({data, most}, size, seed, rope::fuzz::changed_npz);
}
