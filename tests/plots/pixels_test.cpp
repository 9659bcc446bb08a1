#include "plots/raster/pixels.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "plots/raster/few_colors.hpp"

namespace rope::plots {
namespace {

void add_number(std::string& bytes, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
}

std::string chunk(const std::string& type, const std::string& data) {
    std::string bytes;
    add_number(bytes, static_cast<std::uint32_t>(data.size()));
    return bytes + type + data + "sum.";  // which nobody reads
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string small(size, '\0');
    compress(reinterpret_cast<Bytef*>(small.data()), &size,
             reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
    return small.substr(0, size);
}

// `rows` is each row's filter and its filtered bytes. The data is in two chunks, as they may be.
std::string png(std::uint32_t width, std::uint32_t height, char kind, const std::string& rows) {
    std::string header;
    add_number(header, width);
    add_number(header, height);
    header += std::string{8, kind, 0, 0, 0};
    const std::string data = deflated(rows);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("tEXt", "IDAT") +
           chunk("IDAT", data.substr(0, 5)) + chunk("IDAT", data.substr(5)) + chunk("IEND", "");
}

std::string bytes(std::initializer_list<int> numbers) {
    std::string all;
    for (const int number : numbers) all += static_cast<char>(number);
    return all;
}

using Bytes = std::vector<std::uint8_t>;

// By hand from ISO 15948, 9.2: two RGB pixels a row, each row with another filter.
TEST(Pixels, UndoEveryFilterOfPng) {
    const std::string rows = bytes({0, 10, 20, 30, 40, 50, 60}) +  // as it is
                             bytes({1, 1, 2, 3, 5, 5, 5}) +        // from the left
                             bytes({2, 1, 1, 1, 255, 255, 255}) +  // from above, modulo 256
                             bytes({3, 9, 9, 9, 0, 0, 0}) +        // from the mean of both
                             bytes({4, 1, 1, 1, 2, 2, 2});         // Paeth's
    const auto pixels = pixels_of(png(2, 5, 2, rows));
    ASSERT_TRUE(pixels);
    EXPECT_EQ(pixels->width, 2U);
    EXPECT_EQ(pixels->height, 5U);
    const Bytes want = {10, 20, 30, 40, 50, 60,  //
                        1,  2,  3,  6,  7,  8,   //
                        2,  3,  4,  5,  6,  7,   //
                        10, 10, 11, 7,  8,  9,   //
                        11, 11, 12, 9,  10, 11};
    EXPECT_EQ(pixels->rgb, want);
}

// ISO 15948, 9.4: of two that are as near, the left one goes first and the corner last.
TEST(Pixels, ArePredictedByPaethInTheOrderOfTheStandard) {
    const std::string rows = bytes({0, 10, 10, 10, 11, 8, 9}) +  // corners 10, 10, 10
                             bytes({4, 254, 1, 1, 0, 0, 0});     // left 8, 11, 11
    const auto pixels = pixels_of(png(2, 2, 2, rows));
    ASSERT_TRUE(pixels);
    EXPECT_EQ(Bytes(pixels->rgb.begin() + 6, pixels->rgb.end()), (Bytes{8, 11, 11, 8, 8, 10}));
}

TEST(Pixels, AreLaidOnWhite) {
    const std::string row = bytes({0, 10, 20, 30, 255, 10, 20, 30, 0, 0, 100, 255, 51});
    const auto pixels = pixels_of(png(3, 1, 6, row));
    ASSERT_TRUE(pixels);
    EXPECT_EQ(pixels->rgb, (Bytes{10, 20, 30, 255, 255, 255, 204, 224, 255}));
}

TEST(Pixels, AreNothingOfOtherBytes) {
    const std::string row = bytes({0, 1, 2, 3}), good = png(1, 1, 2, row);
    ASSERT_TRUE(pixels_of(good));
    EXPECT_FALSE(pixels_of(""));
    EXPECT_FALSE(pixels_of("<svg"));
    EXPECT_FALSE(pixels_of(png(1, 1, 3, row))) << "a palette";
    EXPECT_FALSE(pixels_of(png(1, 2, 2, row))) << "a row is missing";
    EXPECT_FALSE(pixels_of(png(0, 1, 2, ""))) << "no width";
    EXPECT_FALSE(pixels_of(png(1U << 31, 1U << 31, 2, row))) << "more than there can be";
    for (std::size_t size = 0; size + 12 < good.size(); ++size)
        EXPECT_FALSE(pixels_of(good.substr(0, size))) << size;
}

TEST(FewColors, KeepThoseThatAreFew) {
    const Picture picture =
        with_few_colors({3, 1, {0xd5, 0x5e, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}});
    EXPECT_EQ(picture.pixels, (Bytes{1, 0, 0}));
    ASSERT_EQ(picture.palette.size(), 2U);
    EXPECT_EQ(picture.palette[0].red, 0xff);
    EXPECT_EQ(picture.palette[1].green, 0x5e);
}

// All of a cube of 17³ colours: the frequent ones stay exact, the others lie next to one that
// stays.
TEST(FewColors, AreAtMost256AndNearEveryPixel) {
    Pixels pixels{17 * 17 * 17 + 100, 1, {}};
    for (int red = 0; red < 17; ++red)
        for (int green = 0; green < 17; ++green)
            for (int blue = 0; blue < 17; ++blue)
                for (const int part : {red, green, blue})
                    pixels.rgb.push_back(static_cast<std::uint8_t>(15 * part));
    for (int k = 0; k < 100; ++k)
        for (const int part : {0xd2, 0x5a, 0x00})
            pixels.rgb.push_back(static_cast<std::uint8_t>(part));
    const Picture picture = with_few_colors(pixels);
    EXPECT_EQ(picture.palette.size(), 256U);
    ASSERT_EQ(picture.pixels.size(), pixels.width);
    const Color& last = picture.palette[picture.pixels.back()];
    EXPECT_EQ(last.red, 0xd2);
    EXPECT_EQ(last.green, 0x5a);
    EXPECT_EQ(last.blue, 0x00);
    const auto off = [&](std::size_t at) {
        const Color& one = picture.palette[picture.pixels[at]];
        const int red = pixels.rgb[3 * at] - one.red, green = pixels.rgb[3 * at + 1] - one.green,
                  blue = pixels.rgb[3 * at + 2] - one.blue;
        return red * red + green * green + blue * blue;
    };
    for (std::size_t at = 0; at < pixels.width; ++at)
        for (const Color& other : picture.palette) {
            const int red = pixels.rgb[3 * at] - other.red,
                      green = pixels.rgb[3 * at + 1] - other.green,
                      blue = pixels.rgb[3 * at + 2] - other.blue;
            ASSERT_LE(off(at), red * red + green * green + blue * blue) << at;
        }
}

}  // namespace
}  // namespace rope::plots
