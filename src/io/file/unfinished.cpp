#include "io/file/unfinished.hpp"

#include <unistd.h>

#include <array>

#include "io/file/remove_folder.hpp"

namespace rope::io {
namespace {

constinit std::array<std::atomic<const char*>, 8> paths{};

}  // namespace

Unfinished::Unfinished(const char* path) {
    for (std::atomic<const char*>& place : paths) {
        const char* none = nullptr;
        if (!place.compare_exchange_strong(none, path)) continue;
        place_ = &place;
        return;
    }
}

void Unfinished::finish() {
    if (place_ != nullptr) *place_ = nullptr;
    place_ = nullptr;
}

void remove_unfinished() noexcept {
    for (std::atomic<const char*>& place : paths)
        if (const char* path = place.exchange(nullptr); path != nullptr && ::unlink(path) != 0)
            remove_folder(path);
}

}  // namespace rope::io
