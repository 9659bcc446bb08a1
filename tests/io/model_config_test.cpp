#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "io/config.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace {

struct Model {
    const char* file;
    Spec spec;

    friend void PrintTo(const Model& row, std::ostream* out) { *out << row.file; }
};

class ModelConfig : public testing::TestWithParam<Model> {};

TEST_P(ModelConfig, IsResolved) {
    const std::string path = std::string(ROPE_CHECK_TESTS "/golden/configs/") + GetParam().file;
    const ResolvedSpec resolved = resolve_spec(path, {});
    EXPECT_EQ(resolved.spec, GetParam().spec);
    EXPECT_TRUE(resolved.ignored.empty());
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Golden, ModelConfig, testing::Values(
    Model{"llama-2-7b.json",                   {128, 128, half, 4096,   1e4, {}}},
    Model{"llama-3.1-8b.json",                 {128, 128, half, 131072, 5e5, llama3(8, 1, 4, 8192)}},
    Model{"llama-3.2-1b.json",                 {64,  64,  half, 131072, 5e5, llama3(32, 1, 4, 8192)}},
    Model{"llama-3.2-1b-transformers-5.json",  {64,  64,  half, 131072, 5e5, llama3(32, 1, 4, 8192)}},
    Model{"codellama-7b.json",                 {128, 128, half, 16384,  1e6, {}}},
    Model{"mistral-7b-v0.3.json",              {128, 128, half, 32768,  1e6, {}}},
    Model{"qwen2.5-7b-instruct.json",          {128, 128, half, 32768,  1e6, {}}},
    Model{"pythia-6.9b.json",                  {128, 32,  half, 2048,   1e4, {}}}));
// clang-format on

}  // namespace
}  // namespace rope::io
