#include "rope/session/vectors_report.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "rope/checks/check.hpp"
#include "rope/judge/registry.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

template <class Dump>
Report report_of(const Spec& spec, const Dump& dump, const SessionOptions& options) {
    Report report;
    report.spec = spec;
    report.subject.origin = dump.origin;
    report.subject.context = context_of(dump.positions);
    report.subject.seed = options.seed;
    report.subject.read_as = dump.read_as;
    return report;
}

}  // namespace

Report report_on(const Spec& spec, const RotatedDump& vectors, const SessionOptions& options) {
    return report_of(spec, vectors, options);
}

Report report_on(const Spec& spec, const TableDump& table, const SessionOptions& options) {
    return report_of(spec, table, options);
}

Finding find_passed_lanes(const Spec& spec, const RotatedDump& vectors) {
    Finding finding = finding_of(find_check("pass-through"));
    const PassThrough passed = compare_passed_lanes(spec, vectors);
    WorstCase worst_case;
    worst_case.add_samples(passed.lanes);
    worst_case.add(passed.worst, 0, [&] {
        return Witness{{passed.position}, std::nullopt, passed.got, passed.want};
    });
    worst_case.report_to(finding);
    return finding;
}

bool is_asked(const std::vector<std::string>& only, std::string_view check) {
    return only.empty() || std::ranges::find(only, check) != only.end();
}

void require_checks(const std::vector<std::string>& only,
                    std::initializer_list<std::string_view> these, const std::string& what) {
    for (const std::string& id : only)
        if (std::ranges::find(these, find_check(id).id) == these.end())
            throw InputError("only " + join(these, {}, " and ")
                                           .append(these.size() == 1 ? " applies" : " apply")
                                           .append(" to ")
                                           .append(what)
                                           .append(", not ")
                                           .append(id));
}

}  // namespace rope
