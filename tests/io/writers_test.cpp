#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "io/tensor/readers/readers.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/number/format.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/rope/seeded.hpp"

namespace rope::io {
namespace writers_test {

using enum Element;

constexpr Element elements[] = {float64, float32, bfloat16, float16, int64,  int32,
                                int16,   int8,    uint64,   uint32,  uint16, uint8};

// Six numbers that the format represents.
std::vector<double> numbers(Element element) {
    if (!format_of(element)) return {0, 1, 2, 100, 7, 5};
    Seeded random(5);
    std::vector<double> x = random.vector(6);
    for (double& value : x) value = round_to(*format_of(element), value);
    return x;
}

bool same(const Array& a, const Array& b) {
    return a.element == b.element && a.shape == b.shape &&
           std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
}

std::string file_of(const std::function<void(const Sink&)>& produce) {
    std::string file;
    produce([&](std::string_view part) { file += part; });
    return file;
}

std::string npz_of(std::span<const WrittenArray> arrays) {
    return file_of([&](const Sink& write) { write_npz(arrays, write); });
}

std::string safetensors_of(std::span<const WrittenArray> arrays) {
    return file_of([&](const Sink& write) { write_safetensors(arrays, {{"spec", "{}"}}, write); });
}

TEST(Writers, AndReadersAgree) {
    std::vector<WrittenArray> all;
    for (const Element element : elements)
        all.push_back(
            {std::string(to_string(element)), encoded(element, {2, 3}, numbers(element))});
    all.push_back({"scalar", encoded(float32, {}, std::vector<double>{1})});
    all.push_back({"none", encoded(float32, {0, 4}, {})});
    const std::string npz = npz_of(all), safe = safetensors_of(all);
    EXPECT_EQ(npz, npz_of(all));
    EXPECT_EQ(safe, safetensors_of(all));
    const FileArrays members = list_npz(as_bytes(npz));
    const Safetensors tensors = list_safetensors(as_bytes(safe));
    EXPECT_EQ(tensors.metadata.at("spec"), "{}");
    for (const WrittenArray& one : all) {
        EXPECT_TRUE(same(members.readers.at(one.name)(), one.array)) << one.name;
        const auto read = read_safetensor(as_bytes(safe), one.name, tensors.tensors.at(one.name));
        EXPECT_TRUE(same(read, one.array)) << one.name;
        if (one.array.element == bfloat16) continue;
        const std::string npy = write_npy(one);
        EXPECT_TRUE(same(read_npy(as_bytes(npy)), one.array)) << one.name;
    }
}

// The arrays' bytes are made only after their number is known to be small enough.
TEST(Writers, NpzOfMoreThan4GiBIsRefusedAndNoOther) {
    const auto written = [](std::uint64_t rows) {
        const WrittenArray one{"x", {{rows, 1024}, float64, {}}, false, [](const Sink& write) {
                                   write(std::string(1024 * sizeof(double), 'x'));
                               }};
        return npz_of({&one, 1}).size();
    };
    EXPECT_GT(written(1), 8192u);
    EXPECT_EQ(error_message<InputError>([&] { written(1 << 19); }),
              "an .npz of more than 4 GiB is not written; choose fewer positions");
}

TEST(Writers, ComplexNumbersComeBackAsALastAxisOfTwo) {
    const WrittenArray complex{"z", encoded(float32, {3, 2}, numbers(float32)), true};
    const std::string npy = write_npy(complex);
    EXPECT_NE(npy.find("'<c8', 'fortran_order': False, 'shape': (3,)"), std::string::npos);
    EXPECT_TRUE(same(read_npy(as_bytes(npy)), complex.array));
}

TEST(Writers, EveryNumberOfTheHalfFormatsComesBack) {
    for (const Element element : {float16, bfloat16})
        for (std::uint32_t bits = 0; bits < 65536; ++bits) {
            const std::byte stored[] = {std::byte(bits & 0xff), std::byte(bits >> 8)};
            const double x = number_at(element, stored);
            if (std::isnan(x)) continue;
            const Array array = encoded(element, {1}, std::vector<double>{x});
            ASSERT_EQ(std::to_integer<unsigned>(array.bytes[0]), bits & 0xff) << bits;
            ASSERT_EQ(std::to_integer<unsigned>(array.bytes[1]), bits >> 8) << bits;
        }
}

TEST(Writers, NpyIsAsNumPyWritesIt) {
    const WrittenArray array{"", encoded(float32, {2, 1}, std::vector<double>{1, 2})};
    EXPECT_EQ(write_npy(array), npy("<f4", "(2, 1)", raw<float>({1, 2})));
    EXPECT_EQ(write_npy({"", encoded(int64, {1}, std::vector<double>{3})}),
              npy("<i8", "(1,)", raw<std::int64_t>({3})));
}

}  // namespace writers_test
}  // namespace rope::io
