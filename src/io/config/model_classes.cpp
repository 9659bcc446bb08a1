#include "io/config/model_classes.hpp"

#include <array>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace rope::io {

extern const std::string_view classes_text;  // data/classes.jsonl, after a line feed

namespace {

using nlohmann::json;
using Is = ModelClass::Is;

template <class Value>
struct Word {
    std::string_view name;
    Value value;
};
constexpr std::array kinds{Word<Is>{"rope", Is::rope}, Word<Is>{"tower", Is::tower},
                           Word<Is>{"other", Is::other}, Word<Is>{"wrapper", Is::wrapper}};
constexpr std::array layouts{
    Word<PairLayout>{"half_split", PairLayout::half_split},
    Word<PairLayout>{"interleaved", PairLayout::interleaved},
    Word<PairLayout>{"interleaved_to_half_split", PairLayout::interleaved_to_half_split}};

// A row of a file, and the keys that it must have by its kind.
class RowReader {
  public:
    RowReader(const json& row, std::string where) : row_(row), where_(std::move(where)) {}

    ModelClass read() const {
        if (!row_.is_object()) throw InputError(where_ + ": is not a JSON object");
        ModelClass one{.name = text("class"),
                       .is = one_of(kinds, &Word<Is>::name, where_ + ": is", text("is")).value};
        switch (one.is) {
            case Is::rope:
                one.layout =
                    one_of(layouts, &Word<PairLayout>::name, where_ + ": layout", text("layout"))
                        .value;
                one.assumes = assumed();
                break;
            case Is::tower:
                one.form = text("form");
                if (row_.contains("flags")) one.flags = text("flags");
                break;
            case Is::other:
                one.instead = text("instead");
                break;
            case Is::wrapper:
                one.holds = text("holds");
                return one;
        }
        one.source = text("source");
        return one;
    }

  private:
    std::string text(const char* key) const {
        const auto found = row_.find(key);
        if (found == row_.end() || !found->is_string())
            throw InputError(where_ + ": " + key, found == row_.end() ? "missing" : "no string",
                             "a string");
        return found->get<std::string>();
    }
    std::string assumed() const {
        const auto found = row_.find("assumes");
        if (found == row_.end()) return "{}";
        if (!found->is_object())
            throw InputError(where_ + ": assumes", "no object", "an object of config keys");
        return found->dump();
    }

    const json& row_;
    std::string where_;
};

// The rows that were asked for. Those of the program are found by the beginning of their lines:
// to parse all of them takes longer than to read a config.
class Classes {
  public:
    const ModelClass* find(std::string_view name) {
        const std::lock_guard lock(mutex_);
        const auto known = rows_.find(name);
        if (known != rows_.end()) return known->second ? &*known->second : nullptr;
        const std::string start =
            "\n{\"class\": " + json(name).dump(-1, ' ', false, json::error_handler_t::replace) +
            ",";
        std::optional<ModelClass> row;
        if (const std::size_t at = classes_text.find(start); at != classes_text.npos) {
            const std::string_view line =
                classes_text.substr(at + 1, classes_text.find('\n', at + 1) - at - 1);
            row = RowReader(json::parse(line), "data/classes.jsonl").read();
        }
        const auto& found = rows_.emplace(name, std::move(row)).first->second;
        return found ? &*found : nullptr;
    }

    void add(const std::string& file, std::string_view lines) {
        const std::lock_guard lock(mutex_);
        for (std::size_t number = 1; !lines.empty(); ++number) {
            const std::string_view line = lines.substr(0, lines.find('\n'));
            lines.remove_prefix(std::min(lines.size(), line.size() + 1));
            if (line.find_first_not_of(" \t\r") == line.npos) continue;
            const std::string where = file + ", line " + decimal(number);
            const json row = json::parse(line, nullptr, false);
            if (row.is_discarded()) throw InputError(where + ": is not JSON");
            ModelClass own = RowReader(row, where).read();
            const std::string name = own.name;
            rows_.insert_or_assign(name, std::move(own));
        }
    }

  private:
    std::mutex mutex_;
    std::map<std::string, std::optional<ModelClass>, std::less<>> rows_;
};

Classes& classes() {
    static Classes all;
    return all;
}

}  // namespace

const ModelClass* find_class(std::string_view name, ModelClass::Is is) {
    const ModelClass* found = classes().find(name);
    return found != nullptr && found->is == is ? found : nullptr;
}

void add_classes(std::string_view rows, const std::string& file) { classes().add(file, rows); }

}  // namespace rope::io
