// What a command line that the parser refuses probably means, and the words to type instead.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/shell/arguments.hpp"

namespace rope::cli {

// The names and aliases of options, without positional arguments.
std::vector<std::string_view> names_of(std::span<const Option> options);

bool has_roles(const Option& option);
// The role that the word begins with, such as "q=" of q=query; empty if it is none of the option's.
std::string_view role_of(const Option& option, std::string_view word);
// Whether the word is a file whose name says which array it holds, such as cos.bin.
bool names_array(const std::string& word);
// Whether several values may be one word: --pipeline ggml,tf32. A comma in a number may mean 4,096.
bool is_list(const Option& option);
// Whether a word that no option took looks like one.
bool is_dashed(const std::string& word);

// "unknown model 'Meta-Llama-3-8B'; did you mean 'llama-3-8b'?"
InputError unknown_model(const std::string& word);

bool is_url(const std::string& word);
// "; download the config: curl -L URL -o config.json"
std::string hint_of_download(const std::string& word);

// "'--dim 128' is one word; type it without quotation marks: --dim 128"
std::string one_word(const std::string& word, std::string_view before);

// The error for a word that is no option and fits no argument.
InputError unexpected(const std::string& word, std::span<const std::string> typed,
                      std::string_view command, const std::vector<Option>& options);
// The error for two configs of a command that takes one: what each is if it is none.
InputError two_configs(const std::string& a, const std::string& b, std::string_view command);
// Refuses `extras`, the words that no option took, in which CLI11 leaves the `--` that ends the
// options.
void refuse_extra(std::string_view command, std::vector<std::string> extras,
                  std::span<const std::string> typed, const std::vector<Option>& options);

}  // namespace rope::cli
