#include "io/tensor/tensor_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace {

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

TEST(TensorFile, NamesWhatItDoesNotHold) {
    const std::string file = golden + "ggml/neox_d128_b1e4.npz";
    EXPECT_EQ(error_message<InputError>([&] { open_tensor_file(file).array("tan"); }),
              file + ": holds no array 'tan'; it has cos_sin, positions, x, y");
    EXPECT_EQ(error_message<InputError>([&] { load_array(file); }),
              file + ": is an archive; name one of its arrays, as " + file + ":cos");
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

TEST(TensorFile, RefusesPicklesAndModelsWithWhatToSaveInstead) {
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
              other + ": is no .npy, .npz, .safetensors or GGUF by its first bytes");
}

}  // namespace
}  // namespace rope::io
