// Shared by the tests of resolved Specs, and a config given as text.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/model/resolved_model.hpp"
#include "io/render/results.hpp"
#include "rope/rows/pipeline.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/rope/specs.hpp"

namespace rope::io {

using Flags = std::vector<Flag>;

inline constexpr auto half = PairLayout::half_split;
inline constexpr auto interleaved = PairLayout::interleaved;

inline std::string origin_of(const ResolvedSpec& resolved, std::string_view field) {
    for (const Origin& origin : resolved.origins)
        if (origin.field == field) return origin.from;
    return "[none]";
}

inline Spec spec(std::uint32_t head_dim, std::uint32_t rotary_dim, PairLayout layout,
                 std::uint64_t max_position, double rope_theta, Scaling scaling = {}) {
    Spec spec;
    spec.head_dim = head_dim;
    spec.rotary_dim = rotary_dim;
    spec.layout = layout;
    spec.max_position_embeddings = max_position;
    spec.rope_theta = rope_theta;
    spec.scaling = std::move(scaling);
    return spec;
}

// The equivalent flags without defaults: "--dim 64 --rope rope_type=linear,factor=4".
inline std::string flags_of(const Spec& spec) {
    Report report;
    report.spec = spec;
    report.subject.pipeline = default_pipeline;
    report.subject.context = spec.max_position_embeddings;
    return command_line(report).substr(std::string_view("rope-check verify ").size());
}

// Reads `text` as config.json in the current folder, so that messages have only the file name.
class ConfigTest : public testing::Test {
  protected:
    ConfigTest() : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder_.path());
    }
    ~ConfigTest() override { std::filesystem::current_path(before_); }

    ResolvedModel resolve_all(std::string_view text, const Flags& flags = {}) const {
        folder_.write("config.json", text);
        return resolve_model("config.json", flags);
    }
    ResolvedSpec resolve(std::string_view text, const Flags& flags = {}) const {
        folder_.write("config.json", text);
        return resolve_spec("config.json", flags);
    }
    std::string refusal(std::string_view text, const Flags& flags = {}) const {
        return error_message<InputError>([&] { resolve(text, flags); });
    }

    TemporaryFolder folder_;

  private:
    std::filesystem::path before_;
};

}  // namespace rope::io
