#include "io/file/remove_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>

namespace rope::io {
namespace {

bool remove_one(int parent, const char* name) {
    return ::unlinkat(parent, name, 0) == 0 || ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

// One open file; a folder that its owner may not read or change is made so first.
class Folder {
  public:
    Folder(int parent, const char* name) {
        constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        int number = ::openat(parent, name, flags);
        if (number < 0 && errno == EACCES && ::fchmodat(parent, name, 0700, 0) == 0)
            number = ::openat(parent, name, flags);
        if (number < 0) return;
        (void)::fchmod(number, 0700);
        listing_.reset(::fdopendir(number));
        if (listing_)
            number_ = number;
        else
            ::close(number);
    }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

    template <typename Visit>
    void for_each_name(Visit&& visit) const {
        ::rewinddir(listing_.get());
        while (const dirent* entry = ::readdir(listing_.get()))
            if (const std::string_view name = entry->d_name; name != "." && name != "..")
                visit(entry->d_name);
    }

  private:
    struct Close {
        void operator()(DIR* listing) const { ::closedir(listing); }
    };
    std::unique_ptr<DIR, Close> listing_;
    int number_ = -1;
};

// Folders within folders become neighbours, each moved once, until none holds another.
class Flattening {
  public:
    explicit Flattening(const Folder& root) : root_(root) {}

    // Returns whether anything was removed or moved.
    bool pass() {
        moved_ = false;
        root_.for_each_name([&](const char* name) {
            if (remove_one(root_.number(), name))
                moved_ = true;
            else
                empty(name);
        });
        return moved_;
    }

  private:
    void empty(const char* name) {
        const Folder folder(root_.number(), name);
        if (!folder.is_open()) return;
        folder.for_each_name([&](const char* inner) {
            if (remove_one(folder.number(), inner) || move_up(folder.number(), inner))
                moved_ = true;
        });
        if (::unlinkat(root_.number(), name, AT_REMOVEDIR) == 0) moved_ = true;
    }

    // A folder is changed by being moved: its `..` changes.
    bool move_up(int folder, const char* name) {
        char neighbour[32] = "moved-";
        *std::to_chars(neighbour + 6, neighbour + 31, moves_++).ptr = 0;
        if (::renameat(folder, name, root_.number(), neighbour) == 0) return true;
        return ::fchmodat(folder, name, 0700, 0) == 0 &&
               ::renameat(folder, name, root_.number(), neighbour) == 0;
    }

    const Folder& root_;
    bool moved_ = false;
    std::uint64_t moves_ = 0;
};

}  // namespace

void remove_folder(const char* path) noexcept {
    const Folder root(AT_FDCWD, path);
    Flattening flattening(root);
    while (root.is_open() && flattening.pass()) {
    }
    (void)::rmdir(path);
}

}  // namespace rope::io
