// Lists of positions and other numbers from a command line, and exports at these positions.
#include "io/export/export.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/number.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {
namespace {

void export_at(PositionsByAxis positions, const AxisMap& axes) {
    constexpr double limit = 4294967296;
    io::ExportRequest request{.spec = {}, .positions = std::move(positions)};
    request.spec.head_dim = request.spec.rotary_dim = 8;
    request.spec.axes = axes;
    const std::size_t rows = request.positions.front().size();
    require(rows > 0, "no position");
    for (const std::vector<double>& axis : request.positions)
        for (const std::size_t row : {std::size_t{0}, rows / 2, rows - 1})
            require(axis.size() == rows && std::abs(axis[row]) < limit, "a position out of range");
    if (rows > 64) return;
    std::uint64_t bytes = 0;
    io::write_export("npz", request, io::export_arrays(request), "",
                     [&](std::string_view part) { bytes += part.size(); });
    require(bytes > 0, "nothing exported");
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    const AxisMap maps[] = {{}, {AxisScheme::axial}, {AxisScheme::sectioned, {2, 1, 1}}};
    const AxisMap& axes = draw.one_of(maps);
    const std::string text(text_of(draw.rest()));
    is_accepted([&] {
        export_at(io::positions_of_text(io::parse_positions("--positions", text), axes), axes);
    });
    is_accepted([&] { export_at(io::parse_grid("--grid", text, axes), axes); });
    is_accepted([&] { io::parse_raw_shape(text); });
    is_accepted([&] { io::parse_whole("--seed", text, 0, ~std::uint64_t{0}); });
}

}  // namespace rope::fuzz
