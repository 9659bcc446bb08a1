#include "base/archive.hpp"

#include <algorithm>

namespace rope {

void Archive::raw(void* value, std::size_t size) {
    auto* own = static_cast<char*>(value);
    if (!reads_) {
        bytes_.append(own, size);
        return;
    }
    if (size > bytes_.size() - at_) throw std::length_error("bytes are lacking");
    std::copy_n(bytes_.data() + at_, size, own);
    at_ += size;
}

}  // namespace rope
