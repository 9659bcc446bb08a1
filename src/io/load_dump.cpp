#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/dump.hpp"
#include "io/printable.hpp"
#include "io/read_file.hpp"
#include "io/readers/npy.hpp"
#include "io/readers/npz.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

constexpr std::uint64_t max_dump_bytes = std::uint64_t{1} << 30;
constexpr std::string_view member_mark = ".npz:";

// The result, or an InputError that names the file and the byte.
template <typename T>
T value_or_throw(ReadResult<T> result, const std::string& name) {
    if (const auto* error = std::get_if<ReadError>(&result))
        throw InputError(name + ": byte " + decimal(error->offset) + ": " +
                         printable(error->what, 1000));
    return std::get<T>(std::move(result));
}

// The bytes of a file, which every array read out of them shares.
using FileBytes = std::shared_ptr<const std::vector<std::byte>>;

FileBytes load_bytes(const std::string& file) {
    return std::make_shared<const std::vector<std::byte>>(read_file(file, max_dump_bytes));
}

NamedArray named(const std::string& name, ReadResult<Array> result, const FileBytes& owner) {
    Array array = value_or_throw(std::move(result), name);
    if (!array.owner) array.owner = owner;
    return {name, std::move(array)};
}

bool is_zip(std::span<const std::byte> bytes) {
    return bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
}

// A .npy, or one member of an archive as "file.npz:cos".
NamedArray load_array(const std::string& file) {
    const std::string name = printable(file);
    const std::size_t mark = file.rfind(member_mark);
    if (mark == file.npos) {
        const FileBytes bytes = load_bytes(file);
        if (is_zip(*bytes))
            throw InputError(name + ": is an archive; name one of its arrays, as " + name + ":cos");
        return named(name, read_npy(*bytes), bytes);
    }
    const std::size_t colon = mark + member_mark.size() - 1;
    const FileBytes bytes = load_bytes(file.substr(0, colon));
    const NpzMembers members = value_or_throw(list_npz(*bytes), printable(file.substr(0, colon)));
    return named(name, read_npz_member(members, file.substr(colon + 1)), bytes);
}

// The members of an archive by the names that people give them.
class Archive {
  public:
    explicit Archive(const std::string& file)
        : name_(printable(file)),
          bytes_(load_bytes(file)),
          members_(value_or_throw(list_npz(*bytes_), name_)) {}

    bool has(const std::string& member) const { return has_npz_member(members_, member); }

    NamedArray load(const std::string& member) const {
        const std::string name = name_ + ":" + member;
        return named(name, read_npz_member(members_, member), bytes_);
    }

    std::string member_names() const {
        std::string names;
        for (const auto& [member, bytes] : members_)
            names += (names.empty() ? "" : ", ") + printable(member);
        return names;
    }

    const std::string& name() const { return name_; }

  private:
    std::string name_;
    FileBytes bytes_;
    NpzMembers members_;
};

std::optional<NamedArray> load_positions(const std::string& file) {
    if (file.empty()) return std::nullopt;
    return load_array(file);
}

Dump load_archive(const DumpFiles& files, const Spec& spec) {
    const Archive archive(files.npz);
    std::optional<NamedArray> positions = load_positions(files.positions);
    for (const char* member : {"position_ids", "positions"})
        if (!positions && archive.has(member)) positions = archive.load(member);

    const auto from_archive = [&](auto dump) -> Dump {
        dump.origin = archive.name();
        return dump;
    };
    if (archive.has("cos") && archive.has("sin"))
        return from_archive(table_dump(archive.load("cos"), archive.load("sin"), positions, spec));
    if (archive.has("q") && archive.has("q_rot"))
        return from_archive(
            rotated_dump(archive.load("q"), archive.load("q_rot"), positions, files.axes, spec));
    throw InputError(archive.name() + ": holds neither cos and sin nor q and q_rot; it has " +
                     archive.member_names());
}

}  // namespace

Dump load_dump(const DumpFiles& files, const Spec& spec) {
    if (!files.npz.empty()) return load_archive(files, spec);
    const std::optional<NamedArray> positions = load_positions(files.positions);
    if (!files.cos.empty() && !files.sin.empty())
        return table_dump(load_array(files.cos), load_array(files.sin), positions, spec);
    if (!files.before.empty() && !files.after.empty())
        return rotated_dump(load_array(files.before), load_array(files.after), positions,
                            files.axes, spec);
    throw InputError("a dump is an .npz, or cos and sin, or vectors before and after rotation");
}

}  // namespace rope::io
