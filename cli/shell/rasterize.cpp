#include "cli/shell/rasterize.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/io_error.hpp"
#include "io/file/outside.hpp"
#include "io/process/child.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

// Unlinked from the start: no name to guess, nothing to clean up, and no pipe to fill.
using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail() {
    throw io::IoError("temporary file: " + std::generic_category().message(errno));
}

TemporaryFile temporary_file(std::string_view content) {
    TemporaryFile file(std::tmpfile(), std::fclose);
    if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0 || std::fseek(file.get(), 0, SEEK_SET) != 0) {
        fail();
    }
    return file;
}

std::string content_of(const TemporaryFile& file) {
    if (std::fseek(file.get(), 0, SEEK_SET) != 0) fail();
    std::string content;
    char buffer[65536];
    std::size_t n = 0;
    do {
        n = std::fread(buffer, 1, sizeof buffer, file.get());
        content.append(buffer, n);
    } while (n == sizeof buffer);
    return content;
}

io::Child converter(std::string_view format, std::size_t width) {
    io::Child child{{"rsvg-convert", fmt::format("--format={}", format)}, {}};
    if (width > 0)
        child.words.insert(child.words.end(),
                           {fmt::format("--width={}", width), "--keep-aspect-ratio"});
    else if (format != "pdf")
        child.words.emplace_back("--zoom=2");
    // the same figure, the same PDF
    if (std::getenv("SOURCE_DATE_EPOCH") == nullptr)
        child.environment.emplace_back("SOURCE_DATE_EPOCH", "0");
    return child;
}

io::ChildEnd run(const io::Child& child, std::string_view format) {
    const io::SignalWatch signals;
    try {
        return io::run_child(child, signals);
    } catch (const InputError&) {
        throw io::IoError(
            fmt::format("{} needs rsvg-convert from the package librsvg2-bin; SVG does not",
                        format == "pdf" ? "PDF" : "PNG"));
    }
}

}  // namespace

std::string rasterize(std::string_view svg, std::string_view format, std::size_t width) {
    if (io::outside != nullptr)
        return io::outside->convert(fmt::format("{} {}", format, width), svg);
    const TemporaryFile in = temporary_file(svg), out = temporary_file("");
    io::Child child = converter(format, width);
    child.input = fileno(in.get());
    child.output = fileno(out.get());
    const io::ChildEnd end = run(child, format);
    std::string image = content_of(out);
    if (end.way != io::ChildEnd::Way::exited || end.status != 0 || image.empty())
        throw io::IoError(fmt::format("rsvg-convert {}{}{}", way_text(end, child),
                                      end.errors.empty() ? "" : "; it said: ",
                                      printable(end.errors.substr(0, end.errors.find('\n')))));
    return image;
}

std::string rasterize_as(const std::string& how, const std::string& svg) {
    const std::size_t space = how.find(' ');
    return rasterize(svg, how.substr(0, space),
                     io::parse_whole("width", how.substr(space + 1), 0, 1 << 16));
}

}  // namespace rope::cli
