// What was written is read again.
#include "base/archive.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace rope {
namespace archive_test {

struct Padded {
    std::uint64_t count = 0;
    std::uint32_t pair = 0;
    std::optional<double> worst = {};
    std::string note = {};

    bool operator==(const Padded&) const = default;
};

void exchange(Archive& archive, Padded& value) {
    archive(value.count, value.pair, value.worst, value.note);
}

TEST(Archive, ReadsWhatItWrote) {
    const std::vector<Padded> before = {
        {1, 2, 0.1, "θ"},
        {},
        {std::numeric_limits<std::uint64_t>::max(), 3, {}, std::string(1, '\0')}};
    EXPECT_EQ(read_archived<std::vector<Padded>>(archived(before)), before);
}

TEST(Archive, ReplacesWhatWasThere) {
    Padded value{1, 2, 3, "note"};
    std::vector<float> floats(7, 1);
    Archive writing;
    Padded nothing;
    std::vector<float> none;
    writing(nothing, none);
    Archive reading(writing.bytes());
    reading(value, floats);
    EXPECT_EQ(value, Padded());
    EXPECT_TRUE(floats.empty());
}

TEST(Archive, OfTooFewBytesIsRefused) {
    const Bytes all = archived(std::vector<Padded>{{1, 2, 0.1, "note"}, {}});
    for (std::size_t size = 0; size < all.size(); ++size)
        EXPECT_THROW(read_archived<std::vector<Padded>>(all.substr(0, size)), std::length_error);
    EXPECT_THROW(read_archived<std::string>(to_bytes(~std::size_t{0})), std::length_error);
}

}  // namespace archive_test
}  // namespace rope
