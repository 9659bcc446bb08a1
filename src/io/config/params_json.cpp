#include "io/config/params_json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

void TranslatedConfig::put(const std::string& to, nlohmann::json value, const std::string& name) {
    const std::size_t dot = to.find('.');
    nlohmann::json& object = dot == to.npos ? root : root[to.substr(0, dot)];
    object[to.substr(dot + 1)] = std::move(value);  // npos + 1 = 0
    names[to] = printable(name);
}

ConfigFile TranslatedConfig::read(const std::string& file) && {
    const auto own = std::make_shared<const ConfigSection::Names>(std::move(names));
    ConfigFile config =
        read_config(std::make_shared<const nlohmann::json>(std::move(root)), file, true);
    config.model.call_by(own);
    for (LayerSection& layer : config.layers) layer.rope.call_by(own);
    return config;
}

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

class Translation {
  public:
    explicit Translation(const json& params) : params_(params) {
        config_.put("model_type", params_.contains("nope_layer_interval") ? "llama4_text" : "llama",
                    "its keys");
        for (const Renamed& key : renamed) copy(params, key.own, std::string(key.path));
        scale_as_llama3();
        scale_by_yarn();
        default_to_mistral();
    }

    // What is about rotary embeddings and nothing used.
    std::vector<std::string> passed_over() const {
        std::vector<std::string> all;
        for (const auto& [key, value] : params_.items())
            if (key.find("rope") != key.npos && !value.is_null() && key != "use_scaled_rope" &&
                std::ranges::none_of(config_.names,
                                     [&](const auto& name) { return name.second == key; }))
                all.push_back(printable(key));
        return all;
    }
    TranslatedConfig config() && { return std::move(config_); }

  private:
    void put_missing(const std::string& key, json value, const std::string& name) {
        if (!config_.root.contains(key)) config_.put(key, std::move(value), name);
    }
    void copy(const json& from, std::string_view own, const std::string& path,
              const std::string& at = "") {
        const auto found = from.find(own);
        if (found != from.end() && !found->is_null())
            config_.put(path, *found, at + std::string(own));
    }
    static std::string path_of(ScalingMember member) {
        return "rope_scaling." + std::string(name_of(member));
    }

    // apply_scaling of meta-llama/llama-models: Llama 3.1's numbers, and 32 for Llama 3.2's
    void scale_as_llama3() {
        if (params_.value("use_scaled_rope", json()) != true) return;
        const std::string name = "use_scaled_rope";
        config_.put("rope_scaling.rope_type", "llama3", name);
        config_.put(path_of(&Scaling::factor), 8.0, name);
        config_.put(path_of(&Scaling::low_freq_factor), 1.0, name);
        config_.put(path_of(&Scaling::high_freq_factor), 4.0, name);
        config_.put(path_of(&Scaling::original_max_position_embeddings), 8192U, name);
        put_missing("max_position_embeddings", 131072U, "Llama 3.1's length");
        copy(params_, "rope_scaling_factor", path_of(&Scaling::factor));
        copy(params_, "rope_high_freq_factor", path_of(&Scaling::high_freq_factor));
    }

    // vLLM's transformers_utils/configs/mistral.py, _remap_mistral_yarn_args
    void scale_by_yarn() {
        const auto yarn = params_.find("yarn");
        if (yarn == params_.end() || !yarn->is_object() || yarn->empty()) return;
        config_.put("rope_scaling.rope_type", "yarn", "yarn");
        for (const ScalingMember member :
             {ScalingMember(&Scaling::factor),
              ScalingMember(&Scaling::original_max_position_embeddings)})
            copy(*yarn, name_of(member), path_of(member), "yarn.");
        copy(*yarn, "beta", path_of(&Scaling::beta_fast), "yarn.");
        copy(*yarn, "alpha", path_of(&Scaling::beta_slow), "yarn.");
        extend_by(*yarn);
        const auto scales = yarn->find("apply_scale");
        if (scales != yarn->end() && *scales == false)
            config_.put(path_of(&Scaling::attention_factor), 1.0, "yarn.apply_scale");
        else if (config_.root.contains("qk_rope_head_dim"))
            scale_scores();
    }

    // vLLM's models/deepseek_v2.py DeepseekV2MLAAttention, which is MistralLarge3's: cos and sin
    // by mscale/mscale_all_dim, scores by the square of mscale_all_dim's
    void scale_scores() {
        for (const ScalingMember member :
             {ScalingMember(&Scaling::mscale), ScalingMember(&Scaling::mscale_all_dim)})
            config_.put(path_of(member), 1.0, "vLLM's default for MLA");
    }

    void extend_by(const json& yarn) {
        const auto number = [&](ScalingMember member) {
            const auto found = yarn.find(name_of(member));
            return found != yarn.end() && found->is_number() ? found->get<double>() : 0;
        };
        const double all =
            number(&Scaling::factor) * number(&Scaling::original_max_position_embeddings);
        if (all >= 1 && all <= static_cast<double>(max_context))
            put_missing("max_position_embeddings", static_cast<std::uint64_t>(all),
                        "yarn, its factor times its original length");
    }

    // mistral-inference transformer.py: a base of 10^6 since 0e5b458; 10^4 before that, when
    // sliding_window was one number
    void default_to_mistral() {
        if (!config_.root.contains("head_dim")) return;
        const bool slides = params_.value("sliding_window", json()).is_number();
        put_missing("rope_theta", slides ? 1e4 : 1e6, "mistral-inference's default");
        put_missing("max_position_embeddings", 128000U, "mistral-inference's table");
    }

    const json& params_;
    TranslatedConfig config_;
};

}  // namespace

bool is_params_json(const json& root) {
    const auto has = [&](const char* key) { return root.contains(key); };
    return root.is_object() && has("dim") && has("n_heads") && !has("hidden_size") &&
           !has("model_type") && !has("_class_name");
}

ConfigFile read_params_json(const json& root, const std::string& name) {
    Translation translation(root);
    std::vector<std::string> passed_over = translation.passed_over();
    ConfigFile file = std::move(translation).config().read(name);
    file.layout = {PairLayout::interleaved,
                   name + ": Meta's and Mistral's own code rotates neighbouring dimensions"};
    file.passed_over = std::move(passed_over);
    file.mscale_of_scores = true;
    return file;
}

}  // namespace rope::io
