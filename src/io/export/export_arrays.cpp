// The arrays and positions of an export, given vectors, and the files of each format.
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "io/export/export.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

// Returns the positions of rows first … first + count − 1, one list per axis. After the last row
// they repeat, as for another head.
using PositionRows = std::function<PositionsByAxis(std::uint64_t first, std::uint64_t count)>;

PositionRows position_rows_of(const ExportRequest& request) {
    return [all = std::make_shared<const PositionsByAxis>(request.positions)](std::uint64_t first,
                                                                              std::uint64_t count) {
        return mapped<std::vector<double>>(*all, [&](const std::vector<double>& axis) {
            std::vector<double> some(count);
            for (std::uint64_t k = 0; k < count; ++k) some[k] = axis[(first + k) % axis.size()];
            return some;
        });
    };
}

std::uint64_t rows_of(const ExportRequest& request) { return request.positions.front().size(); }

// The values of a layout's array, or of the second of two.
std::vector<double> arranged(const RotaryTable& table, const LayoutForm& form, bool is_second) {
    const std::size_t parts = form.parts.size(), pairs = table.pairs;
    std::vector<double> all(parts * table.cos.size());
    for (std::size_t part = 0; part < parts; ++part) {
        const bool is_cosine = form.parts[part] == 'c' && !is_second;
        const std::vector<double>& from = is_cosine ? table.cos : table.sin;
        const double sign = form.parts[part] == 'n' ? -1 : 1;
        double* to = all.data() + form.apart(part, pairs);
        for (std::size_t first = 0; first < from.size(); first += pairs)
            for (std::size_t pair = 0; pair < pairs; ++pair)
                to[first * parts + pair * form.step()] = sign * from[first + pair];
    }
    return all;
}

Shape shape_of(const LayoutForm& form, std::uint64_t rows, std::uint64_t pairs) {
    if (form.layout == CacheLayout::angles) return {rows, 1, 1, 2 * pairs};
    if (form.axes == 1) return {rows, form.parts.size() * pairs};
    Shape shape{rows, pairs};
    shape.resize(1 + form.axes, 2);
    return shape;
}

using Golden = std::shared_ptr<GoldenRows>;

// inv_freq as float64 and float32, and the table in the requested layout.
std::vector<WrittenArray> table_arrays(const ExportRequest& request,
                                       const PositionRows& position_rows, const Golden& golden) {
    const std::uint32_t pairs = request.spec.pairs();
    const std::vector<double> inv_freq = golden->inv_freq();
    std::vector<WrittenArray> arrays;
    for (const auto& [name, element] :
         {std::pair("inv_freq", Element::float64), std::pair("inv_freq_float32", Element::float32)})
        arrays.push_back({name, encoded(element, {inv_freq.size()}, inv_freq)});
    const LayoutForm& form = form_of(request.layout);
    const auto add = [&](std::string_view name, bool is_second) {
        arrays.push_back(
            row_array(std::string(name), element_of(request.format),
                      shape_of(form, rows_of(request), pairs), form.parts.size() * pairs,
                      [golden, position_rows, pairs, &form, is_second](std::uint64_t first,
                                                                       std::uint64_t count) {
                          const PositionsByAxis at = position_rows(first, count);
                          return arranged(form.layout == CacheLayout::angles
                                              ? RotaryTable{{}, pairs, golden->angles(at), {}}
                                              : golden->table(at),
                                          form, is_second);
                      }));
        arrays.back().is_complex = form.layout == CacheLayout::complex;
    };
    add(form.array.empty() ? "cos" : form.array, false);
    if (form.array.empty()) add("sin", true);
    return arrays;
}

// [L], or [axes, L]
WrittenArray position_ids(const PositionsByAxis& positions) {
    Shape shape{positions.front().size()};
    if (positions.size() > 1) shape.insert(shape.begin(), positions.size());
    std::vector<double> flat;
    for (const std::vector<double>& axis : positions)
        flat.insert(flat.end(), axis.begin(), axis.end());
    return {"position_ids", encoded_positions(std::move(shape), flat)};
}

// The rows of `x` rotated to their positions.
Rows rotated(const Golden& golden, const PositionRows& position_rows, Rows x) {
    return [golden, position_rows, x = std::move(x)](std::uint64_t first, std::uint64_t count) {
        return golden->rotated(position_rows(first, count), x(first, count));
    };
}

Rows random_rows(std::uint64_t seed, std::uint64_t width, Format format) {
    return [=](std::uint64_t first, std::uint64_t count) {
        return golden_normals(seed, first * width, count * width, format);
    };
}

Rows rows_of(const Array& array) {
    return [array, width = array.shape.back()](std::uint64_t first, std::uint64_t count) {
        std::vector<double> values(count * width);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = array.at(first * width + k);
        return values;
    };
}

void add_vectors(const ExportRequest& request, const PositionRows& position_rows,
                 const Golden& golden, std::vector<WrittenArray>& arrays) {
    const std::uint64_t width = request.spec.head_dim;
    Shape shape{rows_of(request), width};
    std::vector<std::pair<std::string, Rows>> vectors;
    if (request.q) {
        shape = request.q->shape;
        vectors = {{"q", rows_of(*request.q)}};
    } else if (request.seed) {
        vectors = {{"q", random_rows(*request.seed, width, request.format)},
                   {"k", random_rows(~*request.seed, width, request.format)}};
    }
    const Element element = element_of(request.format);
    for (const auto& [name, x] : vectors)
        arrays.push_back(row_array(name, element, shape, width, x));
    for (const auto& [name, x] : vectors)
        arrays.push_back(
            row_array(name + "_rot", element, shape, width, rotated(golden, position_rows, x)));
}

void refuse_layout(const ExportRequest& request) {
    const bool is_half = request.format == Format::bfloat16 || request.format == Format::float16;
    const std::string format(to_string(request.format));
    if (request.layout == CacheLayout::complex && is_half)
        throw InputError("--dtype",
                         ": complex numbers have parts of float32 or float64, not " + format);
    if (request.layout == CacheLayout::angles && is_half)
        throw InputError("--dtype", ": angles in " + format +
                                        " rotate by other angles, which compare reports; they must "
                                        "be float32 or float64");
}

void refuse_misfit(const ExportRequest& request) {
    const Array& q = *request.q;
    const std::uint64_t rows = q.shape[q.shape.size() - 2];
    if (rows != rows_of(request))
        throw InputError("q", ": it has " + decimal(rows) + " rows for " +
                                  decimal(rows_of(request)) + " positions; give as many of both");
    for (std::uint64_t i = 0; i < q.size(); ++i)
        if (const double x = q.at(i); round_to(request.format, x) != x)
            throw InputError("q", ": " + decimal(x) + " is no " +
                                      std::string(to_string(request.format)) +
                                      "; --dtype must hold every value");
}

[[noreturn]] void refuse(std::string_view option, const NamedArray& array, const std::string& why) {
    throw InputError(std::string(option), ": " + array.name + " " + why);
}

void require_floats(std::string_view option, const NamedArray& array) {
    if (!array.array.format())
        refuse(option, array,
               "has " + std::string(to_string(array.array.element)) + " values, not floats");
}

void require_finite(std::string_view option, const NamedArray& array, std::uint32_t head_dim,
                    std::uint64_t first_row, std::uint64_t rows) {
    for (std::uint64_t i = first_row * head_dim; i < (first_row + rows) * head_dim; ++i)
        if (const double x = array.array.at(i); !std::isfinite(x))
            refuse(option, array,
                   "has " + decimal(x) + " in row " + decimal(i / head_dim) + ", dimension " +
                       decimal(i % head_dim) + "; each value must be finite");
}

// The Spec as bytes of JSON, the form that an .npz can contain.
WrittenArray spec_array(const Spec& spec) {
    const std::string text = json_text(spec_json(spec));
    const auto characters =
        mapped<double>(text, [](char c) { return static_cast<unsigned char>(c); });
    return {"spec", encoded(Element::uint8, {text.size()}, characters)};
}

// Writes the numbers of an array, separated by commas.
void write_json_values(const WrittenArray& array, const Sink& write) {
    const Element element = array.array.element;
    const char* before = "";
    write_bytes(array, [&](std::string_view bytes) {
        const Array part{{}, element, std::as_bytes(std::span(bytes)), {}};
        Json values = Json::array();
        for (std::uint64_t i = 0; i < part.size(); ++i)
            values.push_back(part.format() ? json_number(part.at(i))
                                           : Json(static_cast<std::int64_t>(part.at(i))));
        const std::string text = json_text(std::move(values));
        write(before + text.substr(1, text.size() - 2));
        before = ",";
    });
}

void write_json(const ExportRequest& request, const std::vector<WrittenArray>& arrays,
                const Sink& write) {
    constexpr const char *mark = "@", *in_text = "\"@\"";  // the place of an array's values
    Json json{{"schema", "rope-check-export/1"},
              {"spec", spec_json(request.spec)},
              {"cache_layout", to_string(request.layout)}};
    for (const WrittenArray& one : arrays)
        json["arrays"][one.name] = {
            {"dtype", to_string(one.array.element)}, {"shape", one.array.shape}, {"values", mark}};
    const std::string text = json_text(std::move(json));
    auto array = arrays.begin();
    for (const std::string_view part : split(text, in_text)) {
        write(part);
        if (array == arrays.end()) continue;
        write("[");
        write_json_values(*array++, write);
        write("]");
    }
    write("\n");
}

const WrittenArray& array_named(const std::vector<WrittenArray>& arrays, std::string_view name) {
    for (const WrittenArray& array : arrays)
        if (array.name == name) return array;
    const std::string known = join(arrays, &WrittenArray::name);
    throw InputError(name.empty() ? "an .npy holds one array; choose it with --only: " + known
                                  : "--only: '" + printable(name) + "' is not one of " + known);
}

// "4k" is 4096.
double position_of(std::string_view field, const std::string& number) {
    if (number.find('-', 1) != number.npos &&
        number.find_first_not_of("0123456789-") == number.npos)
        throw InputError(std::string(field),
                         ": '" + printable(number) + "' is no position; write 504:512 or 504,511");
    const bool has_unit = number.ends_with('k') || number.ends_with('K') || number.ends_with('M');
    return has_unit ? static_cast<double>(parse_whole(field, number, 0, max_context))
                    : parse_real(field, number);
}

}  // namespace

std::vector<WrittenArray> export_arrays(const ExportRequest& request) {
    if (request.q) refuse_misfit(request);
    refuse_layout(request);
    const auto golden = std::make_shared<GoldenRows>(request.spec, request.format);
    const PositionRows position_rows = position_rows_of(request);
    std::vector<WrittenArray> arrays{position_ids(request.positions)};
    for (WrittenArray& array : table_arrays(request, position_rows, golden))
        arrays.push_back(std::move(array));
    add_vectors(request, position_rows, golden, arrays);
    return arrays;
}

Array given_vectors(const NamedArray& array, const Spec& spec) {
    const Shape& shape = array.array.shape;
    const std::string_view option = "q";
    require_floats(option, array);
    if (shape.size() < 2 || shape.back() != spec.head_dim)
        refuse(option, array,
               "has shape " + shape_text(shape) + "; it must end in the positions and " +
                   decimal(spec.head_dim) + " dimensions");
    if (array.array.size() == 0) refuse(option, array, "is empty");
    require_finite(option, array, spec.head_dim, 0, array.array.size() / spec.head_dim);
    return array.array;
}

std::vector<double> given_vector(std::string_view option, const NamedArray& array,
                                 std::uint32_t head_dim, std::uint64_t row) {
    const Shape& shape = array.array.shape;
    require_floats(option, array);
    if (shape.empty() || shape.back() != head_dim)
        refuse(option, array,
               "has shape " + shape_text(shape) + "; its last axis must have head_dim " +
                   decimal(head_dim) + " dimensions");
    const std::uint64_t rows = array.array.size() / head_dim;
    if (row >= rows)
        refuse(option, array,
               rows == 0 ? "is empty"
                         : "has " + decimal(rows) + (rows == 1 ? " row" : " rows") +
                               " and no row " + decimal(row) + ", the first being row 0");
    require_finite(option, array, head_dim, row, 1);
    std::vector<double> vector;
    for (std::uint64_t dimension = 0; dimension < head_dim; ++dimension)
        vector.push_back(array.array.at(row * head_dim + dimension));
    if (std::ranges::all_of(vector, [](double x) { return x == 0; }))
        refuse(option, array, "is zero in row " + decimal(row) + "; each of its scores would be 0");
    return vector;
}

void write_export(std::string_view format, const ExportRequest& request,
                  const std::vector<WrittenArray>& arrays, std::string_view tensor,
                  const Sink& write) {
    if (format == "npy") return write_npy(array_named(arrays, tensor), write);
    if (!tensor.empty()) throw InputError("--only", ": only an .npy holds one array; leave it out");
    if (format == "json") return write_json(request, arrays, write);
    if (format == "safetensors")
        return write_safetensors(arrays,
                                 {{"spec", json_text(spec_json(request.spec))},
                                  {"cache_layout", std::string(to_string(request.layout))}},
                                 write);
    std::vector<WrittenArray> all = arrays;
    all.push_back(spec_array(request.spec));
    write_npz(all, write);
}

std::vector<double> parse_positions(std::string_view field, const std::string& text) {
    const auto refuse = [&](const std::string& part, const std::string& why) {
        throw InputError(std::string(field), ": '" + printable(part, 60) + "' " + why);
    };
    constexpr auto limit = static_cast<double>(max_context);
    std::vector<double> positions;
    for (const std::string& part : split_list(text)) {
        std::vector<double> numbers;
        for (const std::string& number : split_list(part, ':')) {
            numbers.push_back(position_of(field, number));
            if (!(std::abs(numbers.back()) <= limit))
                refuse(number, "is not between -2^32 and 2^32");
        }
        if (numbers.size() > 3) refuse(part, "is not a number, A:B or A:B:STEP");
        if (numbers.size() == 3 && !(numbers[2] > 0))
            refuse(part, "has a step that is not above 0");
        if (numbers.size() > 1 && !(numbers[0] < numbers[1]))
            refuse(part, "contains no position; A:B runs from A to before B");
        const double first = numbers[0];
        if (numbers.size() == 1 && std::abs(first) == limit)
            refuse(part, "is not between -2^32 and 2^32");
        const double step = numbers.size() == 3 ? numbers[2] : 1;
        const double end = numbers.size() == 1 ? first + 1 : numbers[1];
        for (double k = 0, at = first; at < end; at = std::fma(++k, step, first)) {
            if (positions.size() == max_dump_rows)
                refuse(text, "has more than " + decimal(max_dump_rows) + " positions");
            positions.push_back(at);
        }
    }
    return positions;
}

PositionsByAxis parse_grid(std::string_view field, const std::string& text, const AxisMap& axes) {
    const std::uint32_t count = axis_count(axes);
    if (count == 1)
        throw InputError(std::string(field) +
                         ": the config has one axis; a grid needs one of two or more, such as "
                         "--rope axes=axial");
    const std::size_t cross = text.find('x');
    if (cross == text.npos)
        throw InputError(std::string(field),
                         ": '" + printable(text, 60) + "' is not HEIGHTxWIDTH, such as 24x24");
    const std::uint64_t height = parse_whole(field, text.substr(0, cross), 1, max_dump_rows);
    const std::uint64_t width = parse_whole(field, text.substr(cross + 1), 1, max_dump_rows);
    if (height > max_dump_rows / width)
        throw InputError(std::string(field),
                         ": '" + text + "' has more than " + decimal(max_dump_rows) + " positions");
    std::vector<double> row, column;
    for (std::uint64_t cell = 0; cell < height * width; ++cell) {
        row.push_back(static_cast<double>(cell / width));
        column.push_back(static_cast<double>(cell % width));
    }
    const std::vector<double> zero(row.size());
    PositionsByAxis all{row, column};
    if (count == 2 && is_column_first(axes)) std::swap(all[0], all[1]);
    if (count > 2) all.insert(all.begin(), zero);
    all.resize(count, zero);
    return all;
}

std::vector<double> default_positions(std::uint64_t context) {
    std::vector<double> positions;
    for (const std::uint64_t m : diagnostic_positions)
        if (m < context) positions.push_back(static_cast<double>(m));
    for (const std::uint64_t before : {2u, 1u})
        if (context >= before) positions.push_back(static_cast<double>(context - before));
    std::ranges::sort(positions);
    positions.erase(std::ranges::unique(positions).begin(), positions.end());
    return positions;
}

PositionsByAxis positions_of_text(std::vector<double> positions, const AxisMap& axes) {
    PositionsByAxis all{std::move(positions)};
    if (axes.scheme != AxisScheme::interleaved4) return all;
    all.resize(3, all.front());
    all.emplace_back(all.front().size());
    return all;
}

}  // namespace rope::io
