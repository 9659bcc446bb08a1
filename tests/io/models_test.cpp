#include "io/model/models.hpp"

#include <gtest/gtest.h>

#include <string>

#include "io/resolve/resolved_model.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace {

Flags model(std::string_view name) { return {{"--model", std::string(name)}}; }

TEST(Models, AllResolveAndNameTheirSource) {
    std::string_view before;
    for (const Model& row : models()) {
        const ResolvedModel resolved = resolve_model(std::nullopt, model(row.name));
        EXPECT_FALSE(resolved.groups.empty()) << row.name;
        EXPECT_TRUE(resolved.ignored.empty()) << row.name << ": " << resolved.ignored.front();
        EXPECT_FALSE(row.source.empty()) << row.name;
        EXPECT_NE(row.name, before);
        for (const Lint& lint : resolved.lint)
            EXPECT_EQ(lint.severity, Severity::note) << row.name << ": " << lint.message;
        before = row.name;
    }
}

TEST(Models, StandForAConfig) {
    const ResolvedSpec llama = resolve_spec(std::nullopt, model("llama-3.1-8b"));
    EXPECT_EQ(llama.spec, spec(128, 128, half, 131072, 5e5, llama3(8, 1, 4, 8192)));
    EXPECT_EQ(origin_of(llama, "rope_theta"), "--model llama-3.1-8b: rope_theta");
    Flags flags = model("gemma-3-27b");
    flags.push_back({"--layers", "full_attention"});
    EXPECT_EQ(flags_of(resolve_spec(std::nullopt, flags).spec),
              "--dim 128 --max-position 131072 --base 1000000 --rope-type linear --factor 8");
}

TEST(Models, AreRefusedByName) {
    EXPECT_EQ(error_message<InputError>([] {
                  resolve_spec(std::nullopt, model("llama-9"));
              }).substr(0, 60),
              "--model is 'llama-9'; it must be one of chatglm-6b, codellam");
    EXPECT_EQ(error_message<InputError>([] { resolve_spec("config.json", model("phi-2")); }),
              "--model phi-2: a config is given too; give one of them");
}

}  // namespace
}  // namespace rope::io
