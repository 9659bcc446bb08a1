#include "io/export/export.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/output.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/audit/suite_files.hpp"
#include "io/dump/shape.hpp"
#include "io/model/resolved_model.hpp"
#include "io/system/unfinished.hpp"
#include "io/tensor/tensor_file.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/rows/row_source.hpp"

namespace rope::cli {
namespace {

rope::Format dtype_of(const Arguments& arguments) {
    const std::string asked = arguments.value("--dtype").value_or("float32");
    for (const rope::Format format : {rope::Format::float32, rope::Format::bfloat16,
                                      rope::Format::float16, rope::Format::float64}) {
        const std::string name(to_string(format));  // also f32 and bf16
        if (asked == name || asked == std::string(name).erase(name.find("loat"), 4)) return format;
    }
    throw InputError("--dtype", ": '" + printable(asked) +
                                    "' is not one of float32, bfloat16, float16, float64");
}

// Takes the vectors of q=TENSOR, and their dtype unless --dtype is given.
void take_vectors(const Arguments& arguments, io::ExportRequest& request) {
    const auto file = arguments.value("q=");
    if (!file) return;
    arguments.refuse({"--seed"}, "does nothing with q=TENSOR; leave one out");
    constexpr std::string_view vectors[] = {"q", "q_rot", "k", "k_rot"};
    if (std::ranges::count(vectors, arguments.value("--only").value_or("q")) == 0)
        arguments.refuse({"--only"}, "leaves out the vectors of q=TENSOR; leave one out");
    const io::NamedArray array = io::load_array(*file);
    request.q = io::given_vectors(array, request.spec);
    request.seed.reset();
    if (!arguments.has("--dtype")) request.format = *array.array.format();
    if (arguments.has("--positions")) return;
    request.positions = io::positions_of_text(
        numbers_below<double>(request.q->shape[request.q->shape.size() - 2]), request.spec.axes);
}

PositionsByAxis positions_of(const Arguments& arguments, const Spec& spec) {
    const auto positions = arguments.value("--positions");
    if (positions && positions->find('x', 1) != positions->npos)  // HEIGHTxWIDTH
        return io::parse_grid("--positions", *positions, spec.axes);
    return io::positions_of_text(positions ? io::parse_positions("--positions", *positions)
                                           : io::default_positions(spec.max_position_embeddings),
                                 spec.axes);
}

io::ExportRequest request_of(const Arguments& arguments) {
    io::ResolvedSpec resolved = spec_of(arguments);
    io::ExportRequest request{.spec = resolved.spec,
                              .positions = positions_of(arguments, resolved.spec)};
    request.format = dtype_of(arguments);
    if (const auto layout = arguments.value("--cache-layout"))
        request.layout = io::parse_cache_layout(*layout);
    if (const auto seed = arguments.whole("--seed")) request.seed = seed;
    if (arguments.value("--only") == "tables") request.seed.reset();
    take_vectors(arguments, request);
    const std::uint64_t context = std::ranges::max(mapped<std::uint64_t>(
        request.positions, [](const auto& axis) { return context_of(axis); }));
    io::choose_table(resolved, context, "--positions");
    request.spec = resolved.spec;
    return request;
}

std::vector<Target> export_targets(const Arguments& arguments) {
    if (arguments.has("--suite")) return {};
    if (!arguments.has("--output"))
        throw InputError("export needs a file: rope-check export --dim 128 -o golden.safetensors");
    return targets_among(option_in("export", "--output").formats, {"json", "-"}, arguments);
}

// The suite has no variants, so it takes no other option.
int export_suite(const std::string& folder, const Arguments& arguments) {
    for (const io::Flag& other : arguments.given)
        if (other.name != "--suite" && other.name != "--quiet" && other.name != "--sandbox")
            throw InputError(other.name, "does nothing with --suite; leave one out");
    if (!arguments.spec_flags.empty())
        throw InputError("--suite",
                         "has its own configs; leave out --dim and the other options of a config");
    io::make_empty_folder(folder);
    io::write_files(io::suite_files(), folder);
    if (!arguments.has("--quiet"))
        say("wrote " + printable(folder) + "; its manifest.json says what is in it");
    return 0;
}

// Counts the bytes of all arrays, or of the named one. An .npz computes each twice, as a checksum
// precedes the data.
std::vector<io::WrittenArray> counted(std::vector<io::WrittenArray> arrays, std::string_view format,
                                      const std::string& tensor, const Arguments& arguments) {
    TaskCount* bytes = begin_stage(arguments, "writing");
    for (io::WrittenArray& array : arrays)
        if (tensor.empty() || array.name == tensor) array = io::counted(std::move(array), bytes);
    if (bytes != nullptr && format == "npz") bytes->all = 2 * bytes->all;
    return arrays;
}

int run_export(const Arguments& arguments) {
    if (const auto folder = arguments.value("--suite")) return export_suite(*folder, arguments);
    const io::ExportRequest request = request_of(arguments);
    std::string tensor = arguments.value("--only").value_or("");
    if (tensor == "tables") tensor.clear();
    const std::vector<io::WrittenArray> arrays = io::export_arrays(request);
    std::vector<std::string> written;
    for (const io::WrittenArray& one : arrays)
        if (!arguments.has("--quiet") && (tensor.empty() || one.name == tensor))
            written.push_back(one.name + " " + io::shape_text(one.array.shape));
    deliver_each(
        arguments, [&] { return join(written); },
        [&](const Target& target) {
            deliver(
                target.path,
                [&](const io::Sink& write) {
                    io::write_export(target.format, request,
                                     counted(arrays, target.format, tensor, arguments), tensor,
                                     write);
                },
                arguments);
        });
    return 0;
}

}  // namespace

constinit const Command export_command{
    .name = "export",
    .run = run_export,
    .targets = export_targets,
    .beyond_sandbox = [](const Arguments& arguments) -> std::string_view {
        return arguments.has("--suite") ? "makes a folder" : "";
    }};

}  // namespace rope::cli
