// A strict reader of the XML that the figures use: no DTD, no CDATA, no namespaces prefix.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rope::plots {

class XmlChecker {
  public:
    // Empty if the document is well-formed (XML 1.0), else what is wrong and where.
    static std::string complaint(std::string_view document) {
        XmlChecker checker(document);
        checker.read();
        return checker.complaint_;
    }

  private:
    explicit XmlChecker(std::string_view document) : all_(document), rest_(document) {}

    void fail(const std::string& what) {
        if (complaint_.empty()) {
            complaint_ = what + " at byte " + std::to_string(all_.size() - rest_.size());
        }
    }

    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::string_view take_name() {
        std::size_t n = 0;
        while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 ||
                                    (n > 0 && rest_[n] == '-'))) {
            ++n;
        }
        const std::string_view name = rest_.substr(0, n);
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) fail("no name");
        rest_.remove_prefix(n);
        return name;
    }

    // Up to the stop character: no raw <, known entities, no control character.
    void take_text(char stop) {
        while (complaint_.empty() && !rest_.empty() && rest_.front() != stop) {
            const char c = rest_.front();
            if (c == '<' || c == '>') fail("raw angle bracket");
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fail("control character");
            if (c != '&') {
                rest_.remove_prefix(1);
            } else if (!take("&amp;") && !take("&lt;") && !take("&gt;") && !take("&quot;") &&
                       !take("&#39;")) {
                fail("unknown entity");
            }
        }
    }

    void take_attributes() {
        std::set<std::string_view> seen;
        while (complaint_.empty() && take(" ")) {
            if (!seen.insert(take_name()).second) fail("attribute twice");
            if (!take("=\"")) fail("no value");
            take_text('"');
            if (!take("\"")) fail("value not closed");
        }
    }

    void take_tag() {
        if (take("</")) {
            if (open_.empty() || take_name() != open_.back()) return fail("wrong closing tag");
            open_.pop_back();
        } else {
            take("<");
            open_.push_back(take_name());
            take_attributes();
            if (take("/")) open_.pop_back();
        }
        if (!take(">")) fail("tag not closed");
        if (open_.empty() && !take("\n")) fail("no line end after the document");
        if (open_.empty() && !rest_.empty()) fail("text after the document");
    }

    void read() {
        if (!rest_.starts_with("<svg ")) fail("no root");
        while (complaint_.empty() && !rest_.empty()) {
            take_text('<');
            if (!rest_.empty() && complaint_.empty()) take_tag();
        }
        if (!open_.empty()) fail("not closed");
    }

    std::string_view all_, rest_;
    std::vector<std::string_view> open_;
    std::string complaint_;
};

}  // namespace rope::plots
