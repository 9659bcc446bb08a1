#include "cli/precision/mapped_report.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/command/dump_options.hpp"
#include "cli/shell/specs.hpp"

namespace rope::cli {
std::string label_of(const Case& one, const Arguments& arguments, const Report& report) {
    std::string label;
    const auto add = [&](const std::string& word) {
        if (!word.empty()) label += (label.empty() ? "" : ", ") + word;
    };
    add(subject_name(arguments));
    add(one.layers);
    add(report.subject.pipeline.empty() ? report.subject.origin : report.subject.pipeline);
    return label;
}

bool has_dump(const Arguments& arguments) {
    return std::ranges::any_of(dump_options(), [&](const Option& option) {
        return option.reads != Reads::nothing && arguments.has(option.name);
    });
}

MappedReport mapped(const Case& one, const Arguments& arguments, SessionOptions options,
                    ErrorMap asked) {
    MappedReport made{{}, {}, std::move(asked)};
    options.errors = &made.errors;
    made.report = report_of(one, options);
    made.report.defaults = arguments.defaults;
    made.label = label_of(one, arguments, made.report);
    return made;
}

}  // namespace rope::cli
