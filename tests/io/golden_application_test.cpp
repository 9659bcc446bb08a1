// Recordings of the rotation without its table: onnx's reference with given caches, lucidrains with
// an offset.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <span>

#include "io/dump/dump.hpp"
#include "io/file/read_file.hpp"
#include "io/tensor/readers/readers.hpp"
#include "rope/spec/dimensions.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io {
namespace golden_application_test {

class Recording {
  public:
    explicit Recording(const std::string& id)
        : bytes_(read_file(std::string(ROPE_CHECK_TESTS) + "/golden/" + id + ".npz", 1 << 20)),
          members_(list_npz(bytes_)) {}
    NamedArray operator[](const std::string& name) const {
        return {name, members_.readers.at(name)()};
    }

  private:
    FileBytes bytes_;
    FileArrays members_;
};

// onnx.reference computes in float32: c·x1, s·x2 and their difference are each rounded.
void expect_onnx_application(const std::string& id, PairLayout layout) {
    const Recording recording(id);
    const auto input = recording["input"].array, output = recording["output"].array;
    const auto cos = recording["cos_cache"].array, sin = recording["sin_cache"].array;
    const auto positions = recording["position_ids"].array.values();
    const auto inputs = input.values(), outputs = output.values(), cosines = cos.values(),
               sines = sin.values();
    const std::uint64_t heads = input.shape[1], length = input.shape[2],
                        dimensions = input.shape[3];
    const std::uint64_t pairs = cos.shape[1];
    for (std::uint64_t row = 0; row < input.shape[0] * heads * length; ++row) {
        const std::uint64_t batch = row / (heads * length);
        const auto m = static_cast<std::uint64_t>(positions[batch * length + row % length]);
        const Values x(&inputs[row * dimensions], dimensions);
        const Vector y =
            rotate(layout, x, Values(&cosines[m * pairs], pairs), Values(&sines[m * pairs], pairs));
        for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension) {
            const double size =
                dimension < 2 * pairs ? 4 : 0;  // two dimensions of a standard normal
            EXPECT_NEAR(outputs[row * dimensions + dimension], y[dimension], 3 * size * 0x1p-24);
        }
    }
}

TEST(GoldenApplication, OnnxHalfSplit) {
    expect_onnx_application("onnx/regen_d64_half", PairLayout::half_split);
}
TEST(GoldenApplication, OnnxInterleavedInTheFirst32Dimensions) {
    expect_onnx_application("onnx/regen_d64_inter_rd32", PairLayout::interleaved);
}

TEST(GoldenApplication, LucidrainsRotatesFromItsOffsetOn) {
    const Recording recording("lucidrains/lucid_seq_d32_off100");
    Spec spec = spec_of(32, 10000);
    spec.layout = PairLayout::interleaved;
    RotatedDump dump = rotated_dump(recording["q"], recording["q_rot"], std::nullopt, spec);
    EXPECT_EQ(marks(spec, *rotated_rows(spec, dump)).front(), 'X');
    std::iota(dump.positions.begin(), dump.positions.end(), std::uint64_t{100});
    EXPECT_EQ(marks(spec, *rotated_rows(spec, dump)).substr(0, 3), ". .");
}

}  // namespace golden_application_test
}  // namespace rope::io
