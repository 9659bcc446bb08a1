#include "cli/shell/inputs.hpp"

#include <algorithm>

#include "io/audit/answer.hpp"

namespace rope::cli {
namespace {

namespace fs = std::filesystem;

// my_model.rope:rotate is in my_model/rope.py or my_model/rope/__init__.py.
std::vector<fs::path> module_files(std::string module) {
    module.resize(std::min(module.find(':'), module.size()));
    std::ranges::replace(module, '.', '/');
    return {module + ".py", fs::path(module) / "__init__.py"};
}

std::vector<fs::path> files_of(Reads reads, const std::string& value) {
    if (reads == Reads::nothing || value.empty()) return {};
    if (reads == Reads::module) return module_files(value);
    std::vector<fs::path> files{value};
    if (reads == Reads::tensor) files.emplace_back(value.substr(0, value.rfind(':')));
    if (reads == Reads::config) files.push_back(fs::path(value) / "config.json");
    if (reads == Reads::word) files.emplace_back(value.substr(value.find('=') + 1));
    if (reads == Reads::request)
        for (const std::string_view name : io::audit_files) files.push_back(fs::path(value) / name);
    return files;
}

}  // namespace

std::vector<Input> inputs_of(std::string_view option, Reads reads, const std::string& value) {
    std::vector<Input> inputs;
    for (fs::path& file : files_of(reads, value))
        inputs.push_back({std::string(option), std::move(file)});
    return inputs;
}

}  // namespace rope::cli
