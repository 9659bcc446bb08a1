// compare passes each file that export writes.
#include "io/export/export.hpp"
#include "tests/fuzz/arrays.hpp"
#include "tests/fuzz/specs.hpp"

namespace rope::fuzz {
namespace {

constexpr AxisScheme schemes[] = {AxisScheme::single,      AxisScheme::sectioned,
                                  AxisScheme::interleaved, AxisScheme::interleaved4,
                                  AxisScheme::axial,       AxisScheme::halves,
                                  AxisScheme::blocks,      AxisScheme::even_odd,
                                  AxisScheme::alternating, AxisScheme::height_width_time};

void draw_axes(Draw& draw, Spec& spec) {
    spec.axes.scheme = draw.one_of(schemes);
    for (std::uint64_t k = draw.below(5); k > 0; --k)
        spec.axes.sections.push_back(static_cast<std::uint32_t>(draw.below(spec.pairs() + 1)));
    validate(spec);
}

PositionsByAxis drawn_positions(Draw& draw, const AxisMap& axes) {
    const std::uint64_t first = draw.one_in(2) ? draw.below(1 << 20) : 0;
    const std::uint64_t count = 1 + draw.below(40);
    if (axes.scheme == AxisScheme::single || draw.one_in(2))
        return io::positions_of_text(
            io::parse_positions("", std::to_string(first) + ":" + std::to_string(first + count)),
            axes);
    return io::parse_grid("", "5x" + std::to_string(count / 5 + 1), axes);
}

// Angles rounded to 16 bits are wrong, and a table of them must fail.
io::ExportRequest drawn_request(Draw& draw) {
    constexpr Format formats[] = {Format::float32, Format::bfloat16, Format::float16,
                                  Format::float64};
    Spec spec = drawn_spec(draw);
    if (draw.one_in(4)) draw_axes(draw, spec);
    io::ExportRequest request{.spec = spec, .positions = drawn_positions(draw, spec.axes)};
    request.format = draw.one_of(formats);
    request.layout = draw.one_of(io::cache_layouts()).layout;
    const bool is_short = request.format == Format::bfloat16 || request.format == Format::float16;
    if (request.layout == io::CacheLayout::angles && is_short) request.format = Format::float32;
    if (draw.one_in(2)) request.seed.reset();
    return request;
}

std::string exported(const io::ExportRequest& request, std::string_view ending) {
    std::string bytes;
    io::write_export(ending, request, io::export_arrays(request), "",
                     [&](std::string_view part) { bytes += part; });
    return file_of(bytes, "x." + std::string(ending));
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const io::ExportRequest request = drawn_request(draw);
    io::DumpHints hints(request.spec);
    if (draw.one_in(2)) hints.layout = request.layout;
    const std::string path = exported(request, draw.one_in(2) ? "npz" : "safetensors");
    for (const io::NamedDump& one : dumps_in(path, hints)) {
        const Report report = compare(request.spec, one.dump, {}, one_thread());
        require(violated(report).empty(), words_of(request.spec) + ", " + one.name + " " +
                                              std::string(to_string(request.layout)) + " of " +
                                              std::string(to_string(request.format)) + ": " +
                                              violated(report) + named(report));
    }
}

}  // namespace rope::fuzz
