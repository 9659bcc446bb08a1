#include "cli/shell/specs.hpp"

#include <fmt/format.h>

#include <set>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/shell/hints.hpp"
#include "cli/shell/terminal.hpp"
#include "io/config/config.hpp"
#include "io/model/models.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view config_option = "--config";
constexpr std::string_view model_option = "--model";
constexpr std::string_view subjects = "--config and --model";  // each makes one Spec

// Canonical name → the flag, each time it is given.
using Repeated = std::map<std::string_view, std::vector<io::Flag>>;

Repeated repeated_flags(const Arguments& arguments) {
    Repeated flags;
    for (const io::Flag& flag : arguments.spec_flags)
        flags[io::find_spec_flag(flag.name).name].push_back(flag);
    for (const std::string& path : arguments.values("--config"))
        flags[config_option].push_back({std::string(config_option), path});
    if (flags.contains(config_option) && flags.contains(model_option)) {
        flags.erase(config_option);
        flags.erase(model_option);
        flags[subjects] = arguments.configs;
    }
    return flags;
}

std::size_t count_specs(const Repeated& repeated) {
    std::size_t count = 1;
    std::string_view counted;
    for (const auto& [name, flags] : repeated) {
        if (flags.size() == 1) continue;
        if (count > 1 && flags.size() != count) {
            throw InputError(
                fmt::format("{} is given {} times and {} {} times; give both equally often, "
                            "or one of them once",
                            counted, count, name, flags.size()));
        }
        count = flags.size();
        counted = name;
    }
    return count;
}

// "rope_theta 500000", also of 5e5; for a config its path, for a model its name.
std::string label_of(std::string_view name, const io::Flag& flag) {
    if (name == config_option || name == model_option || name == subjects)
        return printable(flag.value);
    const io::SpecFlag& asked = io::find_spec_flag(name);
    return fmt::format("{} {}", asked.field,
                       asked.value == "REAL" ? io::plain(io::parse_real(flag.name, flag.value))
                                             : printable(flag.value));
}

std::optional<std::filesystem::path> config_of(const Arguments& arguments) {
    return arguments.value(config_option);
}

void add_specs(std::vector<plots::NamedSpec>& specs, const io::ResolvedModel& model,
               const std::string& model_label, std::optional<std::uint64_t> context) {
    for (const io::LayerGroup& group : model.groups) {
        if (!group.rotates) continue;
        const Spec& spec = group.resolved.spec;
        const std::string& type = spec.scaling.rope_type;
        std::string label = model_label;
        if (model.groups.size() > 1) label += (label.empty() ? "" : " ") + printable(group.layers);
        if (label.empty()) label = type == "default" ? "base θ" : type;
        specs.push_back(
            {label, with_table_of(spec, context.value_or(spec.max_position_embeddings))});
    }
}

}  // namespace

bool names_several(const Arguments& arguments) {
    return std::ranges::any_of(repeated_flags(arguments),
                               [](const auto& flags) { return flags.second.size() > 1; });
}

void refuse_unknown_names(const Arguments& arguments) {
    for (const io::Flag& flag : arguments.spec_flags)  // io knows only the exact words
        if (flag.name == model_option && !io::is_model(flag.value))
            throw unknown_model(flag.value).about(flag.name);
        else if (flag.name == "--reading") {
            for (const Option& one : options_in("readings in other tools"))
                if (std::ranges::count(split(one.help, " "), lower_case(flag.value)) > 0)
                    throw InputError(flag.name,
                                     fmt::format(": unknown reading '{}'; did you mean '{}'?",
                                                 printable(flag.value), one.name));
            (void)item_named(flag.value, readings(), &Reading::name, "reading", flag.name);
        }
}

const Pipeline& pipeline_named(const std::string& name) {
    return item_named(name, pipelines(), &Pipeline::name, "pipeline", "--pipeline");
}

void use_classes(const Arguments& arguments) {
    constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;
    const auto path = arguments.value("--classes");
    if (!path) return;
    io::add_rows(io::as_text(io::read_input(*path, most_bytes)), io::input_name(*path));
}

io::ResolvedModel model_of(const Arguments& arguments) {
    refuse_unknown_names(arguments);
    return io::resolve_model(config_of(arguments), arguments.spec_flags);
}

io::ResolvedSpec spec_of(const Arguments& arguments) {
    refuse_unknown_names(arguments);
    return io::resolve_spec(config_of(arguments), arguments.spec_flags);
}

std::string file_name(const std::string& path) {
    const std::filesystem::path whole(path);
    const std::filesystem::path file = whole.has_filename() ? whole : whole.parent_path();
    const std::string folder = file.parent_path().filename().string();
    const bool is_common = file.filename() == "config.json" || file.filename() == "params.json";
    const bool is_named = !folder.empty() && folder != "." && folder != "..";
    return printable(is_common && is_named ? folder : file.filename().string());
}

std::vector<std::string> config_words(const Arguments& arguments) {
    std::vector<std::string> words = mapped<std::string>(arguments.configs, &io::Flag::value);
    std::vector<io::Flag> others = arguments.spec_flags;
    std::erase_if(others, [](const io::Flag& flag) { return flag.name == model_option; });
    std::ranges::move(io::words_of_flags(others), std::back_inserter(words));
    return words;
}

std::string subject_name(const Arguments& arguments) {
    if (const auto config = config_of(arguments)) return file_name(config->string());
    for (const io::Flag& flag : arguments.spec_flags)
        if (flag.name == model_option) return printable(flag.value);
    return "";
}

std::vector<OneOfSeveral> one_by_one(const Arguments& arguments) {
    const Repeated repeated = repeated_flags(arguments);
    std::vector<OneOfSeveral> all(count_specs(repeated));
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& [one, label] = all[i];
        for (const auto& [name, flags] : repeated) {
            const io::Flag& flag = flags[flags.size() == 1 ? 0 : i];
            (flag.name == config_option ? one.given : one.spec_flags).push_back(flag);
            if (flags.size() > 1) label += (label.empty() ? "" : ", ") + label_of(name, flag);
        }
    }
    return all;
}

void say_lint(const std::vector<io::Lint>& lint, const Arguments& arguments) {
    if (lint.empty() || (arguments.has("--quiet") && !arguments.has("--strict"))) return;
    say(io::lint_text(lint));
}

std::vector<plots::NamedSpec> specs_of(const Arguments& arguments,
                                       std::optional<std::uint64_t> context) {
    const std::vector<OneOfSeveral> several = one_by_one(arguments);
    std::set<std::string> names;
    for (const OneOfSeveral& each : several) names.insert(file_name(each.label));
    const bool tells_apart = names.size() == several.size();
    std::vector<plots::NamedSpec> specs;
    for (const auto& [one, label] : several) {
        const io::ResolvedModel model = model_of(one);
        say_lint(model.lint, arguments);
        add_specs(specs, model,
                  several.size() == 1 ? subject_name(one)
                  : tells_apart       ? file_name(label)
                                      : label,
                  context);
    }
    return specs;
}

}  // namespace rope::cli
