#include "io/tensor/tensor_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace tensor_file_test {

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
    const std::string file = golden + "ggml/neox_d128_b1e4.npz";
    EXPECT_EQ(error_message<InputError>([&] { open_tensor_file(file).array("tan"); }),
              file + ": holds no array 'tan'; it has cos_sin, positions, x, y");
    EXPECT_EQ(error_message<InputError>([&] { load_array(file); }),
              file + ": is an archive; name one of its arrays, such as " + file + ":cos_sin");
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
TEST(TensorFile, TellsAPickleByItsWholeOpening) {
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
        EXPECT_TRUE(said(pickle).starts_with(": is a PyTorch pickle")) << pickle;
    for (const std::string& other :
         {"\x80\2"s, "\x80\2\0\0\0\0\0\0[1]"s, "\x80\1}q\0."s, "\x80\6}q\0."s,
          "\x80\4\x95\377\0\0\0\0\0\0\0K\1."s, "\x80\2\x8a\x0al."s})
        EXPECT_TRUE(
            said(other).starts_with(": is not an .npy, .npz, .safetensors or GGUF by its "
                                    "first bytes"))
            << other;
}

TEST(TensorFile, RefusesPicklesAndModelsAndNamesAFormatToSave) {
    const TemporaryFolder folder;
    const std::string advice =
        ": is a PyTorch pickle, which is not read; save its tensors with "
        "safetensors.torch.save_file({\"cos\": cos, \"sin\": sin}, \"x.safetensors\")";
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
    EXPECT_EQ(error_message<InputError>([&] { open_tensor_file(other); }),
              other +
                  ": is not an .npy, .npz, .safetensors or GGUF by its first bytes; compare reads "
                  "numbers without a header with --raw f32:4096,64 (their type and shape)");
}

}  // namespace tensor_file_test
}  // namespace rope::io
