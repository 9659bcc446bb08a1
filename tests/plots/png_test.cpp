#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "plots/svg/raster.hpp"

namespace rope::plots {
namespace png_test {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < 4; ++k)
        number = number << 8 | static_cast<std::uint8_t>(bytes[at + k]);
    return number;
}

struct Chunk {
    std::string type, data;
};

// Reads the chunks of a PNG, and checks the sum of each.
std::vector<Chunk> chunks_of(const std::string& png) {
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::vector<Chunk> chunks;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t size = number_at(png, at);
        const std::string body = png.substr(at + 4, 4 + size);
        EXPECT_EQ(
            number_at(png, at + 8 + size),
            crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
        chunks.push_back({body.substr(0, 4), body.substr(4)});
        at += 12 + size;
    }
    return chunks;
}

TEST(Png, ContainsThePicture) {
    const Picture picture{3, 2, {{1, 2, 3}, {4, 5, 6, 7}}, {0, 1, 0, 1, 1, 0}};
    const std::vector<Chunk> chunks = chunks_of(png_of(picture));
    ASSERT_EQ(chunks.size(), 5U);
    EXPECT_EQ(chunks[0].type, "IHDR");
    EXPECT_EQ(number_at(chunks[0].data, 0), 3U);
    EXPECT_EQ(number_at(chunks[0].data, 4), 2U);
    EXPECT_EQ(chunks[0].data.substr(8), std::string("\x08\x03\0\0\0", 5));
    EXPECT_EQ(chunks[1].type, "PLTE");
    EXPECT_EQ(chunks[1].data, "\x01\x02\x03\x04\x05\x06");
    EXPECT_EQ(chunks[2].type, "tRNS");
    EXPECT_EQ(chunks[2].data, "\xff\x07");
    EXPECT_EQ(chunks[3].type, "IDAT");
    std::string rows(100, '?');
    uLongf size = rows.size();
    ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                         reinterpret_cast<const Bytef*>(chunks[3].data.data()),
                         static_cast<uLong>(chunks[3].data.size())),
              Z_OK);
    EXPECT_EQ(rows.substr(0, size), std::string("\0\0\1\0\0\1\1\0", 8));
    EXPECT_EQ(chunks[4].type, "IEND");
}

}  // namespace png_test
}  // namespace rope::plots
