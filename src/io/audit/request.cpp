#include "io/audit/request.hpp"

#include <cmath>
#include <map>

#include "base/decimal.hpp"
#include "io/audit/audit_protocol.hpp"
#include "io/audit/request_json.hpp"
#include "io/file/write_file.hpp"
#include "io/tensor/writers/npy.hpp"
#include "io/tensor/writers/row_array.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_x_bytes = std::uint64_t{1} << 30;

std::vector<double> asked_positions(const Request& request) {
    const double sign = request.form.is_backward ? -1 : 1;
    std::vector<double> values;
    for (const std::vector<double>& positions : request.audit.positions)
        for (std::uint64_t row = 0; row < request.audit.rows(); ++row) {
            const double position = positions[request.audit.place_of(row)];
            values.push_back(position == 0 ? 0 : sign * position);
        }
    return values;
}

// The rows of the audit whose vectors x has in its rows.
class AskedRows {
  public:
    explicit AskedRows(const Request& request)
        : audit_(request.audit), length_(request.form.contiguous) {
        for (std::uint64_t place = 0; length_ > 0 && place < audit_.places(); ++place)
            place_at_[request.row(place, 0)] = place;
    }

    // Contiguous: each vector at every position; what is asked at no place is place 0's.
    std::uint64_t at(std::uint64_t row) const {
        if (length_ == 0) return row;
        const std::uint64_t sequence = row / length_, vectors = audit_.rows_per_place();
        if (sequence < vectors) return sequence;
        const auto place = place_at_.find(row % length_);
        return audit_.row_of(sequence - vectors, place == place_at_.end() ? 0 : place->second);
    }

  private:
    const Audit& audit_;
    std::uint64_t length_;
    std::map<std::uint64_t, std::uint64_t> place_at_;
};

WrittenArray x_array(const Request& request) {
    const std::uint32_t lanes = request.audit.spec.head_dim;
    return row_array("x", Element::float32, request.shape(), lanes,
                     [&audit = request.audit, asked = AskedRows(request), lanes](
                         std::uint64_t first, std::uint64_t count) {
                         std::vector<double> values;
                         for (std::uint64_t row = first; row < first + count; ++row) {
                             const std::uint64_t of_audit = asked.at(row);
                             for (std::uint32_t lane = 0; lane < lanes; ++lane)
                                 values.push_back(audit.x(of_audit, lane));
                         }
                         return values;
                     });
}

std::string words_of(const std::vector<std::uint64_t>& shape) {
    std::string words;
    for (const std::uint64_t length : shape) words += (words.empty() ? "" : " ") + decimal(length);
    return words + "\n";
}

void write_x(const fs::path& folder, const Request& request, TaskCount* bytes) {
    const WrittenArray x = counted(x_array(request), bytes);
    if (request.form.is_raw) {
        write_file_atomically(folder / "x.f32", [&](const Sink& write) { write_bytes(x, write); });
        write_file_atomically(folder / "shape.txt", words_of(request.shape()));
        return;
    }
    write_file_atomically(folder / "x.npy", [&](const Sink& write) { write_npy(x, write); });
}

void write_positions(const fs::path& folder, const Request& request) {
    const std::vector<double> values = asked_positions(request);
    const std::uint64_t axes = request.audit.positions.size();
    if (request.form.is_raw) {
        const Array array = encoded(Element::float64, {values.size()}, values);
        write_file_atomically(folder / "positions.f64", text_of(array.bytes));
        return;
    }
    std::vector<std::uint64_t> shape{request.audit.rows()};
    if (axes > 1) shape.insert(shape.begin(), axes);
    write_file_atomically(folder / "positions.npy",
                          write_npy({"positions", encoded_positions(std::move(shape), values)}));
}

}  // namespace

std::vector<std::uint64_t> Request::shape() const {
    if (form.contiguous == 0) return {audit.rows(), audit.spec.head_dim};
    return {vectors() + audit.sequences(), form.contiguous, audit.spec.head_dim};
}

std::uint64_t Request::row(std::uint64_t place, std::uint64_t vector) const {
    if (form.contiguous == 0) return place * vectors() + vector;
    return vector * form.contiguous +
           static_cast<std::uint64_t>(std::abs(audit.positions[0][place])) - form.offset;
}

std::uint64_t Request::row_of(std::uint64_t audited) const {
    if (form.contiguous == 0) return audited;
    const std::uint64_t place = audit.place_of(audited);
    if (audited < audit.matrix_rows()) return row(place, audited % vectors());
    return row(place, vectors() + (audited - audit.matrix_rows()) / audit.places());
}

void require_form(const Request& request) {
    const std::uint64_t length = request.form.contiguous;
    if (length == 0) return;
    if (request.audit.groups.order != SequenceOrder::as_they_are && request.audit.sequences() > 0)
        throw InputError("--contiguous", ": sequences have their positions in order");
    if (request.audit.positions.size() > 1)
        throw InputError("--contiguous",
                         ": these positions have several axes; audit them row by row");
    for (double position : request.audit.positions[0]) {
        if (request.form.is_backward) position = -position;
        const auto first = static_cast<double>(request.form.offset);
        if (position < first || position >= first + static_cast<double>(length) ||
            position != std::floor(position))
            throw InputError("--contiguous", ": position " + decimal(position) + " is none of " +
                                                 decimal(first) + " to " +
                                                 decimal(request.form.offset + length - 1));
    }
    const std::uint64_t row_bytes = (request.vectors() + request.audit.sequences()) *
                                    request.audit.spec.head_dim * sizeof(float);
    if (length > most_x_bytes / row_bytes)
        throw InputError("--contiguous", ": " + decimal(length) +
                                             " positions make x larger than 1 GiB; the limit is " +
                                             decimal(most_x_bytes / row_bytes));
}

void write_request(const fs::path& folder, const Request& request, TaskCount* bytes) {
    require_form(request);
    write_x(folder, request, bytes);
    if (request.form.contiguous == 0) write_positions(folder, request);
    write_file_atomically(folder / "spec.json", request_json(request));
    write_file_atomically(folder / "README.txt", audit_protocol(request));
}

}  // namespace rope::io
