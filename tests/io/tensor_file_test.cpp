#include "io/tensor/tensor_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/dump/dump.hpp"
#include "io/tensor/readers.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io::tensor_file_test {

const std::string golden = ROPE_CHECK_TESTS "/golden/";

using Values = std::vector<double>;

TEST(TensorFile, TwinsOfARecordingHoldTheSameNumbers) {
    for (const char* stem : {"ggml/neox_d128_b1e4", "hf_half/llama_d128_b1e4_bf16",
                             "hf_interleaved/cohere_d128_b1e4", "labml/labml_d64"}) {
        const TensorFile npz = open_tensor_file(golden + stem + ".npz");
        const TensorFile safe = open_tensor_file(golden + stem + ".safetensors");
        EXPECT_EQ(npz.names(), safe.names());
        for (const std::string& name : npz.names()) {
            const Array a = npz.array(name), b = safe.array(name);
            EXPECT_EQ(a.element, b.element) << stem << " " << name;
            EXPECT_EQ(a.shape, b.shape) << stem << " " << name;
            EXPECT_TRUE(std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end()))
                << stem << " " << name;
        }
    }
}

TEST(TensorFile, OneArrayOfAnArchiveNeedsNoName) {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("x.npz", npz({{.name = "inv.npy", .data = npy_floats("(2,)", {1, 2})}}))
            .string();
    EXPECT_EQ(load_array(file).array.values(), (Values{1, 2}));
    EXPECT_EQ(load_array(file).name, file + ":inv");
}

TEST(TensorFile, TellsTheFormatByItsFirstBytes) {
    const TemporaryFolder folder;
    const std::string file = folder.write("x.txt", npy_floats("(1,)", {1})).string();
    EXPECT_EQ(open_tensor_file(file).names(), std::vector<std::string>{""});
    EXPECT_EQ(open_tensor_file(file).array("").values(), Values{1});
    const std::string gguf =
        folder.write("m.npy", TestGguf{}.floats("rope_freqs.weight", {1, 8}).bytes()).string();
    EXPECT_EQ(load_array(gguf + ":rope_freqs.weight").array.values(), (Values{1, 8}));
}

TEST(TensorFile, AnArrayOutlivesItsFile) {
    const Array cos = open_tensor_file(golden + "labml/labml_d64.safetensors").array("cos");
    EXPECT_NE(cos.owner, nullptr);
    EXPECT_EQ(cos.at(0), 1);
}

TEST(TensorFile, NamesMissingTensors) {
    const std::string npy = golden + "hf_half/llama_d128_b1e4_default.cos.npy";
    EXPECT_EQ(error_message<InputError>([&] { load_array(npy + ":cos"); }),
              npy + ": holds no array 'cos'; it is one array");
}

TEST(TensorFile, AFileOfSuchANameComesBeforeAMember) {
    const TemporaryFolder folder;
    folder.write("a.npz", npz({{.name = "cos.npy", .data = npy_floats("(1,)", {1})}}));
    const std::string both = (folder.path() / "a.npz:cos").string();
    EXPECT_EQ(load_array(both).array.values(), Values{1});
    EXPECT_EQ(load_array(both).name, both);
    folder.write("a.npz:cos", npy_floats("(1,)", {2}));
    EXPECT_EQ(load_array(both).array.values(), Values{2});
}

TEST(TensorFile, ErrorsNameTheFileTheMemberAndTheByte) {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("a.npz", npz({{.name = "cos.npy", .data = npy_floats("(2,)", {1})}})).string();
    EXPECT_EQ(error_message<InputError>([&] { load_array(file + ":cos"); }),
              file + ":cos: byte 189: the shape needs 8 bytes of data and there are 4");
}

// A header padded with blanks to `length` bytes, as writers pad it, with one tensor if it fits.
std::string safetensors_with_header(std::size_t length) {
    std::string header = R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    const bool fits = header.size() <= length;
    if (!fits) header = "{}";
    header.resize(length, ' ');
    return little(length, 8) + header + (fits ? "\7" : "");
}

// 640, 896, … begin with the bytes 0x80 2, 0x80 3, … of a pickle, and 19280 with the "PK" of a zip.
TEST(TensorFile, ReadsSafetensorsWithAHeaderOfAnyLength) {
    const TemporaryFolder folder;
    std::vector<std::size_t> lengths{0x4b50, 0x14b50};
    for (std::size_t length = 8; length <= 4096; ++length) lengths.push_back(length);
    for (const std::size_t length : lengths) {
        const std::string path =
            folder.write(std::to_string(length), safetensors_with_header(length)).string();
        const std::string refusal = error_message<InputError>([&] {
            const TensorFile file = open_tensor_file(path);
            EXPECT_EQ(file.has("x") ? file.array("x").values() : Values{7}, Values{7}) << length;
            EXPECT_EQ(file.has("x"), length >= 53) << length;
        });
        EXPECT_EQ(refusal, "[no error]") << length;
    }
}

// The bytes come from Python 3.11's pickle.dumps and PyTorch 1.13's torch.save in its old format.
TEST(TensorFile, TellsAPickleByItsOpening) {
    using std::string_literals::operator""s;
    const TemporaryFolder folder;
    const auto said = [&](const std::string& bytes) {
        const std::string file = folder.write("x.dat", bytes).string();
        return error_message<InputError>([&] { open_tensor_file(file); }).substr(file.size());
    };
    for (const std::string& pickle :
         {"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."s, "\x80\x02}q\0."s,
          "\x80\x02]q\0."s, "\x80\2ccollections\nOrderedDict\nq\0)Rq\1."s,
          "\x80\3(K\1K\2K\3K\4tq\0."s, "\x80\4\x95\7\0\0\0\0\0\0\0K\1K\2\x86\x94."s})
        EXPECT_TRUE(said(pickle).starts_with(": is a pickle")) << pickle;
    for (const std::string& other :
         {"\x80\2"s, "\x80\2\0\0\0\0\0\0[1]"s, "\x80\1}q\0."s, "\x80\6}q\0."s, "\x81\2}q\0."s})
        EXPECT_TRUE(
            said(other).starts_with(": is not an .npy, .npz, .safetensors or GGUF by its "
                                    "first bytes"))
            << other;
}

TEST(TensorFile, RefusesPicklesAndModelsAndNamesAFormatToSave) {
    const TemporaryFolder folder;
    const std::string advice =
        ": is a pickle, which is not read; save its tensors with "
        "safetensors.torch.save_file({\"q\": q, \"q_rot\": q_rot}, \"x.safetensors\")";
    for (const auto& [name, bytes] :
         {std::pair("x.pt", npz({{.name = "x/data.pkl", .data = "\x80\x02}."}})),
          std::pair("x.zip", npz({{.name = "archive/data.pkl", .data = "\x80\x02}."}})),
          std::pair("x.bin", std::string("\x80\x02}q")), std::pair("x.pth", std::string("??"))}) {
        const std::string file = folder.write(name, bytes).string();
        EXPECT_EQ(error_message<InputError>([&] { open_tensor_file(file); }), file + advice);
    }
    const std::string onnx = folder.write("x.onnx", "\x08\x08\x12").string();
    EXPECT_EQ(error_message<InputError>([&] { open_tensor_file(onnx); }),
              onnx +
                  ": is an ONNX model, which is not read; save the arrays with "
                  "numpy.savez(\"x.npz\", cos=cos, sin=sin), each of them from "
                  "onnx.numpy_helper.to_array(tensor)");
    const std::string other = folder.write("x.dat", "hello").string();
    EXPECT_EQ(
        error_message<InputError>([&] { open_tensor_file(other); }),
        other +
            ": is not an .npy, .npz, .safetensors or GGUF by its first bytes; save the array with "
            "numpy.save, or compare numbers without a header with --raw f32:4096,64 (their type "
            "and shape)");
}

std::string file_of(const std::string& header, const std::string& data = "") {
    return little(header.size(), 8) + header + data;
}

const std::string small_header =
    R"({"__metadata__":{"spec":"{}"},"cos":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
    R"("n":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";
const std::string small = file_of(small_header, raw<float>({1, 2}) + raw<std::int64_t>({7}));

// The error "offset: text" of the list or of a tensor, or empty.
std::string refusal(const std::string& file) {
    return read_error([&] {
        for (const auto& [name, entry] : list_safetensors(as_bytes(file)).tensors)
            read_safetensor(as_bytes(file), name, entry);
    });
}

Array only_tensor(const std::string& dtype, const std::string& shape, const std::string& data) {
    const std::string file =
        file_of(R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":[0,)" +
                    std::to_string(data.size()) + "]}}  ",  // spaces are valid padding
                data);
    Array copy =
        read_safetensor(as_bytes(file), "x", list_safetensors(as_bytes(file)).tensors.at("x"));
    const auto own = std::make_shared<std::vector<std::byte>>(copy.bytes.begin(), copy.bytes.end());
    copy.bytes = *own;
    copy.owner = own;
    return copy;
}

TEST(Safetensors, ReadsTensorsAndMetadata) {
    const Safetensors file = list_safetensors(as_bytes(small));
    EXPECT_EQ(file.metadata.at("spec"), "{}");
    EXPECT_EQ(file.tensors.size(), 2u);
    const auto cos = read_safetensor(as_bytes(small), "cos", file.tensors.at("cos"));
    EXPECT_EQ(cos.shape, (std::vector<std::uint64_t>{2, 1}));
    EXPECT_EQ(cos.values(), (std::vector<double>{1, 2}));
    EXPECT_EQ(refusal(file_of("{}")), "");
}

TEST(Safetensors, ReadsEveryDtypeOfNumbers) {
    EXPECT_EQ(only_tensor("F64", "[1]", raw<double>({0.1})).values(), Values{0.1});
    EXPECT_EQ(only_tensor("F16", "[1]", raw<std::uint16_t>({0x3c00})).values(), Values{1});
    EXPECT_EQ(only_tensor("BF16", "[1]", raw<std::uint16_t>({0x3fc0})).format(), Format::bfloat16);
    EXPECT_EQ(only_tensor("I32", "[1]", raw<std::int32_t>({-3})).values(), Values{-3});
    EXPECT_EQ(only_tensor("I16", "[1]", raw<std::int16_t>({-3})).values(), Values{-3});
    EXPECT_EQ(only_tensor("I8", "[1]", raw<std::int8_t>({-3})).values(), Values{-3});
    EXPECT_EQ(only_tensor("U64", "[1]", raw<std::uint64_t>({3})).values(), Values{3});
    EXPECT_EQ(only_tensor("U32", "[1]", raw<std::uint32_t>({3})).values(), Values{3});
    EXPECT_EQ(only_tensor("U16", "[1]", raw<std::uint16_t>({3})).values(), Values{3});
    EXPECT_EQ(only_tensor("U8", "[1]", raw<std::uint8_t>({3})).values(), Values{3});
    const Array complex = only_tensor("C64", "[1]", raw<float>({1, 2}));
    EXPECT_EQ(complex.shape, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(complex.values(), (Values{1, 2}));
}

std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets,
                std::size_t bytes) {
    return file_of(R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
                       offsets + "}}",
                   std::string(bytes, '\0'));
}

std::string two(const std::string& first, const std::string& second, std::size_t bytes) {
    return file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
                       R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}",
                   std::string(bytes, '\0'));
}

// clang-format off
const Refused refused[] = {
    Refused{"empty", "", "0: is not a .safetensors: it ends within the header's length"},
    Refused{"header_claims_all", little(~0ull, 8) + "{}", "0: the header claims 18446744073709551615 bytes; the limit is 16777216"},
    Refused{"header_too_long", little(3, 8) + "{}", "10: the header needs 3 bytes and there are 2"},
    Refused{"no_object", file_of("[]"), "8: is not a .safetensors: its header does not start with '{'"},
    Refused{"blank_first", file_of(" {}"), "8: is not a .safetensors: its header does not start with '{'"},
    Refused{"name_twice", file_of(R"({"x":1,"x":2})"), "8: the header: key 'x' is given twice"},
    Refused{"entry_is_number", file_of(R"({"x":1})"), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"negative_shape", one("U8", "[-1]", "[0,0]", 0), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"fractional_offset", one("U8", "[1]", "[0,1.0]", 1), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"three_offsets", one("U8", "[1]", "[0,1,2]", 1), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"beyond_the_file", one("U8", "[2]", "[0,2]", 1), "8: tensor 'x' lies at bytes 0 to 2 of the data, which have 1"},
    Refused{"end_before_begin", one("U8", "[2]", "[2,0]", 2), "8: tensor 'x' lies at bytes 2 to 0 of the data, which have 2"},
    Refused{"too_few_bytes", one("F32", "[2]", "[0,4]", 4), "8: tensor 'x' needs 8 bytes by its shape and has 4"},
    Refused{"product_wraps", one("F32", "[4294967296,4294967296]", "[0,0]", 0), "8: tensor 'x' needs more than 2^64 bytes by its shape and has 0"},
    Refused{"hole", two("[0,2]", "[3,5]", 5), "115: bytes that belong to no tensor"},
    Refused{"overlap", two("[0,2]", "[1,3]", 3), "114: two tensors share bytes"},
    Refused{"same_bytes", two("[0,2]", "[0,2]", 2), "113: two tensors share bytes"},
    Refused{"tail", two("[0,2]", "[2,4]", 5), "117: bytes that belong to no tensor"},
    Refused{"metadata_list", file_of(R"({"__metadata__":[]})"), "8: __metadata__ is not an object"},
    Refused{"metadata_number", file_of(R"({"__metadata__":{"a":1}})"), "8: __metadata__ 'a' is not a string"},
    Refused{"beyond_2_53", file_of(R"({"x":{"dtype":"U64","shape":[1],"data_offsets":[0,8]}})", std::string(8, '\xff')), "62: value 0 is an integer beyond 2^53"},
    Refused{"float8", one("F8_E4M3", "[2]", "[0,2]", 2), "66: tensor 'x' has dtype F8_E4M3, which is not read; save it as F32 before it is quantised to 8 bits"},
    Refused{"newer_dtype", one("F4", "[2]", "[0,1]", 1), "61: tensor 'x' has dtype F4, which is not read; save it as F32"}};
// clang-format on

TEST(RefusedSafetensors, IsRefusedByName) {
    for (const auto& [name, input, message] : refused) EXPECT_EQ(refusal(input), message) << name;
}

TEST(Safetensors, RefusesAnUnreadableTensorOnlyWhenItIsRequested) {
    const std::string file = file_of(R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]},)"
                                     R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                     "\x01\x02");
    const Safetensors listed = list_safetensors(as_bytes(file));
    EXPECT_EQ(read_safetensor(as_bytes(file), "b", listed.tensors.at("b")).at(0), 2);
    EXPECT_THROW(read_safetensor(as_bytes(file), "a", listed.tensors.at("a")), ReadError);
}

TEST(Safetensors, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length < small.size(); ++length)
        EXPECT_NE(refusal(small.substr(0, length)), "") << length;
}

// ALiBi's bias and sinusoidal tables are named; rotary caches are not mistaken for either.

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const NamedArray& array) {
    return error_message<InputError>([&] { refuse_other_encodings(array); });
}

// 2^(−8h/n), h = 1 … n (Press et al., arXiv 2108.12409, §3)
double slope(int head, int heads) { return std::exp2(-8.0 * head / heads); }

// The bias of a key that is `behind` the query, or ahead of it if that is negative.
using Future = double (*)(double slope, int behind);

NamedArray alibi(int heads, int length, Future future) {
    std::vector<double> values;
    for (int h = 1; h <= heads; ++h)
        for (int i = 0; i < length; ++i)
            for (int j = 0; j < length; ++j)
                values.push_back(j < i    ? -slope(h, heads) * (i - j)
                                 : j == i ? 0
                                          : future(slope(h, heads), i - j));
    const auto n = static_cast<std::uint64_t>(length);
    return floats("bias.npy", {static_cast<std::uint64_t>(heads), n, n}, values);
}

double masked(double, int) { return -infinity; }

TEST(OtherEncodings, AnAlibiBiasIsRecognizedWithAnyMaskOfTheFuture) {
    for (const auto& [name, future] :
         {std::pair<const char*, Future>{"masked", masked},
          {"zero", [](double, int) { return 0.0; }},
          {"mirrored", [](double m, int behind) { return m * behind; }},
          {"rising", [](double m, int behind) { return -m * behind; }}})
        EXPECT_EQ(
            refusal(alibi(8, 16, future)),
            "bias.npy: is a bias of ALiBi, slopes 0.5 to 0.00390625, those of its paper for 8 "
            "heads; it is added to scores and rotates nothing, so there is no rotary table to "
            "check")
            << name;
    EXPECT_NE(refusal(alibi(1, 32, masked)).find("slope 0.00390625;"), std::string::npos);
}

// BLOOM's: slope·j for key j, the same for every query
TEST(OtherEncodings, ABiasOfKeysOnlyIsRecognized) {
    std::vector<double> values;
    for (int h = 1; h <= 2; ++h)
        for (int j = 0; j < 8; ++j) values.push_back(slope(h, 16) * j);
    EXPECT_NE(
        refusal(floats("a.npy", {2, 1, 8}, values)).find("not those of its paper for 2 heads"),
        std::string::npos);
}

// rows × dimensions at positions 0, 1, …; `dimension_at` computes each from the angle pθ and its
// parity
template <class Dimension>
NamedArray table(int rows, int dimensions, Dimension dimension_at) {
    std::vector<double> values;
    for (int p = 0; p < rows; ++p)
        for (int dimension = 0; dimension < dimensions; ++dimension)
            values.push_back(dimension_at(p, dimension));
    return floats("pe.npy",
                  {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(dimensions)},
                  values);
}

double angle(int p, int pair, int dimensions) {
    return p * std::pow(10000.0, -2.0 * pair / dimensions);
}

// Vaswani et al., §3.5: PE(p, 2i) = sin(p/10000^(2i/d)), PE(p, 2i + 1) = cos(…)
TEST(OtherEncodings, AnAlternatingSinusoidalTableIsRecognized) {
    const NamedArray turns = table(64, 32, [](int p, int dimension) {
        const double phi = angle(p, dimension / 2, 32);
        return dimension % 2 == 0 ? std::sin(phi) : std::cos(phi);
    });
    EXPECT_NE(refusal(turns).find("pe.npy: is a sinusoidal position encoding"), std::string::npos);
}

TEST(OtherEncodings, RotaryCachesAreNeither) {
    const auto cos_sin = [](int p, int dimension) {  // ggml's row
        const double phi = angle(p, dimension / 2, 16);
        return dimension % 2 == 0 ? std::cos(phi) : std::sin(phi);
    };
    const auto halves = [](int p, int dimension) {  // GPT-J's sin‖cos, and two halves of a square
        const double phi = angle(p, dimension % 8, 16);
        return dimension < 8 ? std::sin(phi) : std::cos(phi);
    };
    const auto angles = [](int p, int dimension) { return angle(p, dimension, 32); };
    for (const int rows : {2, 16, 40}) {
        EXPECT_EQ(refusal(table(rows, 16, cos_sin)), "[no error]");
        EXPECT_EQ(refusal(table(rows, 16, halves)), "[no error]");
        EXPECT_EQ(refusal(table(rows, 16, angles)), "[no error]");
    }
    EXPECT_EQ(refusal(floats("zero.npy", {8, 8}, std::vector<double>(64))), "[no error]");
    EXPECT_EQ(refusal(floats("inv_freq.npy", {4}, {1, 0.1, 0.01, 0.001})), "[no error]");
    EXPECT_EQ(refusal(floats("empty.npy", {0, 8}, {})), "[no error]");
}

// The report's list of arrays that no check reads.

TestMember rows(const std::string& name, float first = 1) {
    return {.name = name + ".npy", .data = npy_floats("(2, 4)", {first, 2, 3, 4, 5, 6, 7, 8})};
}
TestMember ids(const std::string& name, const std::vector<std::int64_t>& values) {
    return {.name = name + ".npy",
            .data = npy("<i8", "(" + std::to_string(values.size()) + ",)", raw(values))};
}

DumpFiles archive(const TemporaryFolder& folder, const std::vector<TestMember>& members) {
    DumpFiles files;
    files.dump = folder.write("x.npz", npz(members)).string();
    return files;
}

// "x, y", or "" if all are read
std::string said_of(const DumpFiles& files, const std::string& what) {
    const auto dumps = load_dump(files, partial(4, 4));
    std::string text;
    std::visit(
        [&](const auto& dump) {
            for (const Assumption& one : dump.read_as)
                if (one.what == what) text = what == "positions" ? one.from : one.value;
        },
        dumps.front().dump);
    return text;
}

TEST(NotRead, AreTheArraysOfNoSubject) {
    const TemporaryFolder folder;
    const std::vector<TestMember> q{rows("q"), rows("q_rot")};
    const auto report_with = [&](std::vector<TestMember> others) {
        others.insert(others.begin(), q.begin(), q.end());
        return said_of(archive(folder, others), "not_read");
    };
    EXPECT_EQ(report_with({}), "");
    EXPECT_EQ(report_with({ids("spec", {1})}), "");
    EXPECT_EQ(report_with({rows("k"), rows("k_rot"), ids("position_ids", {0, 1})}), "");
    EXPECT_EQ(report_with({rows("x"), rows("y"), rows("k")}), "k, x, y");
    EXPECT_EQ(report_with({ids("labels", {0, 1}), ids("sizes", {7})}), "labels, sizes");
    // arrays that give the positions are read, and one of them is enough
    EXPECT_EQ(report_with({ids("attention_mask", {0, 1}), ids("offset", {7})}), "offset");
    std::vector<TestMember> many;
    for (int k = 0; k < 18; ++k) many.push_back(rows("w" + std::to_string(10 + k)));
    EXPECT_EQ(report_with(many), "w10, w11, w12, w13, w14, w15 and 12 more");
    // a checkpoint's weights are not reported
    for (int k = 18; k < 40; ++k) many.push_back(rows("w" + std::to_string(10 + k)));
    many.push_back(rows("layers.0.cos"));
    EXPECT_EQ(report_with(many), "layers.0.cos");
}

TEST(NotRead, IsNotReportedIfTheSubjectIsNamed) {
    const TemporaryFolder folder;
    DumpFiles files = archive(folder, {rows("q"), rows("q_rot"), rows("x"), rows("y")});
    files.q = "x";
    files.q_rot = "y";
    EXPECT_EQ(said_of(files, "not_read"), "");
}

TEST(NotRead, ArePositionsThatDiffer) {
    const TemporaryFolder folder;
    const auto report_with = [&](const TestMember& other) {
        const DumpFiles files =
            archive(folder, {rows("q"), rows("q_rot"), ids("position_ids", {0, 1}), other});
        return said_of(files, "differing");
    };
    EXPECT_EQ(report_with(ids("positions", {5, 6})), "positions");
    EXPECT_EQ(report_with(ids("positions", {0, 1})), "");
    EXPECT_EQ(report_with(ids("cu_seqlens", {0, 1, 2})), "cu_seqlens");
    EXPECT_EQ(report_with(ids("cu_seqlens", {0, 2})), "");
    // arrays that give the start
    EXPECT_EQ(report_with(ids("pos", {5})), "");
}

TEST(NotRead, AreSeveralOfOneName) {
    const TemporaryFolder folder;
    const DumpFiles files =
        archive(folder, {rows("layers.0.rope.inv_freq"), rows("layers.1.rope.inv_freq")});
    EXPECT_EQ(error_message<InputError>([&] { load_dump(files, partial(4, 4)); }),
              files.dump +
                  ": holds 2 arrays called inv_freq; name one with inv_freq=NAME, such as "
                  "layers.0.rope.inv_freq");
}

// Every odd number in 2047 … 2064 is rounded; NumPy stores bfloat16 as float32.
TEST(RoundedPositions, AreRepeatedOnesOfSixteenBits) {
    const TemporaryFolder folder;
    const auto rounded = [&](const std::vector<float>& values) {
        const std::string count = std::to_string(values.size());
        const std::vector<float> vectors(4 * values.size(), 1);
        const std::string data = npy_floats("(" + count + ", 4)", vectors);
        return said_of(archive(folder, {{.name = "q.npy", .data = data},
                                        {.name = "q_rot.npy", .data = data},
                                        {.name = "position_ids.npy",
                                         .data = npy_floats("(" + count + ",)", values)}}),
                       "rounded_positions");
    };
    std::vector<float> whole, bfloat16;
    for (int m = 300; m < 340; ++m) {
        whole.push_back(static_cast<float>(m));
        // to the nearest even number; ties go to the multiple of 4
        bfloat16.push_back(static_cast<float>(m % 2 == 0 ? m : m % 4 == 1 ? m - 1 : m + 1));
    }
    EXPECT_EQ(rounded(whole), "");
    EXPECT_EQ(rounded(bfloat16), "21 of 40");
    for (float& m : bfloat16) m -= 300;  // bfloat16 represents all of them
    EXPECT_EQ(rounded(bfloat16), "");
}

}  // namespace rope::io::tensor_file_test
