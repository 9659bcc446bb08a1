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

// The index of the draft of layer i.
std::size_t draft_of(std::uint64_t i, const std::string& flag, ConfigFile& file,
                     std::span<const SpecDraft> drafts) {
    const std::uint64_t count = layer_count(file);
    if (count > 0 && i >= count)
        throw InputError(flag + ": " + decimal(i) + " is not one of the layers 0 to " +
                         decimal(count - 1));
    for (std::size_t k = 0; k < drafts.size(); ++k)
        if (std::ranges::find(drafts[k].numbers, i) != drafts[k].numbers.end()) return k;
    if (drafts.size() == 1 && drafts[0].numbers.empty()) return 0;
    const std::string attention = Attention(file).of(i);
    for (std::size_t k = 0; k < drafts.size(); ++k)
        if (!attention.empty() && drafts[k].layers.ends_with(attention)) return k;
    throw InputError(flag + ": " + file.name + " does not say how layer " + decimal(i) +
                     " rotates; name one of " + join(drafts, &SpecDraft::layers));
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
        keep_only(drafts, draft_of(i, flag.name, *file, drafts));
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
    if (!by_name && picks(starts_so) != 1)
        throw InputError(typed + (known == "all layers"
                                      ? ": the layers of this model are all alike; leave it out"
                                      : " is not one of " + known));
    std::erase_if(drafts, [&](const SpecDraft& draft) {
        return !draft.rotates || !(by_name ? is_name(draft) : starts_so(draft));
    });
}

}  // namespace rope::io
