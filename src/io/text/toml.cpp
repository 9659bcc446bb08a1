#include "io/text/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace rope::io {
namespace {

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

// One line, from the left.
class Line {
  public:
    Line(std::string_view text, std::string_view file, std::size_t number)
        : text_(text), file_(file), number_(number) {
        skip_blanks();
    }

    [[noreturn]] void refuse(std::string_view why) const {
        throw InputError(fmt::format("{}:{}: {}", file_, number_, why));
    }
    bool at_end() const { return text_.empty() || text_.front() == '#'; }
    bool take(char c) {
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        skip_blanks();
        return true;
    }
    void end() const {
        if (!at_end()) refuse(fmt::format("'{}' follows the value", printable(text_)));
    }
    std::string bare_key() {
        std::string key = take_while(is_bare);
        skip_blanks();
        return key;
    }
    void value(TomlSetting& setting) {
        if (take('[')) return list(setting);
        if (text_.starts_with("true") || text_.starts_with("false")) {
            setting.kind = TomlSetting::Kind::truth;
            setting.values = {take_while(is_bare)};
            if (setting.values[0] != "true" && setting.values[0] != "false") refuse_value();
            return skip_blanks();
        }
        setting.values = {word()};
    }

  private:
    [[noreturn]] void refuse_value() const {
        refuse(
            "a value is \"text\" in quotes, a number, true, false or a list of them in brackets");
    }
    void skip_blanks() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\t'))
            text_.remove_prefix(1);
    }
    template <class Belongs>
    std::string take_while(Belongs belongs) {
        const auto end = std::find_if_not(text_.begin(), text_.end(), belongs);
        std::string taken(text_.begin(), end);
        text_.remove_prefix(taken.size());
        return taken;
    }
    std::string quoted(char quote) {
        std::string said;
        for (std::size_t i = 1; i < text_.size(); ++i) {
            if (text_[i] == quote) {
                text_.remove_prefix(i + 1);
                return said;
            }
            if (quote == '"' && text_[i] == '\\') {
                ++i;
                if (i == text_.size() || (text_[i] != '"' && text_[i] != '\\'))
                    refuse("after \\ in quotes comes \" or \\");
            }
            said += text_[i];
        }
        refuse("the quotes do not end on this line");
    }
    std::string word() {
        if (text_.empty()) refuse_value();
        const char first = text_.front();
        const bool is_quoted = first == '"' || first == '\'';
        const bool is_number = (first >= '0' && first <= '9') || first == '+' || first == '-';
        if (!is_quoted && !is_number) refuse_value();
        std::string said =
            is_quoted ? quoted(first)
                      : take_while([](char c) { return is_bare(c) || c == '+' || c == '.'; });
        skip_blanks();
        return said;
    }
    void list(TomlSetting& setting) {
        setting.kind = TomlSetting::Kind::list;
        while (!take(']')) {
            setting.values.push_back(word());
            if (!take(',') && (text_.empty() || text_.front() != ']')) refuse_value();
        }
    }

    std::string_view text_, file_;
    std::size_t number_;
};

std::string section_of(Line& line) {
    std::string name = line.bare_key();
    if (name.empty() || !line.take(']') || !line.at_end())
        line.refuse("a section is [COMMAND], such as [verify]");
    return name;
}

std::string key_of(Line& line) {
    std::string key = line.bare_key();
    if (key.empty() || !line.take('='))
        line.refuse("is no [section] and no key = value, such as pipeline = \"hf-fp32\"");
    return key;
}

}  // namespace

std::vector<TomlSetting> parse_toml(std::string_view text, std::string_view file) {
    std::vector<TomlSetting> all;
    std::map<std::pair<std::string, std::string>, std::size_t> lines;  // of each section and key
    const auto once = [&](const Line& line, const std::string& section, const std::string& key,
                          std::size_t number) {
        const auto [before, is_new] = lines.try_emplace({section, key}, number);
        if (!is_new) line.refuse(fmt::format("line {} has this already", before->second));
    };
    std::string section;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view words = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (words.ends_with('\r')) words.remove_suffix(1);
        Line line(words, file, number);
        if (words.find('\0') != words.npos) line.refuse("holds a NUL byte, so it is no text");
        if (line.at_end()) continue;
        if (line.take('[')) {
            section = section_of(line);
            once(line, section, "", number);
            continue;
        }
        TomlSetting one{.section = section, .key = key_of(line), .values = {}, .line = number};
        once(line, section, one.key, number);
        line.value(one);
        line.end();
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace rope::io
