#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/explain/explanation.hpp"
#include "io/tensor/readers.hpp"
#include "rope/spec/spectrum.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io::gguf_test {

using ::testing::HasSubstr;

Gguf listed(const std::string& file) { return list_gguf(as_bytes(file), file.size()); }

// The error "offset: text" of the list or of a float tensor, or empty.
std::string refusal(const std::string& file) {
    return read_error([&] {
        for (const auto& [name, tensor] : listed(file).tensors)
            read_gguf_tensor(as_bytes(file), name, tensor);
    });
}

TestGguf small() {
    TestGguf file;
    file.text("general.architecture", "llama").u32("llama.rope.dimension_count", 4);
    file.f32("llama.rope.freq_base", 5e5f).i32s("llama.rope.dimension_sections", {1, -1});
    file.add("flag", 7, little(1, 1)).add("wide", 12, raw<double>({0.1}));
    file.add("tokens", 9, little(8, 4) + little(2, 8) + gguf_text("a") + gguf_text("b"));
    file.floats("rope_freqs.weight", {1, 8});
    file.tensors.push_back({"half", {2, 1, 3}, 30, raw<std::uint16_t>({0x3f80, 1, 2, 3, 4, 5})});
    return file;
}

TEST(Gguf, ReadsMetadataAndTensorsOfBothVersions) {
    for (const std::uint64_t version : {2u, 3u}) {
        TestGguf made = small();
        made.version = version;
        const std::string bytes = made.bytes();
        const Gguf file = listed(bytes);
        EXPECT_EQ(nlohmann::json(file.metadata), nlohmann::json::parse(R"({
            "general.architecture": "llama", "llama.rope.dimension_count": 4,
            "llama.rope.freq_base": 5e5, "llama.rope.dimension_sections": [1, -1], "wide": 0.1,
            "flag": true, "tokens": "a list that is too long"})"));

        const auto freqs = read_gguf_tensor(as_bytes(bytes), "rope_freqs.weight",
                                            file.tensors.at("rope_freqs.weight"));
        EXPECT_EQ(freqs.values(), (std::vector<double>{1, 8}));
        const auto half = read_gguf_tensor(as_bytes(bytes), "half", file.tensors.at("half"));
        EXPECT_EQ(half.shape, (std::vector<std::uint64_t>{3, 1, 2}));
        EXPECT_EQ(half.format(), Format::bfloat16);
        EXPECT_EQ(half.at(0), 1);
    }
}

TEST(Gguf, ReadsAnArrayOfEachTypeThatEndsTheFile) {
    const std::uint64_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    for (std::uint64_t type = 0; type < std::size(bytes); ++type) {
        if (bytes[type] == 0) continue;  // texts and arrays
        TestGguf made;
        made.add("last", 9, little(type, 4) + little(9, 8) + std::string(9 * bytes[type], '\0'));
        EXPECT_EQ(refusal(made.bytes()), "") << type;
        const std::string cut = made.bytes().substr(0, made.bytes().size() - 1);
        EXPECT_NE(refusal(cut), "") << type;
    }
}

TEST(Gguf, AlignsItsDataAsItsHeaderStates) {
    TestGguf made = small();
    made.alignment = 64;
    made.u32("general.alignment", 64);
    EXPECT_EQ(refusal(made.bytes()), "");
    EXPECT_EQ(refusal(TestGguf{}.bytes()), "");
}

TEST(Gguf, ReadsTheHeadOfALargerFile) {
    TestGguf made = small();
    const std::string whole = made.bytes();
    const std::string head = whole.substr(0, whole.size() - 32);  // without the second tensor
    const Gguf file = list_gguf(as_bytes(head), whole.size());
    const auto read = [&](const char* name) {
        return read_gguf_tensor(as_bytes(head), name, file.tensors.at(name));
    };
    EXPECT_EQ(read("rope_freqs.weight").size(), 2u);
    EXPECT_EQ(read_error([&] { read("half"); }).substr(5), "tensor 'half' lies beyond the first " +
                                                               std::to_string(head.size()) +
                                                               " bytes, and only those are read");
    const std::string cut = whole.substr(0, 40);
    EXPECT_EQ(
        read_error([&] { list_gguf(as_bytes(cut), whole.size()); }),
        "32: 20 bytes are needed here and the 40 bytes that are read of the file have 8 more");
}

// Two F32 tensors: 'a' with so many values at 0, 'b' with 8 at an offset.
std::string two_tensors(std::uint64_t values, std::uint64_t offset) {
    TestGguf made;
    made.tensors = {{"a", {values}}, {"b", {8}}};
    std::string file = made.header();
    file += gguf_text("a") + little(1, 4) + little(values, 8) + little(0, 4) + little(0, 8);
    file += gguf_text("b") + little(1, 4) + little(8, 8) + little(0, 4) + little(offset, 8);
    return made.padded(file) + std::string(96, '\0');
}

TEST(Gguf, TensorsMayTouchAndLeaveGaps) {
    EXPECT_EQ(refusal(two_tensors(8, 32)), "");
    EXPECT_EQ(refusal(two_tensors(8, 64)), "");
}

std::string with(std::size_t at, std::uint64_t value, int bytes) {
    std::string file = small().bytes();
    return file.replace(at, static_cast<std::size_t>(bytes), little(value, bytes));
}

std::string with_key(const std::string& key, std::uint64_t type, const std::string& value) {
    return TestGguf{}.add(key, type, value).bytes();
}

// A tensor whose header contradicts its data.
std::string with_tensor(std::vector<std::uint64_t> dimensions, std::uint64_t type,
                        std::uint64_t offset) {
    TestGguf made;
    made.tensors = {{"t", std::move(dimensions), type}};
    std::string file =
        made.header() + gguf_text("t") + little(made.tensors[0].dimensions.size(), 4);
    for (const std::uint64_t length : made.tensors[0].dimensions) file += little(length, 8);
    return made.padded(file + little(type, 4) + little(offset, 8)) + std::string(64, '\0');
}

constexpr std::uint64_t huge = ~std::uint64_t{0};

// clang-format off
const Refused refused[] = {
    Refused{"empty", "", "0: 4 bytes are needed here and the file has 0 more"},
    Refused{"magic", "GGML" + std::string(20, '\0'), "0: is not a GGUF: it does not start with GGUF"},
    Refused{"version_1", with(4, 1, 4), "4: GGUF version 1 is not 2 or 3"},
    Refused{"big_endian", with(4, 0x03000000, 4), "4: is a big-endian GGUF, which is not read; convert it to little endian"},
    // CVE-2024-21836
    Refused{"n_tensors", with(8, huge, 8), "8: claims 18446744073709551615 tensors; the limit is 100000, and " + std::to_string(small().bytes().size() - 16) + " bytes remain"},
    // CVE-2024-23605
    Refused{"n_kv", with(16, huge, 8), "16: claims 18446744073709551615 metadata keys; the limit is 10000, and " + std::to_string(small().bytes().size() - 24) + " bytes remain"},
    // CVE-2024-23496: length + 1 wraps
    Refused{"key_length", with(24, huge, 8), "24: a key claims 18446744073709551615 bytes; the limit is 65535"},
    Refused{"text_length", with_key("k", 8, little(huge, 8)), "45: 18446744073709551615 bytes are needed here and the file has 0 more"},
    // CVE-2024-21825: n * size wraps
    Refused{"array_wraps", with_key("k", 9, little(10, 4) + little(std::uint64_t{1} << 61, 8)), "37: metadata key 'k' claims 2305843009213693952 values and 0 bytes remain"},
    Refused{"array_of_2_63", with_key("k", 9, little(0, 4) + little(std::uint64_t{1} << 63, 8)), "37: metadata key 'k' claims 9223372036854775808 values and 0 bytes remain"},
    Refused{"strings_of_2_63", with_key("k", 9, little(8, 4) + little(std::uint64_t{1} << 63, 8)), "37: metadata key 'k' claims 9223372036854775808 values and 0 bytes remain"},
    Refused{"nested_array", with_key("k", 9, little(9, 4) + little(1, 8)), "37: metadata key 'k' is an array of arrays, which is not read"},
    Refused{"array_type", with_key("k", 9, little(13, 4) + little(1, 8)), "37: metadata key 'k' is an array of type 13, which is not read"},
    Refused{"value_type", with_key("k", 13, little(1, 8)), "37: metadata key 'k' has a value of type 13, which is not known"},
    Refused{"bool_of_2", with_key("k", 7, little(2, 1)), "37: metadata key 'k' is a bool of 2; it must be 0 or 1"},
    Refused{"empty_key", with_key("", 4, little(1, 4)), "24: a metadata key is empty"},
    Refused{"key_twice", TestGguf{}.u32("k", 1).u32("k", 1).bytes(), "41: metadata key 'k' is given twice"},
    Refused{"alignment_0", with_key("general.alignment", 4, little(0, 4)), "57: general.alignment is 0; it must be a power of two up to 1048576"},
    Refused{"alignment_24", with_key("general.alignment", 4, little(24, 4)), "57: general.alignment is 24; it must be a power of two up to 1048576"},
    Refused{"alignment_2_31", with_key("general.alignment", 4, little(1u << 31, 4)), "57: general.alignment is 2147483648; it must be a power of two up to 1048576"},
    Refused{"alignment_int32", with_key("general.alignment", 5, little(32, 4)), "57: general.alignment is not an unsigned number; it must be a power of two up to 1048576"},
    Refused{"alignment_text", with_key("general.alignment", 8, gguf_text("x")), "62: general.alignment is not an unsigned number; it must be a power of two up to 1048576"},
    // CVE-2024-21802, CVE-2025-49847: dimensions
    Refused{"dimensions", with_tensor({1, 1, 1, 1, 1}, 0, 0), "24: tensor 't' has 5 dimensions; the limit is 4"},
    // CVE-2026-33298: the product wraps, and so would the bytes
    Refused{"product_wraps", with_tensor({std::uint64_t{1} << 32, std::uint64_t{1} << 32, 4}, 0, 0), "24: tensor 't' ends beyond 2^64 bytes"},
    Refused{"bytes_wrap", with_tensor({(std::uint64_t{1} << 62) + 1}, 0, 0), "24: tensor 't' ends beyond 2^64 bytes"},
    // CVE-2025-53630, CVE-2026-27940: offset + size wraps, padding too
    Refused{"end_wraps", with_tensor({8}, 0, huge - 31), "24: tensor 't' ends beyond 2^64 bytes"},
    Refused{"place_wraps", with_tensor({0}, 0, huge - 31), "57: tensor 't' ends at byte 2^64 or later and the file has 128"},
    // CVE-2026-7482: offset + size beyond the file
    Refused{"beyond_the_file", with_tensor({1}, 0, 64), "57: tensor 't' ends at byte 132 and the file has 128"},
    Refused{"unaligned", with_tensor({1}, 0, 4), "24: tensor 't' starts at byte 4 of the data, not at a multiple of the alignment 32"},
    Refused{"quantised", with_tensor({32}, 2, 0), "64: tensor 't' has type 2, which is quantised or not known; F32, F16, BF16, F64 and integers are read"},
    Refused{"unknown_type", with_tensor({32}, 99, 0), "64: tensor 't' has type 99, which is quantised or not known; F32, F16, BF16, F64 and integers are read"}};
// clang-format on

TEST(RefusedGguf, IsRefusedByName) {
    for (const auto& [name, input, message] : refused) EXPECT_EQ(refusal(input), message) << name;
}

TEST(Gguf, SurvivesTruncationAtEveryByte) {
    const std::string file = small().bytes();
    const std::size_t last = file.size() - 20;  // the bytes after the last tensor's 12 are padding
    for (std::size_t length = 0; length < last; ++length)
        EXPECT_NE(refusal(file.substr(0, length)), "") << length;
    EXPECT_EQ(refusal(file.substr(0, last)), "");
}

// A GGUF gives the same rotary embedding as the model's config.json.

class GgufConfig : public ConfigTest {
  protected:
    ResolvedModel resolve_all(const TestGguf& file) const {
        folder_.write("m.gguf", file.bytes());
        return resolve_model("m.gguf", {});
    }
    ResolvedSpec resolve(const TestGguf& file) const {
        folder_.write("m.gguf", file.bytes());
        return resolve_spec("m.gguf", {});
    }
};

TestGguf model(const std::string& architecture, std::uint32_t head_dim, std::uint32_t context,
               float base) {
    TestGguf file;
    file.text("general.architecture", architecture);
    file.u32(architecture + ".context_length", context);
    file.u32(architecture + ".embedding_length", head_dim * 32);
    file.u32(architecture + ".attention.head_count", 32);
    file.u32(architecture + ".rope.dimension_count", head_dim);
    file.f32(architecture + ".rope.freq_base", base);
    return file;
}

TEST_F(GgufConfig, NamesTheKeysThatItReads) {
    const ResolvedSpec llama = resolve(model("llama", 128, 8192, 5e5f));
    EXPECT_EQ(llama.spec, spec(128, 128, interleaved, 8192, 5e5));
    EXPECT_EQ(origin_of(llama, "rope_theta"), "m.gguf: llama.rope.freq_base");
    EXPECT_EQ(origin_of(llama, "head_dim"),
              "m.gguf: llama.embedding_length / llama.attention.head_count");
    EXPECT_EQ(origin_of(llama, "layout"),
              "m.gguf: general.architecture llama, ggml's NORM pairs; the converter permuted "
              "q_proj and k_proj from half_split");
    EXPECT_EQ(origin_of(resolve(model("qwen2", 128, 8192, 5e5f)), "layout"),
              "m.gguf: general.architecture qwen2, ggml's NEOX pairs");
    TestGguf zero = model("llama", 128, 16384, 1e4f);
    zero.text("llama.rope.scaling.type", "linear").f32("llama.rope.scaling.factor", 0);
    EXPECT_EQ(origin_of(resolve(zero), "rope_type"),
              "m.gguf: llama.rope.scaling.factor, 0, which llama.cpp reads as 1");
    EXPECT_EQ(origin_of(llama, "max_position_embeddings"), "m.gguf: llama.context_length");
    EXPECT_EQ(origin_of(llama, "rotary_dim"), "m.gguf: llama.rope.dimension_count");
    TestGguf compressed = model("deepseek4", 64, 8192, 1e4f);
    compressed.f32("deepseek4.attention.compress_rope_freq_base", 1.6e5f)
        .u32("deepseek4.block_count", 2)
        .i32s("deepseek4.attention.compress_ratios", {4, 128});
    EXPECT_EQ(origin_of(resolve(compressed), "rope_theta"),
              "m.gguf: deepseek4.attention.compress_rope_freq_base");
}

// llama.cpp's converter permutes the rows of llama's q_proj and k_proj for NORM; command-r's were
// so already.
TEST_F(GgufConfig, WithPermutedWeightsAsksForItsConfigsRotation) {
    const auto config = [](PairLayout layout, const std::string& type = "llama",
                           std::uint32_t rotary_dim = 128) {
        ResolvedModel model;
        model.groups.push_back(
            {"all layers", {spec(128, rotary_dim, layout, 8192, 5e5), {}, {}}, true});
        model.groups[0].resolved.facts.model_type = type;
        return model;
    };
    const auto gguf = [&](const char* architecture) {
        return resolve_all(model(architecture, 128, 8192, 5e5f));
    };
    for (const bool swapped : {false, true}) {
        const ResolvedModel a = gguf("llama"), b = config(half);
        const Diff found = swapped ? diff(b, a, {}) : diff(a, b, {});
        EXPECT_TRUE(found.same());
        EXPECT_THAT(diff_document(found, false).text, HasSubstr("the converter permuted"));
    }
    EXPECT_TRUE(diff(gguf("llama"), config(half, "mistral"), {}).same());
    EXPECT_FALSE(diff(gguf("llama"), config(half, "qwen2"), {}).same());
    EXPECT_FALSE(diff(gguf("llama"), gguf("qwen2"), {}).same());
    EXPECT_FALSE(diff(gguf("llama"), config(interleaved), {}).plans.at(0).permuted);
    EXPECT_FALSE(diff(gguf("llama"), config(half, "llama", 32), {}).plans.at(0).permuted);
    EXPECT_FALSE(diff(gguf("command-r"), config(half), {}).same());
    EXPECT_FALSE(diff(gguf("qwen2"), config(interleaved), {}).same());
}

// These keys identify the axes of a dump's vectors.
TEST_F(GgufConfig, TellsHowManyHeadsQAndKHave) {
    TestGguf file = model("qwen3", 64, 40960, 1e6f);
    EXPECT_EQ(resolve(file).facts.key_heads, 0u);
    file.u32("qwen3.attention.head_count_kv", 8).u32("qwen3.attention.key_length", 64);
    EXPECT_EQ(resolve(file).facts.heads, 32u);
    EXPECT_EQ(resolve(file).facts.key_heads, 8u);
}

TEST_F(GgufConfig, HasATrainedLengthIfItStatesTheOriginalOne) {
    TestGguf llama = model("llama", 4, 131072, 5e5f).floats("rope_freqs.weight", {1, 8});
    EXPECT_EQ(origin_of(resolve(llama), "short_factor"), "m.gguf: rope_freqs.weight");
    EXPECT_FALSE(has_trained_length(resolve(llama).spec));
    llama.u32("llama.rope.scaling.original_context_length", 8192);
    EXPECT_TRUE(has_trained_length(resolve(llama).spec));
}

TEST_F(GgufConfig, SurvivesTruncationAtEveryByte) {
    const std::string whole =
        model("llama", 4, 131072, 5e5f).floats("rope_freqs.weight", {1, 8}).bytes();
    for (std::size_t length = 4; length + 24 < whole.size(); ++length) {
        folder_.write("m.gguf", whole.substr(0, length));
        EXPECT_TRUE(error_message<InputError>([] {
                        resolve_spec("m.gguf", {});
                    }).starts_with("m.gguf: byte "))
            << length;
    }
}

}  // namespace rope::io::gguf_test
