#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/command/dump_options.hpp"
#include "cli/command/identifying.hpp"
#include "cli/command/judging.hpp"
#include "cli/command/other_truths.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/report_output.hpp"
#include "cli/shell/specs.hpp"
#include "io/dump/dump_tensors.hpp"
#include "io/render/mistake_list.hpp"
#include "io/resolve/sequence_length.hpp"
#include "io/text/number.hpp"
#include "rope/subject/positions.hpp"

namespace rope::cli {
namespace {

std::vector<Option> options() {
    std::vector<Option> own = dump_options();
    own.push_back({.name = "--context",
                   .value = "N",
                   .help = "judge --inv-freq at positions below N (default: "
                           "max_position_embeddings)"});
    own.push_back({.name = "--table",
                   .help = "judge q and k by the cos and sin beside them, whatever these hold"});
    own.push_back({.name = "--list-mistakes",
                   .help = "list the mistakes that a diagnosis can name, as text or json"});
    return with_judging_options(std::move(own));
}

std::string words() {
    std::string text = "\nCache layouts:\n ";
    for (const io::CacheLayout layout : io::cache_layouts()) {
        text += " " + std::string(to_string(layout));
    }
    return text + "\n" + pipeline_list() + check_list();
}

io::DumpHints hints_of(const Arguments& arguments) {
    io::DumpHints hints;
    hints.axes = arguments.value("--axes").value_or("");
    if (const auto name = arguments.value("--cache-layout")) {
        hints.layout = io::parse_cache_layout(*name);
    }
    return hints;
}

CompareOptions compare_options(const Arguments& arguments) {
    CompareOptions how;
    if (const auto name = arguments.value("--pipeline")) how.pipeline = &pipeline_named(*name);
    if (const auto context = arguments.value("--context"))
        how.context = io::parse_whole("--context", *context, 1, max_context);
    return how;
}

bool fits(const Spec& spec, const io::NamedDump& dump) {
    return std::holds_alternative<RotatedDump>(dump.dump) ? dump.lanes == spec.head_dim
                                                          : dump.lanes == spec.rotary_dim;
}

// Another part of the same head rotates, which is a mistake; any other width is another dump.
bool has_other_rotary_dim(const Spec& spec, const io::NamedDump& dump) {
    return !std::holds_alternative<RotatedDump>(dump.dump) && dump.lanes != spec.rotary_dim &&
           dump.lanes <= spec.head_dim;
}

// Dumps read by the Spec; if none has its width, by their shape alone.
std::vector<io::NamedDump> load(io::DumpTensors& tensors, io::DumpHints asked, const Spec* spec) {
    if (spec == nullptr) return load_dump(tensors, asked);
    const io::DumpHints plain = asked;
    asked.spec = *spec;
    try {
        return load_dump(tensors, asked);
    } catch (const InputError&) {
        std::vector<io::NamedDump> dumps;
        try {
            dumps = load_dump(tensors, plain);
        } catch (const InputError&) {
            dumps.clear();
        }
        const auto is_usable = [&](const io::NamedDump& one) {
            return fits(*spec, one) || has_other_rotary_dim(*spec, one);
        };
        if (dumps.empty() || !std::all_of(dumps.begin(), dumps.end(), is_usable)) throw;
        return dumps;
    }
}

bool names_spec(const Arguments& arguments) {
    return arguments.has("--config") || !arguments.spec_flags.empty();
}

// Of two concatenated tables each is its own; else the positions choose.
void choose_table(io::ResolvedSpec& resolved, const io::NamedDump& dump) {
    if (dump.seq_len) return io::choose_table(resolved, *dump.seq_len, "the dump's two tables");
    std::visit(
        [&](const auto& rows) {
            if constexpr (requires { rows.positions; })
                if (!rows.positions.empty())
                    io::choose_table(resolved, context_of(rows.positions),
                                     "the dump's last position");
        },
        dump.dump);
}

std::vector<Target> targets(const Arguments& arguments) {
    constexpr OutputFormat list_formats[] = {{"text", ".txt"}, {"json", ".json"}};
    return arguments.has("--list-mistakes") ? formatted_targets(list_formats, arguments)
                                            : report_targets(arguments);
}

int list_mistakes(const Arguments& arguments) {
    if (arguments.reports != nullptr)
        throw InputError("compare --list-mistakes has no metrics for a baseline");
    for (const Target& target : targets(arguments))
        deliver(
            target.path,
            target.format == "json" ? io::mistakes_json(ROPE_CHECK_VERSION) : io::mistakes_text(),
            arguments);
    return 0;
}

int run(const Arguments& arguments) {
    if (arguments.has("--list-mistakes")) return list_mistakes(arguments);
    const io::DumpHints hints = hints_of(arguments);
    const CompareOptions how = compare_options(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    if (is_stillness_asked(arguments)) return judge_stillness(tensors, hints, arguments);
    if (arguments.has("--table")) return judge_by_own_table(tensors, hints, arguments);
    std::optional<io::ResolvedSpec> asked;
    if (names_spec(arguments)) asked = spec_of(arguments);
    std::vector<io::NamedDump> dumps = load(tensors, hints, asked ? &asked->spec : nullptr);
    const KnownSpecs known = asked ? KnownSpecs{} : known_specs();
    std::vector<Case> cases;
    for (io::NamedDump& dump : dumps) {
        Identified found;
        if (!asked) found = identified_in_heads(dump, tensors, hints, known);
        io::ResolvedSpec resolved = asked ? *asked : found.resolved;
        choose_table(resolved, dump);
        const auto judge = [&dump, how, spec = resolved.spec](const SessionOptions& options) {
            return compare(spec, dump.dump, how, options);
        };
        cases.push_back(
            {std::move(resolved), judge, dumps.size() > 1 ? dump.name : "", found.identity});
    }
    return judge_and_report(cases, arguments, dump_words(arguments));
}

}  // namespace

constinit const Command compare_command{
    .name = "compare",
    .summary = "judge existing tables, frequencies, or vectors before and after rotation",
    .examples =
        "  rope-check compare dump.npz --dim 64 --base 500000\n"
        "  rope-check compare --cos cos.npy --sin sin.npy --config path/to/model\n"
        "  rope-check compare --q q.npy --q-rot q_rot.npy --dim 128 --layout interleaved\n"
        "  rope-check compare cache.npy --cache-layout cos-sin --pipeline vllm-bf16-cache\n"
        "  rope-check compare onnx_test.npz --table --layout interleaved\n"
        "  rope-check compare --list-mistakes --format text\n",
    .options = options,
    .repeats_spec = false,
    .words = words,
    .run = run,
    .targets = targets,
};

}  // namespace rope::cli
