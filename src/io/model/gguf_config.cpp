#include "io/model/gguf_config.hpp"

#include "io/system/read_file.hpp"
#include "io/tensor/readers.hpp"
#include "io/text/json_text.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

GgufArchitecture architecture_of(const Row& row) {
    row.has_only(
        "architecture pairs instead sliding interval traits class keys becomes source example");
    constexpr std::string_view pairs = "unknown none norm neox mrope imrope norm_or_mrope";
    GgufArchitecture one{.name = row.text("architecture"),
                         .pairs = row.choice(pairs, "pairs"),
                         .instead = row.text("instead", ""),
                         .model_class = row.text("class", ""),
                         .keys = row.map("keys"),
                         .becomes = becomes_of(row, "architecture")};
    one.facts.traits = row.traits("architecture");
    if (row.has("interval")) one.facts.numbers["interval"] = row.number("interval");
    if (!row.has("sliding")) return one;
    const Row own = row.inside("sliding");
    own.has_only("have period pattern if");
    const std::string have = own.choice("own_base another_base no_scaling rotation", "have");
    one.facts.traits.push_back(have);
    one.facts.numbers["usual_period"] = own.number("period");
    one.facts.texts["pattern"] = own.choice("period list either unread", "pattern", "period");
    one.slides_if = own.text("if", have == "another_base" ? "top.rope.freq_base_swa" : "");
    return one;
}

Table<GgufArchitecture>& architectures() {
    static Table<GgufArchitecture> all(architecture_rows, "architecture", architecture_of);
    return all;
}

constexpr std::uint64_t head_bytes = std::uint64_t{64} << 20;

// A GGUF's metadata while it is being translated into a config.
struct GgufKeys {
    std::string file;  // as messages name it
    FileBytes bytes;
    Gguf gguf;
    std::string architecture = {};
    const GgufArchitecture* known = nullptr;  // its row, once it is read
    json metadata = json::object();
    // The architecture's metadata by keys without it: "rope.freq_base".
    ConfigSection own{"", "", nullptr};
    TranslatedConfig config = {};
    ConfigFacts facts = {};     // for the rows of data/gguf.jsonl
    bool has_one_list = false;  // of factors

    bool does(std::string_view trait) const { return known->facts.has(trait); }
    std::string path(std::string_view key) const { return own.path_to(key); }  // printable
};

// llama-gguf-split --no-tensor-first-split leaves the first file without tensors. Those of no
// layer, as rope_freqs.weight, begin the second: llama_model_loader's weight_name_comparer.
void read_second_shard(GgufKeys& keys, const std::filesystem::path& path) {
    const auto count = keys.gguf.metadata.find("split.count");
    if (count == keys.gguf.metadata.end() || count->second < 2 || !keys.gguf.tensors.empty())
        return;
    const std::filesystem::path second = second_shard(path);
    std::error_code error;
    if (!std::filesystem::exists(second, error)) {
        keys.config.remarks.push_back(
            {"split.count",
             "has no tensors in this file, and the second file, which may have "
             "rope_freqs.weight, is not next to it"});
        return;
    }
    const FileHead head = read_file_head(second, head_bytes);
    keys.bytes = head.bytes;
    keys.gguf.tensors = read_named(input_name(second),
                                   [&] { return list_gguf(head.bytes, head.file_size).tensors; });
}

void read_architecture(GgufKeys& keys) {
    const auto found = keys.gguf.metadata.find("general.architecture");
    const auto* name =
        found == keys.gguf.metadata.end() ? nullptr : found->second.get_ptr<const std::string*>();
    if (name == nullptr)
        throw InputError(keys.file +
                         ": has no general.architecture, so nothing says which keys are its own");
    keys.architecture = *name;
    const std::string prefix = keys.architecture + ".";
    for (const auto& [key, value] : keys.gguf.metadata) {
        if (!key.starts_with(prefix)) continue;
        json& own = keys.metadata[key.substr(prefix.size())] = value;
        // a config has no other type for signed numbers that are not negative
        if (own.is_number_integer() && own >= 0) own = own.get<std::uint64_t>();
    }
    keys.own = {keys.file, printable(keys.architecture) + ".", &keys.metadata};
    keys.known = &find_gguf_architecture(*name);
    if (const auto& other = keys.known->becomes; other && hold_of(keys.own, other->conditions))
        keys.known = &find_gguf_architecture(other->name);
    if (keys.known->pairs == "none")
        throw InputError(keys.file + ": general.architecture is " + printable(*name) +
                         (keys.known->instead.empty() ? "" : ", which uses ") +
                         keys.known->instead + ": there is no RoPE to verify");
}

// Keys that the class of the architecture's models reads in its config.json, too.
void translate_keys_of_class(GgufKeys& keys) {
    if (!keys.known->model_class.empty())
        keys.config.put("model_type", keys.known->model_class, "general.architecture");
    for (const auto& [key, to] : keys.known->keys) {
        // llama_hparams::dsv4_compress_ratios, which deepseek4 requires and dflash does not
        const std::uint64_t layers = to == "compress_ratios" ? keys.facts.layer_count : 0;
        keys.own.mark_read({key});
        if (keys.own.has(key))
            keys.config.put(to, keys.metadata[key], keys.path(key));
        else if (layers > 0)
            keys.config.put(to, std::vector<unsigned>(layers),
                            "llama.cpp's default for " + keys.architecture);
    }
}

// Gemma 4's proportional RoPE: the first factors are 1 and all others 1e30, by which llama.cpp's
// pairs do not rotate (conversion/gemma.py, src/models/gemma4.cpp). Returns the fraction of pairs
// that rotate, where the factors are of the whole head.
std::optional<double> turning_fraction(GgufKeys& keys, const std::vector<double>& factors) {
    const auto still = std::ranges::find_if(factors, [](double x) { return x != 1; });
    const bool stand = std::all_of(still, factors.end(), [](double x) { return x >= 1e29; });
    const auto width = static_cast<double>(2 * factors.size());
    const auto may_be_width = [&](const char* key) {
        const auto own = keys.own.real({key});
        return !own || own->value == width;
    };
    if (still == factors.begin() || still == factors.end() || !stand ||
        !may_be_width("rope.dimension_count") || !may_be_width("attention.key_length"))
        return std::nullopt;
    return 2 * static_cast<double>(still - factors.begin()) / width;
}

// Returns the tensor without the factors beyond the pairs that rotate: ones, with which converters
// fill up half a head, and factors for wider layers.
std::optional<std::vector<double>> factors_in(GgufKeys& keys, const std::string& name) {
    const auto found = keys.gguf.tensors.find(name);
    if (found == keys.gguf.tensors.end()) return std::nullopt;
    const Array array =
        read_named(keys.file, [&] { return read_gguf_tensor(keys.bytes, name, found->second); });
    if (array.size() > max_head_dim / 2)
        throw InputError(keys.file + ": tensor '" + name + "' has " + decimal(array.size()) +
                         " values; it must have rope.dimension_count/2");
    std::vector<double> factors = array.values();
    const bool rotate_half = keys.does("full_layers_rotate_half");
    const auto dimensions =
        keys.own.whole({"rope.dimension_count", "attention.key_length"}, 0, most_layers);
    const std::size_t pairs = dimensions ? dimensions->value / (rotate_half ? 4 : 2) : 0;
    const auto is_one = [](double x) { return x == 1; };
    if (pairs > 0 && factors.size() > pairs &&
        (rotate_half ||
         std::all_of(factors.begin() + static_cast<std::ptrdiff_t>(pairs), factors.end(), is_one)))
        factors.resize(pairs);
    return factors;
}

// Adds the tensors of factors that divide the frequencies to the metadata, as lists, and facts
// about them for the rows of data/gguf.jsonl.
void add_factors(GgufKeys& keys) {
    ConfigFacts& facts = keys.facts;
    if (keys.does("factors_unread") || keys.does("whole_head_unscaled")) return;
    constexpr const char *any = "rope_freqs.weight", *brief = "rope_factors_short.weight",
                         *wide = "rope_factors_long.weight";
    ConfigSection::Names names;
    std::map<std::string_view, std::vector<double>> all;
    for (const char* name : {any, brief, wide}) {
        names[keys.path(name)] = name;
        const auto factors = factors_in(keys, name);
        if (!factors) continue;
        all[name] = *factors;
        keys.metadata[name] = *factors;
        facts.numbers["factors"] = 1;
    }
    keys.own.call_by(std::make_shared<const ConfigSection::Names>(std::move(names)));
    const auto fraction = all.contains(any) ? turning_fraction(keys, all[any]) : std::nullopt;
    if (fraction) facts.numbers["turning_fraction"] = *fraction;
    const auto list = [&](const char* name) { return all.contains(name) ? all[name] : all[any]; };
    keys.has_one_list = !all.empty() && !fraction && list(brief) == list(wide);
}

// How llama.cpp computes dimensions and frequencies (f12cc6d0f: llama_model_base::load_hparams,
// load_arch_hparams of src/models, llama_context, and ggml's rope_yarn) as keys of a config.
void translate_keys(GgufKeys& keys) {
    ConfigFacts& facts = keys.facts = keys.known->facts;
    facts.texts["architecture"] = printable(keys.architecture);
    facts.texts["ggml_pairs"] = keys.known->pairs;
    ConfigSection own = keys.own;  // a copy, which records the keys that are read
    facts.layer_count = count_of(own, {"block_count"}, most_layers);
    const auto& slides_if = keys.known->slides_if;
    facts.add("splits", slides_if && hold_of(keys.own, *slides_if));
    facts.add("incomplete", !keys.config.remarks.empty());
    add_factors(keys);
    static const RuleRows rules(gguf_rows, "data/gguf.jsonl", {"top."});
    add_keys(facts, rules.names, keys.own, keys.own, keys.own);
    keys.config.translate(rules, {{"top", &keys.own}}, facts);
}

// The pairs of the architecture's graph, and how the converter permuted the weights for them.
void set_layout(ConfigFile& file, const GgufKeys& keys) {
    const std::string& pairs = keys.known->pairs;
    if (pairs == "unknown") {
        file.model_type = keys.architecture;  // for the lint
        return;
    }
    const bool has_sections = !file.layers.empty() && file.layers[0].rope.has("mrope_section");
    const bool is_norm = pairs == "norm" || (pairs == "norm_or_mrope" && !has_sections);
    std::string from = file.name + ": general.architecture " + keys.architecture;
    from += is_norm ? ", ggml's NORM pairs" : ", ggml's NEOX pairs";
    if (is_norm && keys.does("permuted")) {
        file.permuted_architecture = keys.architecture;
        from += "; the converter permuted q_proj and k_proj from half_split";
    }
    file.layout = {is_norm ? PairLayout::interleaved : PairLayout::half_split, from};
}

}  // namespace

const GgufArchitecture& find_gguf_architecture(std::string_view name) {
    const GgufArchitecture* const known = architectures().find(name);
    return known != nullptr ? *known : *architectures().find("*");
}

void add_architecture(const Row& row) { architectures().add(architecture_of(row)); }

bool is_gguf_file(const std::filesystem::path& path) {
    return as_text(read_input_head(path, 4, head_bytes).bytes) == "GGUF";
}

std::filesystem::path second_shard(const std::filesystem::path& path) {
    std::string name = path.string();
    const std::size_t at = name.rfind("-00001-of-");
    return at == name.npos ? "" : name.replace(at, 6, "-00002");
}

ConfigFile open_gguf_config(const std::filesystem::path& path) {
    const std::string name = input_name(path);
    const FileHead head = read_input_head(path, head_bytes, head_bytes);
    GgufKeys keys{name, head.bytes,
                  read_named(name, [&] { return list_gguf(head.bytes, head.file_size); })};
    read_second_shard(keys, path);
    read_architecture(keys);
    translate_keys(keys);
    translate_keys_of_class(keys);
    keys.config.names["model_type"] = "general.architecture";
    keys.config.names["rope_scaling."] = keys.path("rope.scaling.");
    const std::vector<KeyRemark> remarks = keys.config.remarks;
    const json sets = keys.config.root.value("sets", json());
    keys.config.root.erase("sets");
    ConfigFile file = std::move(keys.config).read(name);
    if (!sets.is_null()) file.layers = sections_of(sets, file.layers.front().rope);
    set_layout(file, keys);
    file.passed_over = keys.own.unread();
    std::erase_if(file.passed_over, [&](const std::string& path) {
        return !path.starts_with(keys.path("rope.")) && !concerns_rope(path);
    });
    std::ranges::copy(remarks, std::back_inserter(file.remarks));
    file.is_gguf = true;
    file.has_one_list = keys.has_one_list;
    file.mscale_of_scores = keys.does("mscale_of_scores");
    return file;
}

}  // namespace rope::io
