// What unknown dumps are, by their shape and by the Specs that they match.
#include "io/subject/identified.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/dump/dump_tensors.hpp"
#include "io/model/models.hpp"
#include "io/render/command_line.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
namespace {

// What an unknown dump is as its shape says, and as it may be meant as well.

constexpr std::uint32_t usual_head_dims[] = {128, 64, 80, 96, 256, 112, 192, 72, 48, 32};

// The vectors as `hints` have them; nothing where their shape leaves open then which axis is the
// sequence.
std::optional<NamedDump> loaded(const std::string& name, DumpTensors& tensors,
                                const DumpHints& hints) {
    try {
        for (NamedDump& other : load_dump(tensors, hints))
            if (other.name == name) return std::move(other);
    } catch (const InputError&) {
    }
    return std::nullopt;
}

// The vectors as fused heads of each width, until `is_it`, which is then the dump.
template <class IsIt>
void read_in_heads(std::span<const std::uint32_t> head_dims, NamedDump& dump, DumpTensors& tensors,
                   DumpHints hints, const IsIt& is_it) {
    if (!std::holds_alternative<RotatedDump>(dump.dump)) return;
    for (const std::uint32_t head_dim : head_dims) {
        if (dump.lanes <= head_dim || dump.lanes % head_dim != 0) continue;
        hints.head_dim = head_dim;
        auto other = loaded(dump.name, tensors, hints);
        // three fused heads have no row of position_ids each
        if (!other || axes_of(other->dump) != axes_of(dump.dump) || !is_it(other->dump)) continue;
        dump = std::move(*other);
        return;
    }
}

// Those of two to four heads, of [heads, L] rows, at positions on as many axes, which look like
// those of a batch.
std::optional<NamedDump> read_on_axes(const NamedDump& dump, DumpTensors& tensors,
                                      DumpHints hints) {
    if (!std::holds_alternative<RotatedDump>(dump.dump) || axes_of(dump.dump) > 1)
        return std::nullopt;
    hints.has_no_batch = true;
    auto other = loaded(dump.name, tensors, hints);
    return other && axes_of(other->dump) > 1 ? std::move(other) : std::nullopt;
}

// The first pairs of an interleaved head are those of a narrower one, by another base: of several
// axes it is one of heads only where most of them are.
bool may_be_fused(const Majority& found) {
    return axis_count(found.spec.axes) == 1 || 2 * found.rows > found.of_rows;
}

// In no smaller a part of its rows.
bool has_more(const Majority& one, const Majority& other) {
    return one.rows * other.of_rows >= other.rows * one.of_rows;
}

// Vectors that are nothing as one head are read again as fused heads of each usual width, and those
// of a batch on as many axes, until they are something, and `dump` is then those.
Identity identity_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                           const std::vector<Spec>& known) {
    Identity found = identify_judged(dump.dump, known);
    if (found.fits) return found;
    if (auto other = read_on_axes(dump, tensors, hints))
        if (Identity again = identify_judged(other->dump, known); again.fits) {
            dump = std::move(*other);
            return again;
        }
    read_in_heads(usual_head_dims, dump, tensors, hints, [&](const Dump& fused) {
        // on several axes what its samples fit is found far sooner than that nothing does
        if (axes_of(fused) > 1 && !identify(fused, known).fits) return false;
        Identity again = identify_judged(fused, known);
        if (again.fits) found = std::move(again);
        return found.fits;
    });
    return found;
}

std::optional<Majority> majority_in_heads(NamedDump& dump, DumpTensors& tensors,
                                          const DumpHints& hints, const std::vector<Spec>& known) {
    std::optional<Majority> found = majority_of(dump.dump, known);
    if (auto other = read_on_axes(dump, tensors, hints))
        if (auto again = majority_of(other->dump, known);
            again && !(found && has_more(*found, *again))) {
            dump = std::move(*other);
            return again;
        }
    if (!found)
        read_in_heads(usual_head_dims, dump, tensors, hints, [&](const Dump& fused) {
            found = majority_of(fused, known);
            if (found && !may_be_fused(*found)) found.reset();
            return found.has_value();
        });
    return found;
}

// The same vectors as fused heads of `head_dim`, where they can be.
void read_in_heads_of(std::uint32_t head_dim, NamedDump& dump, DumpTensors& tensors,
                      const DumpHints& hints) {
    read_in_heads({&head_dim, 1}, dump, tensors, hints, [](const Dump&) { return true; });
}

}  // namespace

KnownSpecs known_specs() {
    KnownSpecs known;
    for (const Model& model : models()) {
        const Flag flag{"--model", std::string(model.name)};
        for (const LayerGroup& group : resolve_model(std::nullopt, {&flag, 1}).groups)
            if (group.rotates) {
                known.specs.push_back(group.resolved.spec);
                known.models.push_back(model.name);
            }
    }
    return known;
}

std::string models_of(const Spec& spec, const KnownSpecs& known) {
    std::string names;
    int count = 0;
    for (std::size_t k = 0; k < known.specs.size(); ++k) {
        const Spec& other = known.specs[k];
        if (!rotate_alike(other, spec) || ++count > 4) continue;
        names += (names.empty() ? "" : ", ") + std::string(known.models[k]);
    }
    if (count > 4) names += ", …";
    return names;
}

namespace {

std::string identity_of(const Identity& found, const KnownSpecs& known) {
    constexpr std::size_t most = 3;
    std::string text = shell_words(spec_words(found.spec));
    if (const std::string names = models_of(found.spec, known); !names.empty())
        text += "; matches " + names;
    const std::span<const Spec> others(found.also);
    for (const Spec& other : others.first(std::min(most, others.size()))) {
        const std::string names = models_of(other, known);
        text += (&other == others.data() ? "; these values fit as well: " : "; ") +
                (names.empty() ? shell_words(spec_words(other)) : names);
    }
    return text + (others.size() > most ? "; …" : "");
}

// With the base, which was assumed like the rest, where it is the default.
std::string assumed_words(const Spec& spec) {
    const std::string words = shell_words(spec_words(spec));
    return spec.rope_theta == Spec{}.rope_theta ? words + " --base " + decimal(spec.rope_theta)
                                                : words;
}

std::string identity_of(const Majority& found, const KnownSpecs& known) {
    const auto count = [](std::size_t some, std::size_t all, const std::string& what) {
        return decimal(some) + " of the " + decimal(all) + " " + what;
    };
    std::string text = "no config was given, and no known parameters fit all of it; assumed: " +
                       assumed_words(found.spec) + ", whose frequencies fit " +
                       count(found.pairs, found.of_pairs, "pairs that distinguish bases");
    if (found.of_rows > 0) text += ", in " + count(found.rows, found.of_rows, "sampled rows");
    if (const std::string names = models_of(found.spec, known); !names.empty())
        text += "; matches " + names;
    return text;
}

std::string identity_by_default(const Spec& spec) {
    return "no config was given, and no known parameters fit; assumed: " + assumed_words(spec);
}

void refuse_open(const Identity& found) {
    if (!found.is_open) return;
    if (axis_count(found.spec.axes) > 1)
        throw InputError("no known parameters fit positions on " +
                         decimal(axis_count(found.spec.axes)) +
                         " axes; give the config, as in --config FILE, or its axes, as in --rope "
                         "axes=blocks,mrope_section=8,28,28");
    throw InputError(
        "no known parameters fit, and without rows at neighbouring positions the frequencies "
        "cannot be determined; give the config, as in --config FILE or --base 500000");
}

bool is_of_vectors(const NamedDump& dump) { return std::holds_alternative<RotatedDump>(dump.dump); }

// What rotates another tensor, in the form of this one: tables hold the rotated lanes alone.
Spec in_form_of(const NamedDump& dump, const Identity& own, const NamedDump& other, Spec spec) {
    if (!is_of_vectors(dump)) {
        spec.head_dim = spec.rotary_dim;
        spec.rotary_offset = 0;
        spec.layout = PairLayout::half_split;
    } else if (!is_of_vectors(other)) {
        spec.head_dim = dump.lanes;
        spec.layout = own.spec.layout;
        if (spec.rotary_dim == own.spec.rotary_dim) spec.rotary_offset = own.spec.rotary_offset;
    }
    return spec;
}

// The dumps of a file, as nothing but themselves tells them.
class UnknownDumps {
  public:
    UnknownDumps(std::vector<NamedDump>& dumps, DumpTensors& tensors, const DumpHints& hints,
                 const KnownSpecs& known)
        : dumps_(dumps), tensors_(tensors), hints_(hints), known_(known) {
        for (NamedDump& dump : dumps)
            alone_.push_back(identity_in_heads(dump, tensors, hints, known.specs));
        // several tables one after the other differ
        if (dumps.size() > 1 && std::ranges::count_if(dumps, std::not_fn(is_of_vectors)) < 2)
            find_shared();
    }

    Identified one(std::size_t i) {
        const bool is_other = shared_ && is_sound(shared_for(*shared_, i));
        Identified one = is_other && !is_alike(*shared_, i) ? as_shared(i) : by_itself(i);
        for (const char* field : {"head_dim", "rotary_dim", "layout", "rope_theta", "rope_type"})
            one.resolved.origins.push_back({field, "the dump"});
        return one;
    }

  private:
    // The first that most hold by, and of those that most follow: what is off by a mistake is a
    // poor witness.
    void find_shared() {
        if (are_alike()) return;
        std::pair<std::size_t, std::size_t> most{0, 0};
        for (std::size_t i = 0; i < dumps_.size(); ++i) {
            if (!alone_[i].fits) continue;
            std::pair<std::size_t, std::size_t> followers{0, 0};
            for (std::size_t j = 0; j < dumps_.size(); ++j) {
                const bool holds = holds_by(i, j);
                followers.first += holds;
                followers.second += holds || is_alike(i, j);
            }
            if (followers > most) shared_ = i;
            most = std::max(most, followers);
        }
    }

    // Whose lanes `i` has beside a table, which tells none: those of the first vectors that fit.
    std::size_t whose_lanes(std::size_t i) const {
        for (std::size_t k = 0; k < dumps_.size() && is_of_vectors(dumps_[i]); ++k)
            if (is_of_vectors(dumps_[k]) && alone_[k].fits) return k;
        return i;
    }

    // No sound one where a table is wider than the heads beside it, or of other pairs than their
    // axes have.
    Spec shared_for(std::size_t leader, std::size_t i) const {
        if (i == leader) return alone_[i].spec;
        const Identity& own = alone_[whose_lanes(i)];
        Spec spec = in_form_of(dumps_[i], own, dumps_[leader], alone_[leader].spec);
        if (axis_count(spec.axes) != axes_of(dumps_[i].dump)) spec.axes = alone_[i].spec.axes;
        const bool is_determined = is_of_vectors(dumps_[leader]) || own.fits;
        return is_determined || !is_of_vectors(dumps_[i]) || !is_sound(spec)
                   ? spec
                   : by_any_lanes(spec, dumps_[i]);
    }

    // The first that holds.
    static Spec by_any_lanes(const Spec& spec, const NamedDump& dump) {
        Spec other = spec;
        for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved,
                                        PairLayout::interleaved_to_half_split})
            for (const std::uint32_t offset : {0U, spec.head_dim - spec.rotary_dim}) {
                other.layout = layout;
                other.rotary_offset = offset;
                if (is_sound(other) && rotates_by(other, dump.dump)) return other;
            }
        return spec;
    }

    bool is_alike(std::size_t leader, std::size_t i) const {
        return alone_[i].fits && rotate_alike(shared_for(leader, i), alone_[i].spec);
    }
    bool are_alike() const {
        for (std::size_t i = 0; i < dumps_.size(); ++i)
            if (!alone_[i].fits || !is_alike(0, i)) return false;
        return true;
    }
    bool holds_by(std::size_t leader, std::size_t i) const {
        const Spec spec = shared_for(leader, i);
        return dumps_[i].lanes == spec.head_dim && is_sound(spec) &&
               rotates_by(spec, dumps_[i].dump);
    }

    // What holds by it as well is it.
    Identified as_shared(std::size_t i) {
        const bool holds = holds_by(*shared_, i);
        const NamedDump& leader = dumps_[*shared_];
        const std::size_t lanes = whose_lanes(i);
        if (!holds && !is_of_vectors(leader) && !alone_[lanes].fits)
            if (auto most = majority_in_heads(dumps_[i], tensors_, hints_, known_.specs))
                alone_[i].spec = std::move(most->spec);
        const Identity shared{shared_for(*shared_, i), true};
        if (is_of_vectors(leader))
            read_in_heads_of(shared.spec.head_dim, dumps_[i], tensors_, hints_);
        const std::string of_all = identity_of(shared, known_);
        if (holds) return {{shared.spec, {}, {}}, of_all};
        const bool are_two = is_of_vectors(dumps_[i]) && !is_of_vectors(leader) && lanes != i;
        std::string text =
            "as " + leader.name +
            (are_two ? " and " + dumps_[lanes].name + " are, since one rotation makes all: "
                     : " is, since one rotation makes both: ") +
            of_all;
        if (alone_[i].fits) text += "; on its own: " + identity_of(alone_[i], known_);
        return {{shared.spec, {}, {}}, text};
    }

    Identified by_itself(std::size_t i) {
        const Identity& found = alone_[i];
        std::optional<Majority> most;
        if (!found.fits) {
            most = majority_in_heads(dumps_[i], tensors_, hints_, known_.specs);
            if (!most) refuse_open(found);
        }
        const Spec& assumed = most ? most->spec : found.spec;
        return {{assumed, {}, {}},
                found.fits ? identity_of(found, known_)
                : most     ? identity_of(*most, known_)
                           : identity_by_default(assumed),
                true};
    }

    std::vector<NamedDump>& dumps_;
    DumpTensors& tensors_;
    const DumpHints& hints_;
    const KnownSpecs& known_;
    std::vector<Identity> alone_;
    std::optional<std::size_t> shared_;
};

}  // namespace

std::string identity_beside_mistakes(const Spec& spec) {
    return "no config was given; fitted, up to the mistakes below: " + assumed_words(spec);
}

std::vector<Identified> identified(std::vector<NamedDump>& dumps, DumpTensors& tensors,
                                   const DumpHints& hints, const KnownSpecs& known) {
    UnknownDumps unknown(dumps, tensors, hints, known);
    std::vector<Identified> all;
    for (std::size_t i = 0; i < dumps.size(); ++i) all.push_back(unknown.one(i));
    return all;
}

}  // namespace rope::io
