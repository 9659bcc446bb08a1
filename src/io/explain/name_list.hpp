// A list of names and what each stands for, as text and as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rope::io {

struct Named {
    std::string name, meaning;
};

// A name a line, at most 80 columns.
std::string names_text(std::span<const Named> list);
// {"schema": "rope-check-list/1", "tool": …, "list": "pipelines", "names": [{"name", "meaning"}, …]}
std::string names_json(std::string_view what, std::span<const Named> list,
                       std::string_view version);

}  // namespace rope::io
