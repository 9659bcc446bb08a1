// A parser for untrusted JSON, with limits on size, depth and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace rope::io {

inline constexpr std::uint64_t max_json_bytes = std::uint64_t{16} << 20;
inline constexpr std::size_t max_json_depth = 64;
inline constexpr std::size_t max_json_keys = 100'000;
inline constexpr std::size_t max_json_values = 1'000'000;

// Throws InputError, prefixed with `name`, for a syntax error, a NUL byte, invalid UTF-8 or text
// after the value, with line and column; for a repeated key; for a number outside float64.
nlohmann::json parse_json(std::string_view text, const std::string& name,
                          std::size_t most_keys = max_json_keys);

// Throws IoError as well, as read_file does.
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace rope::io
