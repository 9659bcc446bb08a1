#include "io/sandbox/deputy_service.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <new>
#include <system_error>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/io_error.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error) {
    throw IoError("temporary file: " + std::generic_category().message(error));
}

bool is_of(const std::vector<fs::path>& paths, const fs::path& path) {
    return std::ranges::find(paths, path) != paths.end();
}

class Service {
  public:
    explicit Service(const Grants& grants) : grants_(grants) {}

    // Sends the reply.
    bool answer(int socket, const Message& request) try {
        const std::string text = request.text.substr(1);
        switch (request.text[0]) {
            case ask_open:
                return opened(socket, text);
            case ask_begin:
                begin(text);
                return send_message(socket, {&done_, 1}, pending_->number());
            case ask_commit:
                if (pending_) pending_->commit();
                [[fallthrough]];
            case ask_drop:
                pending_.reset();
                break;
            case ask_convert:
                fill(request.file.number(),
                     grants_.convert(text, content_of(request.file.number())));
                break;
            default:
                return false;
        }
        return send_message(socket, {&done_, 1});
    } catch (const InputError& error) {
        return refuse(socket, is_input_error, error.what());
    } catch (const std::bad_alloc&) {
        return refuse(socket, has_no_memory, "");
    } catch (const std::exception& error) {
        return refuse(socket, is_io_error, error.what());
    }

  private:
    bool refuse(int socket, char kind, std::string_view text) {
        pending_.reset();
        return send_message(socket, std::string(1, kind).append(text));
    }

    bool is_granted(const fs::path& path, int flags) const {
        if (is_of(grants_.written, path)) return true;
        if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY) return false;
        return is_of(grants_.read, path) ||
               std::ranges::any_of(grants_.written, [&](const fs::path& file) {
                   return (flags & O_DIRECTORY) != 0 && behind_links(file).parent_path() == path;
               });
    }

    // "FLAGS PATH"
    bool opened(int socket, const std::string& text) {
        int flags = 0;
        const char* const end = std::from_chars(text.data(), text.data() + text.size(), flags).ptr;
        const fs::path path(end + 1);
        errno = EACCES;
        const FileDescriptor file(
            is_granted(path, flags) ? ::open(path.c_str(), flags | O_CLOEXEC, 0666) : -1);
        if (file.is_open()) return send_message(socket, {&done_, 1}, file.number());
        return refuse(socket, has_errno, decimal(errno));
    }

    void begin(const fs::path& path) {
        if (!is_of(grants_.written, path))
            throw IoError(printable(path.native()) +
                          ": cannot write: was not named before the sandbox was closed");
        pending_ = begin_file(path);
    }

    static constexpr char done_ = is_done;
    const Grants& grants_;
    std::unique_ptr<PendingFile> pending_;
};

}  // namespace

std::string content_of(int file) {
    std::string content;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t count =
            ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(content.size()));
        if (count < 0) fail(errno);
        if (count == 0) return content;
        content.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

void fill(int file, std::string_view bytes) {
    if (::ftruncate(file, 0) != 0) fail(errno);
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count =
            ::pwrite(file, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
        if (count <= 0) fail(count == 0 ? EIO : errno);
        at += static_cast<std::size_t>(count);
    }
}

void serve(int socket, const Grants& grants) {
    Service service(grants);
    while (const std::optional<Message> request = receive_message(socket))
        if (!service.answer(socket, *request)) return;
}

}  // namespace rope::io
