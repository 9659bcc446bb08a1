#include "io/export/export.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "io/tensor/readers.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/exact/format.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::io::export_test {

using Positions = std::vector<double>;
using Shape = std::vector<std::uint64_t>;

// The arrays as they are written, some of them in parts.
std::vector<double> values_of(const WrittenArray& array) {
    std::string bytes;
    write_bytes(array, [&](std::string_view part) { bytes += part; });
    return Array{{}, array.array.element, as_bytes(bytes), {}}.values();
}

std::string file_of(const std::string& format, const ExportRequest& request) {
    std::string file;
    write_export(format, request, export_arrays(request), "",
                 [&](std::string_view part) { file += part; });
    return file;
}

ExportRequest small(CacheLayout layout) {
    return {.spec = spec_of(4, 10000), .positions = {{1, 5}}, .layout = layout};
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
    EXPECT_EQ(refusal("0:4294967296,7"),
              "--positions: '0:4294967296,7' has more than 16777216 positions");
    EXPECT_EQ(refusal("4294967296"), "--positions: '4294967296' is not between -2^32 and 2^32");
    EXPECT_EQ(parse("-2:2,7"), (std::vector<double>{-2, -1, 0, 1, 7}));
    EXPECT_EQ(parse("0.1,-0.5"), (std::vector<double>{0.1, -0.5}));
    EXPECT_EQ(parse("-1:1:0.5"), (std::vector<double>{-1, -0.5, 0, 0.5}));
    // the double nearest to 3·0.1, not 0.1 + 0.1 + 0.1
    EXPECT_EQ(parse("0:0.35:0.1").at(3), std::fma(3, 0.1, 0));
    for (const char* text :
         {"", "a", "1,,2", "1:2:3:4", ":", "1:", ":4", "nan", "inf", "2:1", "0:1:0", "0:1:-1",
          "4294967296", "-4294967296", "-1:4294967296", "0:1:1e-300"})
        EXPECT_THROW(parse(text), InputError) << text;
}

TEST(ExportPositions, OfAGridGoRowByRow) {
    const AxisMap axial{AxisScheme::axial};
    EXPECT_EQ(parse_grid("--grid", "2x3", axial),
              (PositionsByAxis{{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}}));
    EXPECT_EQ(parse_grid("--grid", "2x3", {AxisScheme::alternating}),
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
    EXPECT_EQ(values_of(named(arrays, "position_ids")), (std::vector<double>{-1, 0.5}));
    request.spec.axes = {AxisScheme::axial};
    request.positions = {{0, 1}, {-3, 2}};
    EXPECT_EQ(named(export_arrays(request), "position_ids").array.shape, (Shape{2, 2}));
}

TEST(Export, RotatesGivenVectorsOfEveryHeadAtTheSamePositions) {
    ExportRequest request = small(CacheLayout::half);
    request.positions = {{-1, 0.5, 3}};
    const auto random = export_arrays(request);
    std::vector<double> q = values_of(named(random, "q"));
    const std::vector<double> q_rot = values_of(named(random, "q_rot"));
    q.insert(q.end(), q.begin(), q.begin() + 12);
    request.q = encoded(Element::float32, {1, 2, 3, 4}, q);
    request.seed.reset();
    const auto given = export_arrays(request);
    ASSERT_EQ(named(given, "q_rot").array.shape, (Shape{1, 2, 3, 4}));
    const std::vector<double> turned = values_of(named(given, "q_rot"));
    EXPECT_EQ(std::vector<double>(turned.begin(), turned.begin() + 12), q_rot);
    EXPECT_EQ(std::vector<double>(turned.begin() + 12, turned.end()), q_rot);
    EXPECT_EQ(given.back().name, "q_rot");
}

TEST(Export, RefusesVectorsThatCannotBeRotated) {
    const auto refusal_of = [](std::vector<std::uint64_t> shape,
                               const std::vector<double>& values) {
        const NamedArray array{"q.npy", encoded(Element::float32, std::move(shape), values)};
        return error_message<InputError>([&] { given_vectors(array, small({}).spec); });
    };
    EXPECT_EQ(refusal_of({1, 4}, {1, 2, 3, 4}), "[no error]");
    EXPECT_EQ(refusal_of({1, 2}, {1, 2}),
              "q: q.npy has shape [1, 2]; it must end in the positions and 4 dimensions");
    EXPECT_EQ(refusal_of({4}, {1, 2, 3, 4}),
              "q: q.npy has shape [4]; it must end in the positions and 4 dimensions");
    EXPECT_EQ(refusal_of({0, 4}, {}), "q: q.npy is empty");
    EXPECT_EQ(refusal_of({2, 4}, {1, 2, 3, 4, 5, std::nan(""), 7, 8}),
              "q: q.npy has nan in row 1, dimension 1; each value must be finite");
}

TEST(Export, RotatesOneGivenRowIndependentlyOfTheOthers) {
    const double nan = std::nan("");
    const std::vector<double> values = {nan, 1, 3, 4, 5, nan, 0, 0};
    const NamedArray array{"v.npy", encoded(Element::float32, {2, 2, 2}, values)};
    EXPECT_EQ(given_vector("q", array, 2, 1), (std::vector<double>{3, 4}));
    const auto refusal_of = [&](std::uint64_t row) {
        return error_message<InputError>([&] { given_vector("q", array, 2, row); });
    };
    EXPECT_EQ(refusal_of(0), "q: v.npy has nan in row 0, dimension 0; each value must be finite");
    EXPECT_EQ(refusal_of(2), "q: v.npy has nan in row 2, dimension 1; each value must be finite");
    EXPECT_EQ(refusal_of(3), "q: v.npy is zero in row 3; each of its scores would be 0");
    EXPECT_EQ(refusal_of(4), "q: v.npy has 4 rows and no row 4, the first being row 0");
}

// A part and a range end within these positions; each row is also exported separately.
TEST(Export, EveryRowDependsOnlyOnItsPosition) {
    for (const CacheLayout layout :
         {CacheLayout::duplicated, CacheLayout::stacked, CacheLayout::angles, CacheLayout::complex,
          CacheLayout::matrices}) {
        ExportRequest request = small(layout);
        request.spec.head_dim = request.spec.rotary_dim = 256;
        request.positions = {parse_positions("--positions", "-0.5,0:1500,-3:3:0.5")};
        const auto all = export_arrays(request);
        const std::vector<double> ids = values_of(named(all, "position_ids"));
        ASSERT_EQ(ids.size(), 1 + 1500 + 12);
        for (const std::size_t row : {0u, 1u, 500u, 511u, 512u, 513u, 1500u, 1501u, 1512u}) {
            request.positions = {{ids[row]}};
            for (const WrittenArray& one : export_arrays(request)) {
                if (one.array.shape.front() != 1 || one.name.size() < 3) continue;
                if (one.name == "position_ids" || one.name.ends_with("_rot")) continue;
                const std::vector<double> alone = values_of(one),
                                          table = values_of(named(all, one.name));
                EXPECT_TRUE(
                    std::equal(alone.begin(), alone.end(),
                               table.begin() + static_cast<std::ptrdiff_t>(row * alone.size())))
                    << one.name << " " << row;
            }
        }
    }
}

// The vectors of a seed continue from part to part.
TEST(Export, VectorsAreThoseOfFewerPositions) {
    ExportRequest request = small(CacheLayout::half);
    request.spec.head_dim = request.spec.rotary_dim = 256;
    request.positions = {parse_positions("--positions", "0:700")};
    const auto fewer = export_arrays(request);
    request.positions = {parse_positions("--positions", "0:1100")};
    const auto more = export_arrays(request);
    for (const char* name : {"q", "k", "q_rot", "k_rot"}) {
        const std::vector<double> few = values_of(named(fewer, name)),
                                  many = values_of(named(more, name));
        EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin())) << name;
        EXPECT_NE(many[512 * 256], many[0]) << name;
    }
}

// The same four cosines and sines in every known layout.
TEST(Export, EveryCacheLayoutContainsTheSameTable) {
    const auto half = export_arrays(small(CacheLayout::half));
    const std::vector<double> c = values_of(named(half, "cos"));
    const std::vector<double> s = values_of(named(half, "sin"));
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
        {CacheLayout::matrices,
         "freqs_cis",
         {2, 2, 2, 2},
         {c[0], -s[0], s[0], c[0], c[1], -s[1], s[1], c[1], c[2], -s[2], s[2], c[2], c[3], -s[3],
          s[3], c[3]}},
        {CacheLayout::ggml, "cos_sin", {2, 4}, {c[0], s[0], c[1], s[1], c[2], s[2], c[3], s[3]}},
        {CacheLayout::angles, "angles", {2, 1, 1, 4}, {1, 0.01f, 1, 0.01f, 5, 0.05f, 5, 0.05f}}};
    for (const Case& one : cases) {
        const auto arrays = export_arrays(small(one.layout));
        EXPECT_EQ(named(arrays, one.name).array.shape, one.shape) << to_string(one.layout);
        EXPECT_EQ(values_of(named(arrays, one.name)), one.values) << to_string(one.layout);
    }
}

TEST(Export, RefusesComplexNumbersOfFloat16) {
    ExportRequest request = small(CacheLayout::complex);
    request.format = Format::float16;
    EXPECT_EQ(error_message<InputError>([&] { export_arrays(request); }),
              "--dtype: complex numbers have parts of float32 or float64, not float16");
}

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

std::string npy_of(const WrittenArray& array) {
    return file_of([&](const Sink& write) { write_npy(array, write); });
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
        const std::string npy = npy_of(one);
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
    const std::string npy = npy_of(complex);
    EXPECT_NE(npy.find("'<c8', 'fortran_order': False, 'shape': (3,)"), std::string::npos);
    EXPECT_TRUE(same(read_npy(as_bytes(npy)), complex.array));
}

}  // namespace rope::io::export_test
