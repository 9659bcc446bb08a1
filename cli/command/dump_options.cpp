#include "cli/command/dump_options.hpp"

#include <optional>

#include "base/printable.hpp"
#include "io/text/byte_count.hpp"
#include "rope/spec/spec.hpp"

namespace rope::cli {
namespace {

constexpr Option tensor(std::string_view name, std::string_view help) {
    return {.name = name, .value = "TENSOR", .help = help, .reads = Reads::tensor};
}

std::optional<io::RawArrays> raw_arrays(const Arguments& arguments) {
    const auto element = arguments.value("--raw"), shape = arguments.value("--shape");
    if (!element && !shape) return std::nullopt;
    if (!element || !shape) throw InputError("--raw", "and --shape belong together; give both");
    return io::RawArrays{io::parse_raw_element(*element), io::parse_raw_shape(*shape)};
}

io::MemoryLimit memory_limit(const Arguments& arguments) {
    io::MemoryLimit limit{.name = "--max-memory"};
    const auto size = arguments.value("--max-memory");
    if (!size) return limit;
    const std::uint64_t asked = io::parse_byte_count("--max-memory", *size);
    if (arguments.is_recorded && asked > limit.bytes)
        throw InputError("--max-memory", "of the baseline is " + printable(*size) +
                                             "; pass --allow-large to let it take more than 4G");
    limit.bytes = asked;
    return limit;
}

}  // namespace

std::vector<Option> dump_options() {
    return {
        {.name = "DUMP",
         .value = "FILE",
         .help = ".npy, .npz, .safetensors, GGUF or - (standard input)",
         .reads = Reads::file,
         .yields = true},
        tensor("--cos", "table of cosines: FILE, FILE:NAME, or the NAME of an array in DUMP"),
        tensor("--sin", "table of sines"),
        tensor("--cos-sin", "table of cosines and sines"),
        tensor("--angles", "table of angles, position * inv_freq"),
        tensor("--inv-freq", "frequencies"),
        tensor("--q", "vectors before rotation"),
        tensor("--q-rot", "the same vectors after rotation"),
        tensor("--k", "keys before rotation"),
        tensor("--k-rot", "keys after rotation"),
        tensor("--positions",
               "position of each row (default: position_ids of DUMP, else 0, 1, 2, …)"),
        {.name = "--raw",
         .value = "TYPE",
         .help = "read each FILE except --positions as headerless f32, f64, f16 or bf16"},
        {.name = "--shape", .value = "LIST", .help = "shape of those files, such as 4096,64"},
        {.name = "--max-memory",
         .value = "SIZE",
         .help = "refuse files that take more memory, unpacked (default: 4G)"},
        {.name = "--cache-layout",
         .value = "NAME",
         .help = "how a table stores cos and sin (default: inferred from its values)"},
        {.name = "--axes",
         .value = "LETTERS",
         .help = "order of q's axes b, h, s and d, such as bhsd (default: inferred)"},
        {.name = "--xpos",
         .value = "BASE[:CENTRE]",
         .help = "undo xPos first: q_rot / ζ^((m - CENTRE)/BASE), k_rot times it (BASE is usually "
                 "512)"},
        {.name = "--pipeline",
         .value = "NAME",
         .help = "pipeline that made it, which sets the tolerances"},
    };
}

io::DumpFiles dump_files(const Arguments& arguments) {
    const auto file = [&](std::string_view name) { return arguments.value(name).value_or(""); };
    return {.dump = file("DUMP"),
            .cos = file("--cos"),
            .sin = file("--sin"),
            .cos_sin = file("--cos-sin"),
            .angles = file("--angles"),
            .inv_freq = file("--inv-freq"),
            .q = file("--q"),
            .q_rot = file("--q-rot"),
            .k = file("--k"),
            .k_rot = file("--k-rot"),
            .positions = file("--positions"),
            .raw = raw_arrays(arguments),
            .memory = memory_limit(arguments)};
}

std::vector<std::string> dump_words(const Arguments& arguments) {
    std::vector<std::string> words;
    for (const Option& option : dump_options()) {
        if (const auto value = arguments.value(option.name)) {
            if (option.name != "DUMP") words.emplace_back(option.name);
            words.push_back(*value);
        }
    }
    return words;
}

}  // namespace rope::cli
