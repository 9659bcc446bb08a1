// What an HTML page shows, as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/render/results.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::io {

struct NamedModel {
    std::string_view name;
    Spec spec;
};

// Where the sliders begin, and where else they can.
struct Explorer {
    Spec spec;
    std::vector<NamedModel> models;
};

// On one line, for the script of the same version. Without subjects it is the explorer alone.
std::string page_json(const Explorer& explorer, std::string_view version);

// Each subject's report, its accuracy in words, and its cells where it has any. Of n cells "places"
// is, in base64 and little-endian: n float64 of position, of got and of want, then n uint32, pair |
// 2³¹ for a sine; 2³² − 1 where there is no position.
// Requires that the maps keep places.
std::string page_json(const Explorer& explorer, std::span<const MappedReport> subjects,
                      const Results& results, std::string_view version);

}  // namespace rope::io
