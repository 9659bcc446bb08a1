#include "io/config/number_list.hpp"

#include <filesystem>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

std::vector<double> numbers_in(const std::string& flag, const TensorFile& file) {
    const std::vector<std::string> names = file.names();
    const std::string usual = "inv_freq";
    if (names.size() == 1) return file.array(names[0]).values();
    if (file.has(usual)) return file.array(usual).values();
    throw InputError(flag + ": " + file.name() + " has " + decimal(names.size()) +
                     " arrays, none of them " + usual + "; save the one array in a separate file");
}

}  // namespace

std::vector<double> number_list(const std::string& flag, const std::string& value) {
    std::error_code none;
    if (std::filesystem::is_regular_file(value, none))
        return numbers_in(flag, open_tensor_file(value));
    std::vector<double> list;
    for (const std::string& part : split_list(value)) list.push_back(parse_real(flag, part));
    return list;
}

}  // namespace rope::io
