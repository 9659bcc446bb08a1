#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/hints.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/specs.hpp"
#include "io/explain/explanation.hpp"
#include "io/model/models.hpp"
#include "io/model/resolved_model.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

std::vector<std::uint64_t> positions_of(const Arguments& arguments) {
    const auto list = arguments.value("--positions");
    if (!list) return {};
    return mapped<std::uint64_t>(io::split_list(*list), [](const std::string& part) {
        return io::parse_whole("--positions", part, 0, max_context);
    });
}

int run_diff(const Arguments& arguments) {
    const auto a = arguments.value("A"), b = arguments.value("B");
    const bool are_more = arguments.names_model();
    if (!a || !b || are_more)
        throw InputError(fmt::format(
            "diff compares two configs, and {} given: rope-check diff A B; each is a config.json, "
            "its folder, a GGUF, a built-in model or JSON, such as "
            "'{{\"head_dim\": 128, \"rope_theta\": 10000}}'",
            are_more ? "more are"
            : a      ? "one is"
                     : "none is"));
    if (io::is_called_dump(*a) && io::is_called_dump(*b))
        throw InputError(
            fmt::format("{0} and {1} are dumps and no configs; type rope-check compare "
                        "{0} --against {1}",
                        printable(*a), printable(*b)));
    refuse_unknown_names(arguments);
    const std::vector<std::uint64_t> positions = positions_of(arguments);
    const auto model = [&](const std::string& config) {
        std::error_code error;
        const bool is_path = std::filesystem::exists(config, error) || config == "-" ||
                             config.find('/') != config.npos || config.ends_with(".json") ||
                             config.ends_with(".gguf");
        if (is_path) return io::resolve_model(config, arguments.spec_flags);
        if (!io::is_model(config)) throw unknown_model(config);
        std::vector<io::Flag> flags = arguments.spec_flags;
        flags.push_back({"--model", config});
        return io::resolve_model(std::nullopt, flags);
    };
    const auto [of_a, of_b] = io::with_common_tables(model(*a), model(*b));
    io::Diff diff =
        io::diff(of_a, of_b, positions, arguments.has("--strict") ? 0 : same_in_float32);
    diff.a = *a;
    diff.b = *b;
    deliver_document(io::diff_document(diff, arguments.has("--verbose")), arguments);
    return diff.same() ? 0 : 1;
}

}  // namespace

constinit const Command diff_command{
    .name = "diff",
    .run = run_diff,
};

}  // namespace rope::cli
