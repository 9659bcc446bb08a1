#include "io/config/params_json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// A key of the file, and the path that config.json has for it.
struct Renamed {
    std::string_view own, path;
};
constexpr std::array renamed{Renamed{"dim", "hidden_size"},
                             Renamed{"n_heads", "num_attention_heads"},
                             Renamed{"n_kv_heads", "num_key_value_heads"},
                             Renamed{"n_layers", "num_hidden_layers"},
                             Renamed{"max_seq_len", "max_position_embeddings"},
                             Renamed{"max_position_embeddings", "max_position_embeddings"},
                             Renamed{"head_dim", "head_dim"},
                             Renamed{"rope_theta", "rope_theta"},
                             Renamed{"qk_rope_head_dim", "qk_rope_head_dim"},
                             Renamed{"qk_nope_head_dim", "qk_nope_head_dim"},
                             Renamed{"nope_layer_interval", "no_rope_layer_interval"}};
constexpr std::array renamed_of_yarn{
    Renamed{"factor", "factor"}, Renamed{"beta", "beta_fast"}, Renamed{"alpha", "beta_slow"},
    Renamed{"original_max_position_embeddings", "original_max_position_embeddings"}};

class Translation {
  public:
    explicit Translation(const json& params) : params_(params) {
        put("model_type", params_.contains("nope_layer_interval") ? "llama4_text" : "llama",
            "its keys");
        for (const Renamed& key : renamed) copy(params, "", key, "");
        scale_as_llama3();
        scale_by_yarn();
        default_to_mistral();
    }

    const json& root() const { return root_; }
    // What is about rotary embeddings and nothing used.
    std::vector<std::string> passed_over() const {
        std::vector<std::string> all;
        for (const auto& [key, value] : params_.items())
            if (key.find("rope") != key.npos && !value.is_null() &&
                std::ranges::none_of(names_, [&](const auto& name) { return name.second == key; }))
                all.push_back(printable(key));
        return all;
    }
    std::shared_ptr<const ConfigSection::Names> names() const {
        return std::make_shared<const ConfigSection::Names>(names_);
    }

  private:
    void put(const std::string& path, json value, std::string name) {
        root_[json::json_pointer("/" + path)] = std::move(value);
        std::string dotted = path;
        for (char& c : dotted)
            if (c == '/') c = '.';
        names_[dotted] = std::move(name);
    }
    void put_missing(const std::string& key, json value, std::string name) {
        if (!root_.contains(key)) put(key, std::move(value), std::move(name));
    }
    bool is_true(const json& object, const char* key) const {
        const auto found = object.find(key);
        return found != object.end() && *found == true;
    }
    void copy(const json& from, const std::string& at, const Renamed& key, const std::string& to) {
        const auto found = from.find(key.own);
        if (found != from.end() && !found->is_null())
            put(to + std::string(key.path), *found, at + std::string(key.own));
    }

    // apply_scaling of meta-llama/llama-models: Llama 3.1's numbers, and 32 for Llama 3.2's
    void scale_as_llama3() {
        if (!is_true(params_, "use_scaled_rope")) return;
        const std::string name = "use_scaled_rope";
        put("rope_scaling/rope_type", "llama3", name);
        put("rope_scaling/factor", 8.0, name);
        put("rope_scaling/low_freq_factor", 1.0, name);
        put("rope_scaling/high_freq_factor", 4.0, name);
        put("rope_scaling/original_max_position_embeddings", 8192U, name);
        put_missing("max_position_embeddings", 131072U, "Llama 3.1's length");
        copy(params_, "", {"rope_scaling_factor", "factor"}, "rope_scaling/");
        copy(params_, "", {"rope_high_freq_factor", "high_freq_factor"}, "rope_scaling/");
    }

    // vLLM's transformers_utils/configs/mistral.py, _remap_mistral_yarn_args
    void scale_by_yarn() {
        const auto yarn = params_.find("yarn");
        if (yarn == params_.end() || !yarn->is_object() || yarn->empty()) return;
        put("rope_scaling/rope_type", "yarn", "yarn");
        for (const Renamed& key : renamed_of_yarn) copy(*yarn, "yarn.", key, "rope_scaling/");
        extend_by(*yarn);
        const auto scales = yarn->find("apply_scale");
        if (scales != yarn->end() && *scales == false)
            put("rope_scaling/attention_factor", 1.0, "yarn.apply_scale");
    }

    void extend_by(const json& yarn) {
        const double length = yarn.value("original_max_position_embeddings", json()).is_number()
                                  ? yarn["original_max_position_embeddings"].get<double>()
                                  : 0;
        const double factor =
            yarn.value("factor", json()).is_number() ? yarn["factor"].get<double>() : 0;
        const double all = factor * length;
        if (all >= 1 && all <= static_cast<double>(max_context))
            put_missing("max_position_embeddings", static_cast<std::uint64_t>(all),
                        "yarn.factor · yarn.original_max_position_embeddings");
    }

    // mistral-inference transformer.py: a base of 10^6, and 10^4 beside a sliding window
    void default_to_mistral() {
        if (!root_.contains("head_dim")) return;
        const bool slides =
            params_.contains("sliding_window") && !params_["sliding_window"].is_null();
        put_missing("rope_theta", slides ? 1e4 : 1e6, "mistral-inference's default");
        put_missing("max_position_embeddings", 128000U, "mistral-inference's table");
    }

    const json& params_;
    json root_ = json::object();
    ConfigSection::Names names_;
};

}  // namespace

bool is_params_json(const json& root) {
    return root.is_object() && root.contains("dim") && root.contains("n_heads") &&
           !root.contains("hidden_size") && !root.contains("model_type");
}

ConfigFile read_params_json(const json& root, const std::string& name) {
    const Translation translation(root);
    ConfigFile file = read_config(std::make_shared<const json>(translation.root()), name);
    const auto names = translation.names();
    file.model.call_by(names);
    for (LayerSection& layer : file.layers) layer.rope.call_by(names);
    file.layout = {PairLayout::interleaved,
                   name + ": Meta's and Mistral's own code rotates neighbouring lanes"};
    file.passed_over = translation.passed_over();
    std::erase(file.passed_over, "use_scaled_rope");  // false
    return file;
}

}  // namespace rope::io
