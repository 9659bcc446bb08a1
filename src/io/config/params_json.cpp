#include "io/config/params_json.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// A key of params.json, and the path that config.json has for it.
struct Renamed {
    std::string_view own, path;
};
constexpr Renamed usual_keys[] = {{"dim", "hidden_size"},
                                  {"n_heads", "num_attention_heads"},
                                  {"n_kv_heads", "num_key_value_heads"},
                                  {"n_layers", "num_hidden_layers"},
                                  {"max_seq_len", "max_position_embeddings"},
                                  {"max_position_embeddings", "max_position_embeddings"},
                                  {"head_dim", "head_dim"},
                                  {"rope_theta", "rope_theta"},
                                  {"qk_rope_head_dim", "qk_rope_head_dim"},
                                  {"qk_nope_head_dim", "qk_nope_head_dim"},
                                  {"nope_layer_interval", "no_rope_layer_interval"}};
constexpr Renamed llama3_keys[] = {{"rope_scaling_factor", "rope_scaling.factor"},
                                   {"rope_high_freq_factor", "rope_scaling.high_freq_factor"}};
constexpr Renamed yarn_keys[] = {
    {"yarn.factor", "rope_scaling.factor"},
    {"yarn.original_max_position_embeddings", "rope_scaling.original_max_position_embeddings"},
    {"yarn.beta", "rope_scaling.beta_fast"},
    {"yarn.alpha", "rope_scaling.beta_slow"}};

struct Translation {
    ConfigSection params;
    TranslatedConfig config = {};

    void put_missing(const std::string& key, json value, const std::string& name) {
        if (!config.root.contains(key)) config.put(key, std::move(value), name);
    }
    void copy(std::span<const Renamed> keys) {
        for (const auto& [own, path] : keys) {
            std::string_view key = own;
            const ConfigSection holder = params.inside(key);
            if (!holder.has(key)) continue;
            config.put(std::string(path), holder.object()->at(key), std::string(own));
            params.mark_read({own});
        }
    }

    // apply_scaling of meta-llama/llama-models: Llama 3.1's numbers, and a factor of 32 for
    // Llama 3.2
    void scale_as_llama3() {
        if (read_value([&] { return params.boolean("use_scaled_rope"); }) != true) return;
        const std::string name = "use_scaled_rope";
        config.put("rope_scaling.rope_type", "llama3", name);
        config.put("rope_scaling.factor", 8.0, name);
        config.put("rope_scaling.low_freq_factor", 1.0, name);
        config.put("rope_scaling.high_freq_factor", 4.0, name);
        config.put("rope_scaling.original_max_position_embeddings", 8192U, name);
        put_missing("max_position_embeddings", 131072U, "Llama 3.1's length");
        copy(llama3_keys);
    }

    // vLLM's transformers_utils/configs/mistral.py, _remap_mistral_yarn_args. For MLA, its
    // models/deepseek_v2.py DeepseekV2MLAAttention multiplies cos and sin by mscale/mscale_all_dim,
    // and scores by the square of mscale_all_dim's factor.
    void scale_by_yarn() {
        std::string_view first = "yarn.";
        ConfigSection yarn = params.inside(first);
        if (yarn.empty()) return;
        config.put("rope_scaling.rope_type", "yarn", "yarn");
        copy(yarn_keys);
        extend_by(yarn);
        const std::string mla = "vLLM's default for MLA";
        if (read_value([&] { return yarn.boolean("apply_scale"); }) == false) {
            config.put("rope_scaling.attention_factor", 1.0, "yarn.apply_scale");
        } else if (config.root.contains("qk_rope_head_dim")) {
            config.put("rope_scaling.mscale", 1.0, mla);
            config.put("rope_scaling.mscale_all_dim", 1.0, mla);
        }
    }

    void extend_by(ConfigSection& yarn) {
        const auto number = [&](std::string_view key) {
            return read_value([&] { return yarn.real({key}); }).value_or(0);
        };
        const double all = number(name_of(&Scaling::factor)) *
                           number(name_of(&Scaling::original_max_position_embeddings));
        if (all >= 1 && all <= static_cast<double>(max_context))
            put_missing("max_position_embeddings", static_cast<std::uint64_t>(all),
                        "yarn, its factor times its original length");
    }

    // mistral-inference transformer.py: the base is 10^6 since 0e5b458, and was 10^4 when
    // sliding_window was one number
    void default_to_mistral() {
        if (!config.root.contains("head_dim")) return;
        const bool slides = read_value([&] { return params.real({"sliding_window"}); }).has_value();
        put_missing("rope_theta", slides ? 1e4 : 1e6, "mistral-inference's default");
        put_missing("max_position_embeddings", 128000U, "mistral-inference's table");
    }
};

}  // namespace

void TranslatedConfig::put(const std::string& to, json value, const std::string& name) {
    const std::size_t dot = to.find('.');
    json& object = dot == to.npos ? root : root[to.substr(0, dot)];
    object[to.substr(dot + 1)] = std::move(value);  // npos + 1 = 0
    names[to] = printable(name);
}

ConfigFile TranslatedConfig::read(const std::string& file) && {
    const auto own = std::make_shared<const ConfigSection::Names>(std::move(names));
    ConfigFile config = read_config(std::make_shared<const json>(std::move(root)), file, true);
    config.model.call_by(own);
    for (LayerSection& layer : config.layers) layer.rope.call_by(own);
    return config;
}

bool is_params_json(const json& root) {
    const auto has = [&](const char* key) { return root.contains(key); };
    return root.is_object() && has("dim") && has("n_heads") && !has("hidden_size") &&
           !has("model_type") && !has("_class_name");
}

ConfigFile read_params_json(const json& root, const std::string& name) {
    Translation translation{ConfigSection(name, "", &root)};
    const bool is_llama4 = root.contains("nope_layer_interval");
    translation.config.put("model_type", is_llama4 ? "llama4_text" : "llama", "its keys");
    translation.copy(usual_keys);
    translation.scale_as_llama3();
    translation.scale_by_yarn();
    translation.default_to_mistral();
    ConfigFile file = std::move(translation.config).read(name);
    file.layout = {PairLayout::interleaved,
                   name + ": Meta's and Mistral's own code rotates neighbouring dimensions"};
    file.passed_over = translation.params.unread();
    std::erase_if(file.passed_over,
                  [](const std::string& key) { return key.find("rope") == key.npos; });
    file.mscale_of_scores = true;
    return file;
}

}  // namespace rope::io
