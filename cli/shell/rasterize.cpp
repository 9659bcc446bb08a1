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
#include "io/process/child.hpp"

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

io::Child converter(std::string_view format) {
    io::Child child{{"rsvg-convert", fmt::format("--format={}", format)}, {}};
    if (format != "pdf") child.words.emplace_back("--zoom=2");
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

std::string rasterize(std::string_view svg, std::string_view format) {
    const TemporaryFile in = temporary_file(svg), out = temporary_file("");
    io::Child child = converter(format);
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

}  // namespace rope::cli
