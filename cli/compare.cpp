#include "cli/compare.hpp"

#include "cli/judging.hpp"
#include "cli/specs.hpp"
#include "io/dump.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view dump_options[] = {"DUMP",    "--cos",       "--sin", "--q",
                                             "--q-rot", "--positions", "--axes"};

std::vector<Option> options() {
    return with_judging_options({
        {.name = "DUMP",
         .value = "FILE",
         .help = "an .npz with cos and sin, or q and q_rot, and maybe position_ids"},
        {.name = "--cos", .value = "FILE", .help = "the table of cosines, an .npy"},
        {.name = "--sin", .value = "FILE", .help = "the table of sines, an .npy"},
        {.name = "--q", .value = "FILE", .help = "vectors before rotation, an .npy"},
        {.name = "--q-rot", .value = "FILE", .help = "the same vectors after rotation"},
        {.name = "--positions",
         .value = "FILE",
         .help = "position of each row; default 0, 1, 2, …"},
        {.name = "--axes",
         .value = "LETTERS",
         .help = "what q's axes are, of b, h, s and d, such as bhsd"},
    });
}

io::DumpFiles dump_files(const Arguments& arguments) {
    const auto file = [&](std::string_view name) { return arguments.value(name).value_or(""); };
    return {.npz = file("DUMP"),
            .cos = file("--cos"),
            .sin = file("--sin"),
            .before = file("--q"),
            .after = file("--q-rot"),
            .positions = file("--positions"),
            .axes = file("--axes")};
}

void require_one_subject(const io::DumpFiles& files) {
    const int archive = files.npz.empty() ? 0 : 1;
    const int table = files.cos.empty() && files.sin.empty() ? 0 : 1;
    const int vectors = files.before.empty() && files.after.empty() ? 0 : 1;
    if (archive + table + vectors == 1 && files.cos.empty() == files.sin.empty() &&
        files.before.empty() == files.after.empty()) {
        return;
    }
    throw InputError(
        "compare needs one subject: an .npz, or --cos FILE --sin FILE, or --q FILE --q-rot FILE");
}

// As typed, so that a report can say how to run it again.
std::vector<std::string> dump_words(const Arguments& arguments) {
    std::vector<std::string> words;
    for (const std::string_view name : dump_options) {
        if (const auto value = arguments.value(name)) {
            if (name != "DUMP") words.emplace_back(name);
            words.push_back(*value);
        }
    }
    return words;
}

std::unique_ptr<RowSource> rows_of(const Spec& spec, io::Dump dump) {
    if (auto* table = std::get_if<TableDump>(&dump)) return table_rows(spec, std::move(*table));
    return rotated_rows(spec, std::move(std::get<RotatedDump>(dump)));
}

int run(const Arguments& arguments) {
    const io::ResolvedSpec resolved = spec_of(arguments);
    const io::DumpFiles files = dump_files(arguments);
    require_one_subject(files);
    const io::Dump dump = io::load_dump(files, resolved.spec);
    const auto any = std::visit([](const auto& one) -> Dump { return one; }, dump);
    const Case one[] = {{resolved, rows_of(resolved.spec, dump), "", any}};
    return judge_and_report(one, arguments, dump_words(arguments));
}

}  // namespace

constinit const Command compare_command{
    .name = "compare",
    .summary = "judge somebody's cos and sin tables, or vectors before and after rotation",
    .examples =
        "  rope-check compare --cos cos.npy --sin sin.npy --config path/to/model\n"
        "  rope-check compare --q q.npy --q-rot q_rot.npy --dim 128 --layout interleaved\n"
        "  rope-check compare dump.npz --dim 64 --base 500000\n",
    .options = options,
    .repeats_spec = false,
    .words = check_list,
    .run = run,
};

}  // namespace rope::cli
