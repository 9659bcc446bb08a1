#include "io/model/picked_layers.hpp"

#include <algorithm>
#include <ranges>
#include <span>
#include <string>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/layer_kinds.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

bool is_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
}

// EXAONE 4's "LLLG", as mlx_lm/models/exaone4.py reads it; empty where there are none.
std::string attention_letters(ConfigFile& file) {
    constexpr std::string_view key = "sliding_window_pattern";
    if (!file.model.holds_text(key)) return "";
    const auto letters = file.model.text({key});
    if (letters->value.empty() || letters->value.find_first_not_of("LG") != std::string::npos)
        throw InputError(letters->from, '"' + printable(letters->value) + '"',
                         "a whole number, or of the letters L (sliding) and G (full)");
    return letters->value;
}

// How layer i attends, as layer_types or a pattern of the config says; empty where neither does.
std::string attention_of(std::uint64_t i, ConfigFile& file) {
    if (const auto types = file.model.texts("layer_types"))
        return i < types->value.size() ? types->value[i] : "";
    if (const std::string letters = attention_letters(file); !letters.empty())
        return letters[i % letters.size()] == 'G' ? "full_attention" : "sliding_attention";
    for (ConfigSection* section : {&file.model, &file.defaults})
        if (const auto every = section->whole({"sliding_window_pattern"}, 1, most_layers))
            return (i + 1) % every->value == 0 ? "full_attention" : "sliding_attention";
    return "";
}

// The index of the group that holds layer i.
std::size_t group_of(std::uint64_t i, const std::string& flag, ConfigFile& file) {
    const std::uint64_t count = layer_count(file);
    if (count > 0 && i >= count)
        throw InputError(flag + ": " + decimal(i) + " is not one of the layers 0 to " +
                         decimal(count - 1));
    const std::vector<LayerSection>& groups = file.layers;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (std::ranges::find(groups[g].numbers, i) != groups[g].numbers.end()) return g;
    if (groups.size() == 1 && groups[0].numbers.empty()) return 0;
    const std::string attention = attention_of(i, file);
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (!attention.empty() && groups[g].layers.ends_with(attention)) return g;
    throw InputError(flag + ": " + file.name + " does not say how layer " + decimal(i) +
                     " rotates; name one of " + join(groups, &LayerSection::layers));
}

void keep_only(std::vector<SpecDraft>& drafts, std::size_t kept) {
    drafts = {std::move(drafts[kept])};
}

std::string layer_names(std::span<const SpecDraft> drafts) {
    return join(drafts | std::views::filter(&SpecDraft::rotates), &SpecDraft::layers);
}

}  // namespace

void keep_layers(const Flag& flag, ConfigFile* file, std::vector<SpecDraft>& drafts) {
    const std::string typed = flag.name + ": '" + printable(flag.value) + "'";
    if (file != nullptr && is_number(flag.value)) {
        const std::uint64_t i = parse_whole(flag.name, flag.value, 0, most_layers - 1);
        keep_only(drafts, group_of(i, flag.name, *file));
        if (!drafts.front().rotates)
            throw InputError(flag.name + ": layer " + decimal(i) + " does not rotate (" +
                             drafts.front().layers +
                             "); compare --rotary-dim 0, without a config, judges that its q and k "
                             "stay as they are");
        return;
    }
    const auto picks = [&](const auto& names_it) {
        return std::ranges::count_if(
            drafts, [&](const SpecDraft& draft) { return draft.rotates && names_it(draft); });
    };
    const auto is_name = [&](const SpecDraft& draft) { return draft.layers == flag.value; };
    const auto starts_so = [&](const SpecDraft& draft) {
        return !flag.value.empty() && draft.layers.starts_with(flag.value);
    };
    const std::string known = layer_names(drafts);
    const bool by_name = picks(is_name) > 0;
    if (!by_name && picks(starts_so) != 1) throw InputError(typed + " is not one of " + known);
    std::erase_if(drafts, [&](const SpecDraft& draft) {
        return !draft.rotates || !(by_name ? is_name(draft) : starts_so(draft));
    });
}

}  // namespace rope::io
