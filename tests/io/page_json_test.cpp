// What the page's script unpacks.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "io/render/results.hpp"
#include "tests/io/example_report.hpp"

namespace rope::io {
namespace page_json_test {

using nlohmann::json;

// RFC 4648
std::string from_base64(const std::string& text) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text.substr(0, text.find('='))) {
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
        count += 6;
        if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
    }
    return bytes;
}

// Little-endian, as is every processor on which the tests run.
template <class Number>
Number number_at(const std::string& bytes, std::size_t at) {
    Number number;
    std::memcpy(&number, bytes.substr(at, sizeof number).data(), sizeof number);
    return number;
}

MappedReport mapped(PositionScale scale, std::size_t columns) {
    MappedReport one{.label = "one", .report = example_report(), .errors = {}};
    ErrorMap& map = one.errors;
    map.pairs = 7;
    map.positions = {.scale = scale, .first = 0, .last = static_cast<double>(columns)};
    for (std::size_t k = 0; k <= columns; ++k)
        map.positions.edges.push_back(static_cast<double>(k));
    map.worst.assign(columns, 0.5F);
    map.places.assign(columns, {});
    return one;
}

json cells_of(const MappedReport& one) {
    return json::parse(page_json({}, {&one, 1}, {})).at("subjects").at(0).at("cells");
}

TEST(PageJson, PacksThePlaceOfEachCellsLargestError) {
    MappedReport one = mapped(PositionScale::linear, 3);
    one.errors.places[0] = {0.5, 1234.5, 6, false, 0.1, -0.25};
    one.errors.places[1] = {0.5, -1e300, 5, true, -0.0, 3};
    const json cells = cells_of(one);
    EXPECT_EQ(cells.at("rows"), 1);
    EXPECT_EQ(cells.at("columns"), 3);
    const std::string bytes = from_base64(cells.at("places"));
    ASSERT_EQ(bytes.size(), 3U * (3 * 8 + 4));
    EXPECT_EQ(number_at<double>(bytes, 0), 1234.5);
    EXPECT_EQ(number_at<double>(bytes, 8), -1e300);
    EXPECT_EQ(number_at<double>(bytes, 24), 0.1);
    EXPECT_EQ(number_at<double>(bytes, 48), -0.25);
    EXPECT_EQ(number_at<double>(bytes, 56), 3);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, 72), 6U);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, 76), 0x80000005U);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, 80), 0xffffffffU);
}

TEST(PageJson, NamesTheScaleOfThePositions) {
    EXPECT_EQ(cells_of(mapped(PositionScale::linear, 1)).at("scale"), "linear");
    EXPECT_EQ(cells_of(mapped(PositionScale::log, 1)).at("scale"), "log");
    EXPECT_EQ(cells_of(mapped(PositionScale::listed, 1)).at("scale"), "listed");
}

TEST(PageJson, HasNoCellsWhereNothingWasMapped) {
    const MappedReport one{.label = "one", .report = example_report(), .errors = {}};
    EXPECT_EQ(cells_of(one), nullptr);
}

}  // namespace page_json_test
}  // namespace rope::io
