// The tensors that a command line names, and those of a file by their usual names.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/dump/tensor_names.hpp"
#include "io/tensor/tensor_file.hpp"

namespace rope::io {

// Opens each file once, however often it is named.
class DumpTensors {
  public:
    // Opens DUMP. Throws InputError or IoError.
    explicit DumpTensors(DumpFiles files);

    const DumpFiles& files() const { return files_; }

    // What an option names: a member of DUMP, or FILE or FILE:MEMBER; nothing for "".
    std::optional<NamedArray> named(const std::string& value);
    // As named, where a file without a header is of no use.
    std::optional<NamedArray> named_positions(const std::string& value);

    // A member of DUMP of this name, or the only one that ends in a dot and it.
    std::optional<NamedArray> usual(std::string_view name) const;
    std::optional<NamedArray> first_of(std::span<const std::string_view> names) const;
    std::optional<std::pair<NamedArray, NamedArray>> first_of(
        std::span<const TwoNames> names) const;

    // Throws InputError where DUMP has one tensor of a usual pair, and not the other.
    void require_whole_pairs() const;

    // The members of DUMP but for those that were loaded by these names ("x.npz:cos").
    std::vector<std::string> names_besides(const std::set<std::string>& loaded) const;

    // The only tensor of DUMP, of any name.
    std::optional<NamedArray> only() const;

    // "x.npz: holds no cos and sin, …; it has a, b"
    std::string say_what_is_missing() const;

  private:
    const TensorFile& open(const std::string& path);
    std::vector<std::string> ending_in(std::string_view name) const;
    std::string say_that_there_are_several() const;
    NamedArray load(const std::string& value);
    NamedArray load_raw(const std::string& path);

    DumpFiles files_;
    std::map<std::string, TensorFile> opened_;
    const TensorFile* dump_ = nullptr;
    std::optional<NamedArray> raw_dump_;
};

}  // namespace rope::io
