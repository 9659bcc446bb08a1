#include "io/tensor/readers/npy_header.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/decimal.hpp"
#include "io/tensor/readers/little_endian.hpp"

namespace rope::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (9, 128), }; keys in any order, each
// once. Every step returns false, or nothing, where the text is something else.
class DictReader {
  public:
    explicit DictReader(std::string_view text) : text_(text) {}

    bool read(NpyHeader& header) {
        if (!skip('{')) return false;
        bool descr = false, order = false, shape = false;
        while (!skip('}')) {
            const auto key = quoted();
            if (!key || !skip(':')) return false;
            bool* seen = *key == "descr"           ? &descr
                         : *key == "fortran_order" ? &order
                         : *key == "shape"         ? &shape
                                                   : nullptr;
            if (seen == nullptr || *seen || !value(*key, header)) return false;
            *seen = true;
            if (!skip(',') && peek() != '}') return false;
        }
        return descr && order && shape && peek() == '\0';
    }

    std::size_t offset() const { return at_; }

  private:
    bool value(std::string_view key, NpyHeader& header) {
        if (key == "shape") return tuple(header.shape);
        if (key == "fortran_order") {
            header.fortran_order = word("True");
            return header.fortran_order || word("False");
        }
        const auto text = quoted();
        if (text) header.descr = *text;
        return text.has_value();
    }

    // (), (9,), (9, 128) or (9, 128,)
    bool tuple(std::vector<std::uint64_t>& shape) {
        if (!skip('(')) return false;
        while (!skip(')')) {
            std::uint64_t length = 0;
            peek();
            const char* const begin = text_.data() + at_;
            const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), length);
            if (error != std::errc{} || shape.size() == max_npy_axes) return false;
            at_ += static_cast<std::size_t>(end - begin);
            shape.push_back(length);
            const bool comma = skip(',');
            if (!comma && (peek() != ')' || shape.size() == 1)) return false;
        }
        return true;
    }

    std::optional<std::string_view> quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == text_.npos) return std::nullopt;
        const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return inside;
    }

    bool word(std::string_view expected) {
        peek();
        if (!text_.substr(at_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }

    // The next character that is not blank; NUL at the end.
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool skip(char expected) {
        if (peek() != expected || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

ReadError truncated(std::size_t needed, std::size_t present) {
    return {present, "the header needs " + decimal(std::uint64_t{needed}) +
                         " bytes and the data ends after " + decimal(std::uint64_t{present})};
}

}  // namespace

ReadResult<NpyHeader> read_npy_header(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(magic))
        return ReadError{0, "is not an .npy: it does not start with \\x93NUMPY"};
    if (text.size() < 8) return truncated(8, text.size());
    const auto major = std::to_integer<unsigned>(bytes[6]);
    const auto minor = std::to_integer<unsigned>(bytes[7]);
    if (major < 1 || major > 3 || minor != 0)
        return ReadError{6, ".npy version " + decimal(std::uint64_t{major}) + "." +
                                decimal(std::uint64_t{minor}) + " is not 1.0, 2.0 or 3.0"};
    const std::size_t start = major == 1 ? 10 : 12;
    if (text.size() < start) return truncated(start, text.size());
    const std::uint64_t length =
        major == 1 ? little_endian<2>(bytes, 8) : little_endian<4>(bytes, 8);
    if (length > max_npy_header)
        return ReadError{8, "the header claims " + decimal(length) + " bytes; the limit is " +
                                decimal(std::uint64_t{max_npy_header})};
    if (text.size() - start < length) return truncated(start + length, text.size());

    NpyHeader header;
    header.data_offset = start + length;
    DictReader dict(text.substr(start, length));
    if (!dict.read(header))
        return ReadError{start + dict.offset(),
                         "the header is not {'descr': …, 'fortran_order': …, 'shape': (…)}"};
    return header;
}

}  // namespace rope::io
