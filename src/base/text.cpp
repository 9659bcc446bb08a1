#include "base/text.hpp"

namespace rope {

std::string range(std::uint64_t first, std::uint64_t last) {
    return first == last ? decimal(first) : decimal(first) + "–" + decimal(last);
}

std::string ranges(const std::vector<std::uint32_t>& ascending, std::size_t most) {
    std::vector<std::string> texts;
    std::size_t first = 0;
    for (std::size_t i = 1; i <= ascending.size(); ++i) {
        if (i < ascending.size() && ascending[i] == ascending[i - 1] + 1) continue;
        texts.push_back(texts.size() == most ? "…" : range(ascending[first], ascending[i - 1]));
        if (texts.size() > most) break;
        first = i;
    }
    return join(texts);
}

}  // namespace rope
