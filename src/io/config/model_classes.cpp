#include "io/config/model_classes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/json/json_text.hpp"

namespace rope::io {

extern const std::string_view classes_text;  // data/classes.jsonl, after a line feed

namespace {

using nlohmann::json;
using Is = ModelClass::Is;
using Switch = ModelClass::Switch;

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

// Each is asked for by name where configs are read.
constexpr std::array traits{
    Trait{"base_steps_with_length", "use_dynamic_ntk: the base is that of multiples of seq_length"},
    Trait{"compressed_layers",
          "compress_ratios or layer_types tell main layers from compressed ones"},
    Trait{"dense_layers_first", "first_k_dense_replace layers rotate, too"},
    Trait{"encoder_and_decoder_heads", "both have num_attention_heads of their own"},
    Trait{"every_fourth_from_last_is_nope", "of the layers that layer_rope_theta does not list"},
    Trait{"first_layer_is_full", "layer 0 has full attention whatever the pattern is"},
    Trait{"fraction_of_linear_layers", "partial_rotary_factor is for linear attention alone"},
    Trait{"has_mamba_step", "one layer of each mamba_step has attention"},
    Trait{"has_swa_rope_parameters", "a section for sliding layers, next to rope_parameters"},
    Trait{"lists_base_by_layer",
          "rope_theta and partial_rotary_factors have a value for each layer"},
    Trait{"ntk_is_mixed", "rope_type ntk is the mixed base of kexue.fm/archives/9706"},
    Trait{"null_theta_is_nope", "a null rope_theta means no rotation"},
    Trait{"only_full_layers_scale", "sliding layers rotate by the base alone"},
    Trait{"only_sliding_layers_rotate", "full attention is NoPE"},
    Trait{"only_windowed_layers_rotate", "the same, where sliding_window is not null"},
    Trait{"reads_rotary_scaling_factor", "the factor of dynamic, at the top level"},
    Trait{"reads_mscale_lists", "short_mscale and long_mscale"},
    Trait{"reads_sections_alone", "rope_parameters' sections, not keys of the top level"},
    Trait{"rope_max_length_is_of_cache", "how many rows of cos and sin are computed at first"},
    Trait{"rotary_dim_unread", "rotary_dim is in published configs, and not read"},
    Trait{"rotates_last_lanes", "the last qk_rope_head_dim dimensions of the head"},
    Trait{"section_fraction_first", "a section's partial_rotary_factor before the top level's"},
    Trait{"whole_head", "head_dim is the whole head's although there is qk_rope_head_dim"},
    Trait{"yarn_amplitude_is_1", "cos and sin are multiplied by nothing"},
    Trait{"yarn_is_longrope", "su and yarn in rope_scaling are names of longrope"},
};

constexpr std::array<std::string_view, 12> row_keys{"class",   "is",     "layout",  "assumes",
                                                    "rotates", "traits", "instead", "form",
                                                    "flags",   "holds",  "source",  "example"};

// A row of a file, and the keys that it must have by its kind.
class RowReader {
  public:
    RowReader(const json& row, std::string where) : row_(row), where_(std::move(where)) {}

    ModelClass read() const {
        if (!row_.is_object()) throw InputError(where_ + ": is not a JSON object");
        for (const auto& [key, value] : row_.items())
            if (std::ranges::find(row_keys, key) == row_keys.end())
                throw InputError(where_ + ": unknown key '" + printable(key) + "'; a row has " +
                                 join(row_keys));
        ModelClass one{.name = text("class"),
                       .is = one_of(kinds, &Word<Is>::name, where_ + ": is", text("is")).value};
        switch (one.is) {
            case Is::rope:
                one.layout =
                    one_of(layouts, &Word<PairLayout>::name, where_ + ": layout", text("layout"))
                        .value;
                one.assumes = assumed();
                if (row_.contains("rotates")) one.rotates = switched();
                if (row_.contains("traits"))
                    for (const std::string& name : texts(row_, "traits"))
                        one.traits.emplace_back(
                            one_of(traits, &Trait::name, where_ + ": traits", name).name);
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
    std::vector<std::string> texts(const json& object, const char* key) const {
        const auto found = object.find(key);
        const auto is_text = [](const json& one) { return one.is_string(); };
        if (found == object.end() || !found->is_array() || !std::ranges::all_of(*found, is_text))
            throw InputError(where_ + ": " + key, "no list of strings", "a list of strings");
        return *found;
    }
    Switch switched() const {
        const json& own = row_.at("rotates");
        if (!own.is_object() || !own.contains("key") || !own["key"].is_string() ||
            !own.contains("default") || !own["default"].is_boolean())
            throw InputError(
                where_ + ": rotates", "no object with key, in and default",
                "such as {\"key\": \"alibi\", \"in\": [\"false\"], \"default\": true}");
        Switch one{own["key"], texts(own, "in"), own["default"]};
        if (one.rotary.empty()) throw InputError(where_ + ": rotates.in", "empty", "a list");
        return one;
    }
    std::string assumed() const {
        const auto found = row_.find("assumes");
        if (found == row_.end()) return "{}";
        if (!found->is_object())
            throw InputError(where_ + ": assumes", "no object", "an object of config keys");
        return json_text(*found);
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
        const std::string start = "\n{\"class\": " + json_text(json(name)) + ",";
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
            if (row.is_discarded())
                throw InputError(where + ": is not JSON; each line holds one class");
            ModelClass own = RowReader(row, where).read();
            own.file = file;
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

std::span<const Trait> class_traits() { return traits; }

void add_classes(std::string_view rows, const std::string& file) { classes().add(file, rows); }

}  // namespace rope::io
