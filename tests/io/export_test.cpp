#include "io/export/export.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/export/streamed_export.hpp"
#include "io/tensor/readers/safetensors.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::io {
namespace {

using Positions = std::vector<std::uint64_t>;
using Shape = std::vector<std::uint64_t>;

ExportRequest small(CacheLayout layout) {
    ExportRequest request{.spec = {}, .positions = {{1, 5}}, .layout = layout};
    request.spec.head_dim = request.spec.rotary_dim = 4;
    return request;
}

const WrittenArray& named(const std::vector<WrittenArray>& arrays, const std::string& name) {
    for (const WrittenArray& array : arrays)
        if (array.name == name) return array;
    static const WrittenArray none{};
    ADD_FAILURE() << name;
    return none;
}

std::string refusal(const std::string& text) {
    return error_message<InputError>([&] { parse_positions("--positions", text); });
}

TEST(ExportPositions, ByDefaultAreDiagnostic) {
    EXPECT_EQ(default_positions(2), (Positions{0, 1}));
    EXPECT_EQ(default_positions(6), (Positions{0, 1, 2, 3, 4, 5}));
}

TEST(ExportPositions, AreAnyNumbers) {
    const auto parse = [](const std::string& text) { return parse_positions("--positions", text); };
    EXPECT_EQ(parse("0:3,7,100:102"), (std::vector<double>{0, 1, 2, 7, 100, 101}));
    EXPECT_EQ(parse("4294967295"), std::vector<double>{4294967295});
    EXPECT_EQ(refusal("5:5"),
              "--positions: '5:5' contains no position; A:B runs from A to before B");
    EXPECT_EQ(refusal("0:10000000,0:10000000"),
              "--positions: '0:10000000,0:10000000' has more than 16777216 positions");
    EXPECT_EQ(refusal("4294967296"), "--positions: '4294967296' is not between -2^32 and 2^32");
    EXPECT_EQ(parse("-2:2,7"), (std::vector<double>{-2, -1, 0, 1, 7}));
    EXPECT_EQ(parse("0.1,-0.5"), (std::vector<double>{0.1, -0.5}));
    EXPECT_EQ(parse("-1:1:0.5"), (std::vector<double>{-1, -0.5, 0, 0.5}));
    // the double nearest to 3·0.1, not 0.1 + 0.1 + 0.1
    EXPECT_EQ(parse("0:0.35:0.1").at(3), std::fma(3, 0.1, 0));
    for (const char* text :
         {"", "a", "1,,2", "1:2:3:4", ":", "1:", ":4", "nan", "inf", "2:1", "0:1:0", "0:1:-1",
          "4294967296", "-4294967296", "0:20000000", "0:1:1e-300"})
        EXPECT_THROW(parse(text), InputError) << text;
}

TEST(ExportPositions, OfAGridGoRowByRow) {
    const AxisMap axial{AxisScheme::axial};
    EXPECT_EQ(parse_grid("--grid", "2x3", axial),
              (PositionsByAxis{{0, 1, 2, 0, 1, 2}, {0, 0, 0, 1, 1, 1}}));
    const AxisMap mrope{AxisScheme::sectioned, {2, 1, 1}};
    EXPECT_EQ(parse_grid("--grid", "1x2", mrope), (PositionsByAxis{{0, 0}, {0, 0}, {0, 1}}));
    for (const char* text : {"", "x", "3", "3x", "x3", "0x3", "3x0", "-1x3", "4097x4096", "2x2x2"})
        EXPECT_THROW(parse_grid("--grid", text, axial), InputError) << text;
    EXPECT_THROW(parse_grid("--grid", "2x3", AxisMap{}), InputError);
}

TEST(Export, PositionsThatAreNotWholeAreFloat64) {
    ExportRequest request = small(CacheLayout::half);
    EXPECT_EQ(named(export_arrays(request), "position_ids").array.element, Element::int64);
    request.positions = {{-1, 0.5}};
    const auto arrays = export_arrays(request);
    EXPECT_EQ(named(arrays, "position_ids").array.element, Element::float64);
    EXPECT_EQ(named(arrays, "position_ids").array.values(), (std::vector<double>{-1, 0.5}));
    request.spec.axes = {AxisScheme::axial};
    request.positions = {{0, 1}, {-3, 2}};
    EXPECT_EQ(named(export_arrays(request), "position_ids").array.shape, (Shape{2, 2}));
}

TEST(Export, RotatesGivenVectorsOfEveryHeadAtTheSamePositions) {
    ExportRequest request = small(CacheLayout::half);
    request.positions = {{-1, 0.5, 3}};
    const auto random = export_arrays(request);
    const std::vector<double> q = named(random, "q").array.values();
    const std::vector<double> q_rot = named(random, "q_rot").array.values();
    GivenVectors two{{1, 2, 3, 4}, q};
    two.values.insert(two.values.end(), q.begin(), q.end());
    request.q = two;
    request.seed.reset();
    const auto given = export_arrays(request);
    ASSERT_EQ(named(given, "q_rot").array.shape, two.shape);
    const std::vector<double> turned = named(given, "q_rot").array.values();
    EXPECT_EQ(std::vector<double>(turned.begin(), turned.begin() + 12), q_rot);
    EXPECT_EQ(std::vector<double>(turned.begin() + 12, turned.end()), q_rot);
    EXPECT_EQ(given.back().name, "q_rot");
}

TEST(Export, RefusesVectorsThatCannotBeRotated) {
    const auto refusal_of = [](std::vector<std::uint64_t> shape, std::vector<double> values) {
        const NamedArray array{"q.npy", encoded(Element::float32, std::move(shape), values)};
        return error_message<InputError>([&] { given_vectors(array, small({}).spec); });
    };
    EXPECT_EQ(refusal_of({1, 4}, {1, 2, 3, 4}), "[no error]");
    EXPECT_EQ(refusal_of({1, 2}, {1, 2}),
              "--q: q.npy has shape [1, 2]; it must end in the positions and 4 lanes");
    EXPECT_EQ(refusal_of({4}, {1, 2, 3, 4}),
              "--q: q.npy has shape [4]; it must end in the positions and 4 lanes");
    EXPECT_EQ(refusal_of({0, 4}, {}), "--q: q.npy is empty");
    EXPECT_EQ(refusal_of({2, 4}, {1, 2, 3, 4, 5, std::nan(""), 7, 8}),
              "--q: q.npy has nan in row 1, lane 1; each value must be finite");
}

// Every byte that the whole file has, from parts that end within it.
TEST(Export, StreamsTheSameBytes) {
    for (const CacheLayout layout : {CacheLayout::duplicated, CacheLayout::stacked,
                                     CacheLayout::angles, CacheLayout::complex}) {
        ExportRequest request = small(layout);
        request.spec.head_dim = request.spec.rotary_dim = 256;
        request.positions = {{-0.5}};
        for (int m = 0; m < 2500; ++m) request.positions[0].push_back(m);
        request.seed.reset();
        const auto arrays = export_arrays(request);
        const std::string table = arrays.back().name;
        for (const auto& [format, tensor] : {std::pair<std::string, std::string>{"safetensors", ""},
                                             {"npy", table},
                                             {"npy", "position_ids"}}) {
            std::string bytes;
            ASSERT_TRUE(is_streamed(format, request));
            stream_export(format, request, tensor, [&](std::string_view part) { bytes += part; });
            EXPECT_TRUE(bytes == export_file(format, request, arrays, tensor)) << format;
        }
        EXPECT_FALSE(is_streamed("npz", request));
        request.seed = 1;
        EXPECT_FALSE(is_streamed("npy", request));
    }
}

// The same four cosines and sines in every place that people keep them.
TEST(Export, EveryCacheLayoutHoldsTheSameTable) {
    const auto half = export_arrays(small(CacheLayout::half));
    const std::vector<double> c = named(half, "cos").array.values();
    const std::vector<double> s = named(half, "sin").array.values();
    ASSERT_EQ(named(half, "cos").array.shape, (Shape{2, 2}));
    struct Case {
        CacheLayout layout;
        const char* name;
        Shape shape;
        std::vector<double> values;
    };
    const Case cases[] = {
        {CacheLayout::duplicated, "cos", {2, 4}, {c[0], c[1], c[0], c[1], c[2], c[3], c[2], c[3]}},
        {CacheLayout::duplicated, "sin", {2, 4}, {s[0], s[1], s[0], s[1], s[2], s[3], s[2], s[3]}},
        {CacheLayout::repeated, "cos", {2, 4}, {c[0], c[0], c[1], c[1], c[2], c[2], c[3], c[3]}},
        {CacheLayout::repeated, "sin", {2, 4}, {s[0], s[0], s[1], s[1], s[2], s[2], s[3], s[3]}},
        {CacheLayout::cos_sin, "cos_sin", {2, 4}, {c[0], c[1], s[0], s[1], c[2], c[3], s[2], s[3]}},
        {CacheLayout::sin_cos, "sin_cos", {2, 4}, {s[0], s[1], c[0], c[1], s[2], s[3], c[2], c[3]}},
        {CacheLayout::stacked,
         "cos_sin",
         {2, 2, 2},
         {c[0], s[0], c[1], s[1], c[2], s[2], c[3], s[3]}},
        {CacheLayout::complex,
         "freqs_cis",
         {2, 2, 2},
         {c[0], s[0], c[1], s[1], c[2], s[2], c[3], s[3]}},
        {CacheLayout::ggml, "cos_sin", {2, 4}, {c[0], s[0], c[1], s[1], c[2], s[2], c[3], s[3]}},
        {CacheLayout::angles, "angles", {2, 1, 1, 4}, {1, 0.01f, 1, 0.01f, 5, 0.05f, 5, 0.05f}}};
    for (const Case& one : cases) {
        const auto arrays = export_arrays(small(one.layout));
        EXPECT_EQ(named(arrays, one.name).array.shape, one.shape) << to_string(one.layout);
        EXPECT_EQ(named(arrays, one.name).array.values(), one.values) << to_string(one.layout);
    }
}

TEST(Export, HoldsTheSpecAndFurtherArrays) {
    ExportRequest request = small(CacheLayout::duplicated);
    request.format = Format::bfloat16;
    const auto arrays = export_arrays(request);
    EXPECT_EQ(named(arrays, "position_ids").array.values(), (std::vector<double>{1, 5}));
    EXPECT_EQ(named(arrays, "inv_freq").array.values(), (std::vector<double>{1, 0.01}));
    EXPECT_EQ(named(arrays, "inv_freq_float32").array.values(), (std::vector<double>{1, 0.01f}));
    EXPECT_EQ(named(arrays, "q_rot").array.shape, (Shape{2, 4}));
    EXPECT_EQ(named(arrays, "q_rot").array.element, Element::bfloat16);

    const std::string file = export_file("safetensors", request, arrays, "");
    const auto listed = std::get<Safetensors>(list_safetensors(as_bytes(file)));
    const auto spec = nlohmann::json::parse(listed.metadata.at("spec"));
    EXPECT_EQ(spec["head_dim"], 4);
    EXPECT_EQ(spec["rope_parameters"]["rope_theta"], 10000);
    const auto json = nlohmann::json::parse(export_file("json", request, arrays, ""));
    EXPECT_EQ(json["spec"], spec);
    EXPECT_EQ(json["arrays"]["cos"]["shape"], (Shape{2, 4}));
    EXPECT_EQ(json["arrays"]["cos"]["dtype"], "bfloat16");
}

TEST(Export, RefusesWhatItCannotWrite) {
    ExportRequest request = small(CacheLayout::complex);
    request.format = Format::float16;
    EXPECT_EQ(error_message<InputError>([&] { export_arrays(request); }),
              "--dtype: complex numbers have parts of float32 or float64, not float16");
    request = small(CacheLayout::half);
    request.positions[0].resize(1 << 20);
    request.spec.head_dim = 64;
    EXPECT_EQ(
        error_message<InputError>([&] { export_arrays(request); }),
        "--positions: 1048576 positions of 64 lanes make 67108864 values per array; the limit "
        "is 4194304, and with --tables-only there is none in an .npy or .safetensors");
    request.seed.reset();
    EXPECT_EQ(
        error_message<InputError>([&] { export_arrays(request); }),
        "--positions: 1048576 positions of 64 lanes make 67108864 values per array; the limit "
        "is 16777216; an .npy or .safetensors has none");
    const auto arrays = export_arrays(small(CacheLayout::half));
    const auto npy = [&](const char* tensor) {
        return error_message<InputError>(
            [&] { export_file("npy", small(CacheLayout::half), arrays, tensor); });
    };
    EXPECT_EQ(npy(""),
              "an .npy holds one array; choose it with --tensor: position_ids, inv_freq, "
              "inv_freq_float32, cos, sin, q, k, q_rot, k_rot");
    EXPECT_EQ(
        npy("tan"),
        "--tensor: 'tan' is not one of position_ids, inv_freq, inv_freq_float32, cos, sin, q, "
        "k, q_rot, k_rot");
}

}  // namespace
}  // namespace rope::io
