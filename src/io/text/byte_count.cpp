#include "io/text/byte_count.hpp"

#include <charconv>
#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"

namespace rope::io {
namespace {

constexpr std::string_view units = "KMGT";

}  // namespace

std::string byte_count(std::uint64_t bytes) {
    if (bytes < 1024) return decimal(bytes) + " bytes";
    double size = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
    const double steps = size < 10 ? 10 : 1;
    return decimal(std::ceil(size * steps) / steps) + " " + units[unit] + "iB";
}

std::uint64_t parse_byte_count(std::string_view field, std::string_view text) {
    double size = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, size, std::chars_format::fixed);
    std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    const std::size_t power = unit.empty() ? units.npos : units.find(unit[0]);
    if (power != units.npos) unit.remove_prefix(1);
    const bool is_known = unit.empty() || (power != units.npos && (unit == "B" || unit == "iB"));
    if (power != units.npos) size *= std::exp2(10 * (static_cast<double>(power) + 1));
    if (error != std::errc() || !is_known || !(size >= 1 && size < 0x1p63))
        throw InputError(std::string(field),
                         ": '" + printable(text) + "' is not a size such as 512M or 4G");
    return static_cast<std::uint64_t>(size);
}

}  // namespace rope::io
