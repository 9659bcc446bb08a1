#include "io/file/private_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/io_error.hpp"
#include "io/file/remove_folder.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
    throw IoError(printable(path.native()) + ": cannot make this folder: " + reason);
}

}  // namespace

PrivateFolder::PrivateFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);  // TMPDIR, else /tmp
    if (error) throw IoError("TMPDIR: is not a folder that temporary files can go to");
    std::string name = fs::absolute(parent / "rope-check-XXXXXX").native();
    if (::mkdtemp(name.data()) == nullptr) fail(name, std::generic_category().message(errno));
    try {
        path_ = name;
    } catch (...) {
        ::rmdir(name.c_str());
        throw;
    }
    unfinished_.emplace(path_.c_str());
}

PrivateFolder::~PrivateFolder() {
    unfinished_.reset();
    remove_folder(path_.c_str());
}

void make_empty_folder(const fs::path& path) {
    if (::mkdir(path.c_str(), 0700) == 0) return;
    const int reason = errno;
    std::error_code error;
    if (reason != EEXIST) fail(path, std::generic_category().message(reason));
    const bool is_empty = fs::is_empty(path, error);
    if (error || !fs::is_directory(path)) fail(path, "a file of that name is there");
    if (!is_empty)
        throw InputError(printable(path.native()) +
                         ": holds files, which an answer could be mistaken for; name a new folder");
}

}  // namespace rope::io
