// Identifies dumps without a config by their shape and by the Specs that they match.

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "io/model/models.hpp"
#include "io/model/resolved_model.hpp"
#include "io/render/results.hpp"
#include "io/subject/subject.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
KnownSpecs known_specs(bool with_both) {
    KnownSpecs known;
    for (const Model& model : models()) {
        const Flag flag{"--model", std::string(model.name)};
        ResolvedModel resolved = resolve_model(std::nullopt, {&flag, 1});
        if (with_both) resolved = with_both_tables(std::move(resolved));
        for (const LayerGroup& group : resolved.groups)
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
        // both tables of one model
        if (!rotate_alike(other, spec) || names.ends_with(known.models[k]) || ++count > 4) continue;
        names += (names.empty() ? "" : ", ") + std::string(known.models[k]);
    }
    if (count > 4) names += ", …";
    return names;
}

namespace {

// The flags of a Spec that the values determine: the base, also if it is the default, and no
// context unless the frequencies depend on it.
std::string flags_of(Spec spec) {
    Spec other = spec;
    other.max_position_embeddings = Spec{}.max_position_embeddings;
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision),
                        without = plan_frequencies(other, exact_precision);
    if (plan.inv_freq() == without.inv_freq() && plan.attention_factor == without.attention_factor)
        spec = std::move(other);
    std::vector<std::string> words = spec_words(spec);
    if (spec.rope_theta == Spec{}.rope_theta) {
        const auto scaling = std::ranges::find(words, "--rope");
        words.insert(words.insert(scaling, "--base") + 1, decimal(spec.rope_theta));
    }
    return shell_words(words);
}

bool is_of_no_model(const Spec& spec, const KnownSpecs& known) {
    return has_type(spec, {"yarn", "llama3", "longrope"}) && models_of(spec, known).empty();
}

std::string identity_of(const Identity& found, const KnownSpecs& known) {
    constexpr std::size_t most = 3;
    const std::string names = models_of(found.spec, known);
    std::string text = flags_of(found.spec);
    if (!names.empty()) text += "; matches " + names;
    // a list of a factor for every pair is too long for a line
    if (!names.empty() && !found.spec.scaling.short_factor.empty())
        text = "--model " + names.substr(0, names.find(','));
    const std::span<const Spec> others(found.also);
    for (const Spec& other : others.first(std::min(most, others.size()))) {
        const std::string of_other = models_of(other, known);
        text += (&other == others.data() ? "; these values fit as well: " : "; ") +
                (of_other.empty() ? flags_of(other) : of_other);
    }
    return text + (others.size() > most ? "; …" : "");
}

std::string identity_of(const Majority& found, const KnownSpecs& known) {
    const auto count = [](std::size_t some, std::size_t all, const std::string& what) {
        return decimal(some) + " of the " + decimal(all) + " " + what;
    };
    std::string text = "no config was given, and no known parameters fit all of it; assumed: " +
                       flags_of(found.spec) + ", whose frequencies fit " +
                       count(found.pairs, found.of_pairs, "pairs that distinguish bases");
    if (found.of_rows > 0) text += ", in " + count(found.rows, found.of_rows, "sampled rows");
    if (const std::string names = models_of(found.spec, known); !names.empty())
        text += "; matches " + names;
    return text;
}

void refuse_open(const Identity& found) {
    if (!found.is_open) return;
    if (axis_count(found.spec.axes) > 1)
        throw InputError("no known parameters fit positions on " +
                         decimal(axis_count(found.spec.axes)) +
                         " axes; give the config, as in --config FILE, or its axes and base, as "
                         "in " +
                         flags_of(found.spec));
    throw InputError(
        "no known parameters fit, and without rows at neighbouring positions the frequencies "
        "cannot be determined; give the config, as in --config FILE or --base 500000");
}

// The rows of one sequence and head.
std::uint64_t length_of(const NamedDump& dump) {
    const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
    return vectors == nullptr ? rows_of(dump.dump)->positions.size()
                              : vectors->grid.sequence.length;
}

// Whether rows may be at other positions than those that are tried first: one id of a sequence may
// be that of the first or the last of several rows.
bool leave_a_choice(const std::vector<StatedPositions>& stated, const NamedDump& dump) {
    const auto& ids = stated[0].ids;
    if (stated.size() > 1) return true;
    if (!ids || ids->array.shape.empty()) return ids.has_value();
    const Shape& shape = ids->array.shape;
    return ids->array.size() == 1 || shape.back() == 1 ||
           (shape.size() == 1 && shape[0] != length_of(dump));
}

// Whether of heads, which are not fused, just the last dimensions change, as in latent attention.
bool changes_only_last(const Dump& dump, std::size_t dimensions) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr || vectors->grid.head.length == 1) return false;
    bool do_last = false;
    for (std::size_t row = 0; row < vectors->positions.size(); ++row)
        for (std::size_t k = 0, all = head_dim_of(*vectors); k < all; ++k) {
            if (vectors->before.at(row, k) == vectors->after.at(row, k)) continue;
            if (k + dimensions < all) return false;
            do_last = true;
        }
    return do_last;
}

// Whether every row of vectors in heads of the Spec's width, or of a table of it, is right.
bool is_right_by(const Spec& spec, const NamedDump& dump) {
    return dump.dimensions == spec.head_dim && is_sound(spec) && rotates_by(spec, dump.dump);
}

// The Spec of another tensor in the form of this one: tables hold only the dimensions that rotate.
Spec in_form_of(const NamedDump& dump, const Spec& own, const NamedDump& other, Spec spec) {
    if (!holds<RotatedDump>(dump)) {
        spec.head_dim = spec.rotary_dim;
        spec.rotary_offset = 0;
        spec.layout = PairLayout::half_split;
    } else if (!holds<RotatedDump>(other)) {
        spec.head_dim = dump.dimensions;
        if (axis_count(own.axes) == axis_count(spec.axes)) spec.layout = own.layout;
        if (spec.rotary_dim == own.rotary_dim) spec.rotary_offset = own.rotary_offset;
    } else if (dump.dimensions == spec.rotary_dim) {  // k_pe of latent attention
        spec.head_dim = spec.rotary_dim;
        spec.rotary_offset = 0;
    } else if (dump.dimensions > spec.head_dim && changes_only_last(dump.dump, spec.rotary_dim)) {
        spec.head_dim = dump.dimensions;  // whole heads next to k_pe
        spec.rotary_offset = dump.dimensions - spec.rotary_dim;
    }
    return spec;
}

// The first pair layout and offset by which the vectors rotate; else the Spec as it is.
Spec by_any_dimensions(const Spec& spec, const NamedDump& dump) {
    Spec other = spec;
    for (const PairLayout layout :
         {PairLayout::half_split, PairLayout::interleaved, PairLayout::interleaved_to_half_split})
        for (const std::uint32_t offset : {0U, spec.head_dim - spec.rotary_dim}) {
            other.layout = layout;
            other.rotary_offset = offset;
            if (is_sound(other) && rotates_by(other, dump.dump)) return other;
        }
    return spec;
}

// Whether the norm of every row is multiplied by one number beyond 1, as by an attention factor.
bool has_attention_factor(const NamedDump& dump, const Spec& spec) {
    constexpr double least = 1.01, most_apart = 0x1p-6;  // of 16-bit rows
    const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
    if (vectors == nullptr || dump.dimensions != spec.head_dim) return false;
    double lowest = INFINITY, highest = 0;
    for (std::uint64_t row = 0; row < vectors->positions.size(); ++row) {
        double before = 0, after = 0;
        for (std::uint64_t k = spec.rotary_offset; k < spec.rotary_offset + spec.rotary_dim; ++k) {
            before += vectors->before.at(row, k) * vectors->before.at(row, k);
            after += vectors->after.at(row, k) * vectors->after.at(row, k);
        }
        if (before == 0) continue;
        lowest = std::min(lowest, std::sqrt(after / before));
        highest = std::max(highest, std::sqrt(after / before));
    }
    return lowest > least && highest - lowest < most_apart * highest;
}

// The rotations of vision towers, on two axes, and of image and video models, on three.
std::vector<Spec> image_specs(std::uint32_t head_dim) {
    constexpr auto split = PairLayout::half_split, interleaved = PairLayout::interleaved;
    struct OfImages {
        AxisMap axes;
        PairLayout layout;
        double base;
    };
    std::vector<OfImages> all{
        {{AxisScheme::axial}, split, 1e4},              // Qwen2-VL
        {{AxisScheme::axial}, split, 100},              // DINOv3
        {{AxisScheme::halves}, split, 100},             // Gemma 4
        {{AxisScheme::axial}, interleaved, 1e4},        // Llama 4
        {{AxisScheme::even_odd}, split, 1e4},           // Pixtral
        {{AxisScheme::alternating}, interleaved, 1e4},  // Kimi-K2.5
    };
    for (const AxisMap& axes : maps_of_ladders(3, head_dim / 2))
        for (const double base : {1e4, 256.0})  // Wan, Flux; HunyuanVideo, Z-Image
            if (axes.scheme == AxisScheme::blocks) all.push_back({axes, interleaved, base});
    std::vector<Spec> specs;
    for (const auto& [axes, layout, base] : all) {
        Spec spec;
        spec.head_dim = spec.rotary_dim = head_dim;
        spec.layout = layout;
        spec.rope_theta = base;
        spec.axes = axes;
        if (is_sound(spec)) specs.push_back(std::move(spec));
    }
    return specs;
}

// The widths of heads that fused dimensions may hold: usual ones, then the other multiples of 8.
std::vector<std::uint32_t> head_dims_in(std::uint32_t dimensions) {
    std::vector<std::uint32_t> all{128, 64, 80, 96, 256, 112, 192, 512, 72, 88, 48, 32, 100};
    for (std::uint32_t other = 40; other < 256; other += 8)
        if (std::ranges::count(all, other) == 0) all.push_back(other);
    std::erase_if(all,
                  [&](std::uint32_t one) { return dimensions <= one || dimensions % one != 0; });
    return all;
}

// The dumps of a file without a config.
class UnknownDumps {
  public:
    UnknownDumps(std::vector<NamedDump>& dumps, DumpTensors& tensors, const DumpHints& hints,
                 const KnownSpecs& known, bool has_reference)
        : dumps_(dumps),
          tensors_(tensors),
          hints_(hints),
          known_(known),
          has_reference_(has_reference) {
        for (NamedDump& dump : dumps) {
            alone_.push_back(identity_in_heads(dump));
            if (holds<RotatedDump>(dump)) read_to_follow(alone_.back(), dump);
        }
        for (std::size_t i = 0; i + 1 < dumps.size(); ++i) read_in_heads_of_keys(i);
        for (std::size_t i = 1; i < dumps.size(); ++i) read_in_heads_of_table(i);
        for (std::size_t i = 0; i < dumps.size() && has_text_; ++i)
            if (auto other = alone_[i].fits ? std::nullopt : read_without_text(dumps[i])) {
                dumps[i] = *std::move(other);
                alone_[i] = identify_judged(dumps[i].dump, known_.specs);
            }
        if (dumps.size() > 1 && std::ranges::none_of(dumps, &NamedDump::is_concatenated))
            find_shared();
    }

    Identified one(std::size_t i) {
        const bool is_other = shared_ && is_sound(shared_for(*shared_, i));
        Identified one = is_other && !is_alike(*shared_, i) ? as_shared(i) : by_itself(i);
        for (const char* field : {"head_dim", "rotary_dim", "layout", "rope_theta", "rope_type"})
            one.resolved.origins.push_back({field, "the dump"});
        for (std::size_t k = 0; k < alone_.size(); ++k)
            one.has_right_others = one.has_right_others || (k != i && alone_[k].fits_all);
        return one;
    }

  private:
    // The dump of this name as `hints` read it; nothing if its shape leaves a choice, unless it
    // `asks`: then throws OpenOrder.
    std::optional<NamedDump> loaded(const std::string& name, const DumpHints& hints,
                                    bool asks = false) {
        try {
            for (NamedDump& other : load_dump(tensors_, hints))
                if (other.name == name) return std::move(other);
        } catch (const OtherName&) {
            throw;
        } catch (const OpenOrder&) {
            if (asks) throw;
        } catch (const InputError&) {
        }
        return std::nullopt;
    }

    // Reads vectors as fused heads of each width until is_it(dump) returns true.
    void read_in_heads(
        std::span<const std::uint32_t> head_dims, NamedDump& dump,
        const std::function<bool(const Dump&)>& is_it = [](const Dump&) { return true; }) {
        DumpHints hints = hints_;
        for (const std::uint32_t head_dim : head_dims) {
            if (!holds<RotatedDump>(dump) || dump.dimensions <= head_dim ||
                dump.dimensions % head_dim != 0)
                continue;
            hints.head_dim = head_dim;
            auto other = loaded(dump.name, hints);
            // three fused heads do not have a row of position_ids each
            if (!other || axes_of(other->dump) != axes_of(dump.dump) || !is_it(other->dump))
                continue;
            dump = std::move(*other);
            return;
        }
    }

    // Reads q in several heads as wide as the keys that follow, if they then rotate alike.
    void read_in_heads_of_keys(std::size_t q) {
        const NamedDump& keys = dumps_[q + 1];
        NamedDump& dump = dumps_[q];
        if (!holds<RotatedDump>(keys) || !alone_[q + 1].fits || keys.dimensions == dump.dimensions)
            return;
        NamedDump before = dump;
        const NamedDump* const placed = placed_;
        read_in_heads({&keys.dimensions, 1}, dump);
        Identity again = identity_in_heads(dump);
        if (dump.dimensions == keys.dimensions && again.fits &&
            rotate_alike(again.spec, alone_[q + 1].spec)) {
            alone_[q] = std::move(again);
            return;
        }
        dump = std::move(before);
        placed_ = placed;
    }

    // Reads vectors in heads as wide as the first table, if they then rotate by it.
    void read_in_heads_of_table(std::size_t i) {
        const NamedDump& table = dumps_.front();
        if (!holds<RotatedDump>(dumps_[i]) || alone_[i].fits || holds<RotatedDump>(table) ||
            !alone_.front().fits || dumps_[i].dimensions % table.dimensions != 0)
            return;
        DumpHints hints = hints_;
        hints.head_dim = table.dimensions;
        const auto spec_of = [&](const Dump& one) {
            return by_any_dimensions(alone_.front().spec, {dumps_[i].name, one, table.dimensions});
        };
        hints.follows = [&](const Dump& one) {
            return dimensions_of(one) == table.dimensions && rotates_by(spec_of(one), one);
        };
        auto other = loaded(dumps_[i].name, hints);
        if (!other || axes_of(other->dump) != axes_of(table.dump) || !hints.follows(other->dump))
            return;
        alone_[i] = {.spec = spec_of(other->dump), .fits = true, .fits_all = true};
        dumps_[i] = *std::move(other);
    }

    // Reads vectors of two to four heads, of [heads, L] rows, at positions on as many axes, which
    // look like a batch. With heads, too, they are a batch.
    std::optional<NamedDump> read_on_axes(const NamedDump& dump) {
        const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
        if (vectors == nullptr || axes_of(dump.dump) > 1) return std::nullopt;
        if (vectors->grid.batch.length > 1 && vectors->grid.head.length > 1) return std::nullopt;
        DumpHints hints = hints_;
        hints.has_no_batch = true;
        auto other = loaded(dump.name, hints);
        return other && axes_of(other->dump) > 1 ? std::move(other) : std::nullopt;
    }

    // Reads positions on four axes whose first is that of the text, [4, B, L], as those of time,
    // height and width.
    std::optional<NamedDump> read_without_text(const NamedDump& dump) {
        const auto& ids = stated_[0].ids;
        const bool may_be_batch = ids && ids->array.shape.size() == 3 && ids->array.shape[0] == 4;
        if (axes_of(dump.dump) != 4 && !may_be_batch) return std::nullopt;
        DumpHints hints = hints_;
        hints.spec = with_axes(plain_spec(dump.dump), 3);
        hints.has_only_tables = !holds<RotatedDump>(dump);  // which may be narrower than heads
        auto other = loaded(dump.name, hints);
        return other && axes_of(other->dump) == 3 ? std::move(other) : std::nullopt;
    }

    // identify_judged() of a dump that may be right, of vectors once for each order of axes and
    // positions in which they are read: several choices may read them alike.
    Identity identity_as_read(const Dump& dump) {
        const auto* vectors = std::get_if<RotatedDump>(&dump);
        if (vectors == nullptr) return identify_judged(dump, known_.specs);
        std::vector<double> numbers = vectors->positions;
        for (const auto& axis : vectors->more_positions)
            numbers.insert(numbers.end(), axis.begin(), axis.end());
        numbers.push_back(static_cast<double>(vectors->padding));
        for (std::size_t k = 0; k < head_dim_of(*vectors); ++k)
            if (const double x = vectors->before.at(0, k); std::isfinite(x)) numbers.push_back(x);
        const auto [found, is_new] = as_read_.try_emplace(
            {find_assumption(vectors->read_as, "axes")->value, std::move(numbers)});
        if (is_new && may_be_right(dump)) found->second = identify_judged(dump, known_.specs);
        return found->second;
    }

    // Returns whether all rows rotate by what was found, or by known parameters if nothing was.
    // Reads vectors in another way, such as from their only id on or at row numbers next to a mask,
    // if they do only so. Throws OpenOrder if it `asks`, and a likelier order does not follow.
    bool read_to_follow(Identity& found, NamedDump& dump, bool asks = false) {
        if (found.fits_all || (found.fits && is_right_by(found.spec, dump))) return true;
        if (!holds<RotatedDump>(dump) || (!found.fits && !leave_a_choice(stated_, dump)))
            return false;
        DumpHints hints = hints_;
        if (found.fits) hints.spec = found.spec;
        Identity again = found;
        hints.follows = [&](const Dump& one) {
            if (!found.fits) again = identity_as_read(one);
            return again.fits && follows(again.spec, one);
        };
        auto other = loaded(dump.name, hints, asks);
        if (!other || !again.fits || !is_right_by(again.spec, *other)) return false;
        dump = *std::move(other);
        found = std::move(again);
        return true;
    }

    // Reads rows without ids as patches of an image or a video at places that follow the Spec, or
    // at those of an earlier dump.
    std::optional<NamedDump> on_axes_of(const Spec& spec, const NamedDump& dump) {
        ResolvedSpec asked{spec, {}, {}};
        DumpHints hints = hints_;
        hints.spec = spec;
        hints.follows = [&](const Dump& one) { return follows(spec, one); };
        const bool is_read_again =
            grids_ || axes_of(dump.dump) > 1 || spec.head_dim != dump.dimensions;
        auto other = is_read_again ? loaded(dump.name, hints) : dump;
        if (!other || other->dimensions != spec.head_dim) return std::nullopt;
        try {
            place_on_axes(*other, asked, grids_, placed_);
        } catch (const InputError&) {
            return std::nullopt;
        }
        return axes_of(other->dump) > 1 ? std::move(other) : std::nullopt;
    }

    // Identifies patches by the usual rotations of images and videos, whose grids must explain
    // every value, in heads as wide as those that were read.
    std::optional<Identity> identity_in_images(NamedDump& dump, const NamedDump& read) {
        if (holds<FrequencyDump>(read) || axes_of(read.dump) > 1) return std::nullopt;
        for (const Spec& spec : image_specs(read.dimensions)) {
            auto other = on_axes_of(spec, read);
            if (!other || !rotates_by(spec, other->dump)) continue;
            dump = *std::move(other);
            if (placed_ == nullptr) placed_ = &dump;
            return Identity{.spec = spec, .fits = true, .fits_all = true};
        }
        return std::nullopt;
    }

    // Identifies a dump; rows that match nothing are read again on several axes, as patches, and
    // as fused heads of each usual width.
    Identity identity_in_heads(NamedDump& dump) {
        if (are_unrotated({&dump, 1}))
            return {.spec = with_axes(plain_spec(dump.dump), axes_of(dump.dump))};
        Identity found = identify_judged(dump.dump, known_.specs);
        if (found.fits_all) return found;
        if (auto other = read_without_text(dump))
            if (Identity again = identify_judged(other->dump, known_.specs);
                found.fits ? again.fits_all : again.fits) {
                dump = *std::move(other);
                has_text_ = true;
                return again;
            }
        if (found.fits) return found;
        if (auto of_images = identity_in_images(dump, dump)) return *std::move(of_images);
        if (auto other = read_on_axes(dump))
            if (Identity again = identify_judged(other->dump, known_.specs); again.fits) {
                dump = std::move(*other);
                return again;
            }
        read_in_heads(head_dims_in(dump.dimensions), dump, [&](const Dump& fused) {
            // on several axes it takes long to find that nothing fits
            if (axes_of(fused) > 1 && !identify(fused, known_.specs).fits) return false;
            Identity again = identify_judged(fused, known_.specs);
            if (again.fits || (again.may_be_right && !found.may_be_right)) found = std::move(again);
            return found.fits;
        });
        if (found.fits || !holds<RotatedDump>(dump)) return found;
        for (const std::uint32_t head_dim : head_dims_in(dump.dimensions)) {
            NamedDump fused = dump;
            read_in_heads({&head_dim, 1}, fused);
            if (fused.dimensions == dump.dimensions) continue;
            if (auto of_images = identity_in_images(dump, fused)) return *std::move(of_images);
        }
        if (found.spec.head_dim != dump.dimensions) read_in_heads({&found.spec.head_dim, 1}, dump);
        return found;
    }

    // The parameters that most of a dump follows, with the same other readings.
    std::optional<Majority> majority_in_heads(NamedDump& dump) {
        if (are_unrotated({&dump, 1})) return std::nullopt;
        std::optional<Majority> found = majority_of(dump.dump, known_.specs);
        if (auto other = read_without_text(dump); other && !found)
            if ((found = majority_of(other->dump, known_.specs))) dump = *std::move(other);
        if (auto other = read_on_axes(dump)) {
            auto again = majority_of(other->dump, known_.specs);
            if (again && (!found || again->rows * found->of_rows > found->rows * again->of_rows)) {
                dump = std::move(*other);
                return again;
            }
        }
        if (found) return found;
        read_in_heads(head_dims_in(dump.dimensions), dump, [&](const Dump& fused) {
            found = majority_of(fused, known_.specs);
            // the first pairs of an interleaved head equal those of a narrower head with another
            // base
            if (found && axis_count(found->spec.axes) > 1 && 2 * found->rows <= found->of_rows)
                found.reset();
            return found.has_value();
        });
        return found;
    }

    // Finds the Spec that fits most dumps. A dump with a mistake may suggest a wrong one.
    void find_shared() {
        bool are_alike = true;
        for (std::size_t i = 0; i < dumps_.size(); ++i)
            are_alike = are_alike && alone_[i].fits && is_alike(0, i);
        if (are_alike) return;
        if (placed_ != nullptr) {  // patches show more than text
            shared_ = static_cast<std::size_t>(placed_ - dumps_.data());
            return;
        }
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

    // The dump that gives vectors their pair layout, which a table does not show: the first vectors
    // that fit.
    std::size_t whose_dimensions(std::size_t i) const {
        for (std::size_t k = 0; k < dumps_.size() && holds<RotatedDump>(dumps_[i]); ++k)
            if (holds<RotatedDump>(dumps_[k]) && alone_[k].fits) return k;
        return i;
    }

    // The Spec of `leader` in the form of dump i. It is not valid if a table is wider than the
    // heads, or has other pairs than their axes.
    Spec shared_for(std::size_t leader, std::size_t i) const {
        if (i == leader) return alone_[i].spec;
        const Identity& own = alone_[whose_dimensions(i)];
        Spec spec = in_form_of(dumps_[i], own.spec, dumps_[leader], alone_[leader].spec);
        if (axis_count(spec.axes) != axes_of(dumps_[i].dump)) spec.axes = alone_[i].spec.axes;
        const bool is_determined = holds<RotatedDump>(dumps_[leader]) || own.fits;
        return is_determined || !holds<RotatedDump>(dumps_[i]) || !is_sound(spec)
                   ? spec
                   : by_any_dimensions(spec, dumps_[i]);
    }

    // Whether one dump holds patches on a grid, and the other text or another grid.
    bool differ_in_axes(std::size_t a, std::size_t b) const {
        return placed_ != nullptr && axes_of(dumps_[a].dump) != axes_of(dumps_[b].dump);
    }
    bool is_alike(std::size_t leader, std::size_t i) const {
        return alone_[i].fits && !differ_in_axes(leader, i) &&
               rotate_alike(shared_for(leader, i), alone_[i].spec);
    }
    bool holds_by(std::size_t leader, std::size_t i) const {
        return !differ_in_axes(leader, i) && is_right_by(shared_for(leader, i), dumps_[i]);
    }

    Identified as_shared(std::size_t i) {
        if (differ_in_axes(*shared_, i)) {
            const Spec& own = alone_[whose_dimensions(i)].spec;
            const Spec spec = in_form_of(dumps_[i], own, *placed_, alone_[*shared_].spec);
            if (auto other = on_axes_of(spec, dumps_[i])) dumps_[i] = *std::move(other);
        }
        const NamedDump& leader = dumps_[*shared_];
        const std::size_t dimensions = whose_dimensions(i);
        Identity shared{shared_for(*shared_, i), true};
        const bool is_right = holds_by(*shared_, i) || (!differ_in_axes(*shared_, i) &&
                                                        read_to_follow(shared, dumps_[i], true));
        if (!is_right && !holds<RotatedDump>(leader) && !alone_[dimensions].fits)
            if (auto most = majority_in_heads(dumps_[i])) {
                alone_[i].spec = std::move(most->spec);
                shared.spec = shared_for(*shared_, i);
            }
        if (holds<RotatedDump>(leader)) read_in_heads({&shared.spec.head_dim, 1}, dumps_[i]);
        if (holds<RotatedDump>(leader) && holds<RotatedDump>(dumps_[i]) &&
            dumps_[i].dimensions != shared.spec.head_dim)
            throw InputError(dumps_[i].name + ": the last axis, of " +
                             decimal(dumps_[i].dimensions) + ", has no heads as those of " +
                             leader.name + ", of " + decimal(shared.spec.head_dim) +
                             "; give the config, as in --config FILE");
        const std::string of_all = identity_of(shared, known_);
        if (is_right) return {{shared.spec, {}, {}}, of_all};
        const bool may_be_scaled = alone_[i].has_frequencies && is_of_no_model(shared.spec, known_);
        // other rows than those of patches whose places are known
        const bool may_be_placed = placed_ == &leader && alone_[i].may_be_right &&
                                   length_of(dumps_[i]) != length_of(leader);
        const bool are_two =
            holds<RotatedDump>(dumps_[i]) && !holds<RotatedDump>(leader) && dimensions != i;
        std::string text =
            "as " + leader.name +
            (are_two ? " and " + dumps_[dimensions].name + " are, since one rotation makes all: "
                     : " is, since one rotation makes both: ") +
            of_all;
        if (alone_[i].fits) text += "; on its own: " + identity_of(alone_[i], known_);
        return {{shared.spec, {}, {}}, text, false, may_be_scaled || may_be_placed, may_be_scaled};
    }

    Identified by_itself(std::size_t i) {
        const Identity& found = alone_[i];
        const bool is_fitted = is_of_no_model(found.spec, known_);
        if (found.fits)
            return {{found.spec, {}, {}},
                    identity_of(found, known_),
                    true,
                    found.has_frequencies || is_fitted,
                    is_fitted};
        if (const auto most = majority_in_heads(dumps_[i])) {
            Identity as_most{most->spec, true};
            if (read_to_follow(as_most, dumps_[i]))
                return {{as_most.spec, {}, {}}, identity_of(as_most, known_), true};
            // a scaling that nobody published leaves the fastest or the slowest pairs as they are,
            // or looks like another one that nobody published; far from position 0 a base of
            // many digits has more than its estimate
            const bool is_scaled = is_of_no_model(most->spec, known_);
            const bool is_of_all_rows = most->of_rows > 0 && most->rows == most->of_rows;
            const bool is_estimate =
                digits_of(most->spec.rope_theta) > 3 || holds<RotatedDump>(dumps_[i]);
            const bool is_whole = is_estimate && most->pairs == most->of_pairs && is_of_all_rows;
            const bool is_part =
                is_scaled ? most->pairs < most->of_pairs : 10 * most->pairs < 9 * most->of_pairs;
            const bool may_be_scaled = (is_whole && models_of(most->spec, known_).empty()) ||
                                       ((found.has_frequencies || is_of_all_rows) && is_part) ||
                                       has_attention_factor(dumps_[i], most->spec);
            const bool has_right_rates = is_of_all_rows && !is_part;
            return {{most->spec, {}, {}}, identity_of(*most, known_), true,
                    may_be_scaled,        may_be_scaled && is_scaled, false,
                    has_right_rates};
        }
        if (!has_reference_) refuse_open(found);
        constexpr std::uint32_t widest = 1024;  // twice as wide as any published head
        if (holds<RotatedDump>(dumps_[i]) && dumps_[i].dimensions > widest)
            throw InputError(dumps_[i].name + ": the last axis, of " +
                             decimal(dumps_[i].dimensions) +
                             ", holds heads of a width that the values do not show; give the "
                             "config, as in --config FILE, or --dim");
        return {
            {found.spec, {}, {}},
            "no config was given, and no known parameters fit; assumed: " + flags_of(found.spec),
            true,
            found.may_be_right};
    }

    std::vector<NamedDump>& dumps_;
    DumpTensors& tensors_;
    const DumpHints& hints_;
    const KnownSpecs& known_;
    const bool has_reference_;
    const std::vector<StatedPositions> stated_ = stated_positions(tensors_, hints_);
    const std::optional<NamedArray> grids_ = tensors_.first_of(Usual::grid_sizes);
    std::map<std::pair<std::string, std::vector<double>>, Identity> as_read_;
    std::vector<Identity> alone_;
    std::optional<std::size_t> shared_;
    bool has_text_ = false;              // before time, height and width, in a dump that fits so
    const NamedDump* placed_ = nullptr;  // the first dump whose values show its places
};

// Whether a config may ask for it: attention_factor is any number, and nanochat's pairs rotate in
// the opposite direction; not that one copy of a table does.
bool may_be_asked(const Explanation& one, const Report& report, const Dump& dump) {
    const bool is_nanochat = axis_count(report.spec.axes) == 1 && one.parameters.empty();
    const auto* table = std::get_if<TableDump>(&dump);
    const bool is_copy = table != nullptr && find_assumption(table->read_as, "copy") != nullptr;
    return one.part.empty() && !is_copy &&
           ((one.mistake == "direction" && is_nanochat) ||
            (one.mistake == "attention-factor" && find_value(one.parameters, "cos") == nullptr));
}

// Whether most values are wrong, and every pair keeps its norm.
bool is_another_rotation(const Report& report) {
    const Finding* table = find_finding(report, "table-accuracy");
    return table != nullptr && table->violations && 2 * table->violations->count > table->samples &&
           std::ranges::none_of(report.findings, [](const Finding& one) {
               return (one.check == "orthogonality" || one.check == "pair-norm") && is_fault(one);
           });
}

// Whether hardly any value is wrong, and by so much that no other parameters explain it.
bool is_wrong_in_few_values(const Report& report) {
    constexpr double far_off = 16;
    const Finding* table = find_finding(report, "table-accuracy");
    return table != nullptr && table->violations && table->observed > far_off * table->allowed &&
           1000 * table->violations->count <= table->samples;
}

}  // namespace

void require_explained(const NamedDump& dump, const Report& report, const Identified& assumed) {
    const std::string config = "give the config, as in --config FILE";
    if (!assumed.has_right_others && report.diagnosis.size() == 1 && report.observations.empty() &&
        may_be_asked(report.diagnosis.front(), report, dump.dump))
        throw InputError(dump.name + ": " + report.diagnosis.front().what +
                         ", which some configs ask for; " + config);
    const bool is_refitted = assumed.is_assumed &&
                             !rotate_alike(report.spec, assumed.resolved.spec) &&
                             is_of_no_model(report.spec, known_specs(true));
    bool is_fitted = assumed.is_fitted || is_refitted;
    const bool is_estimate = assumed.has_right_rates && is_another_rotation(report);
    if (!(assumed.may_be_right || is_refitted || is_estimate) || is_wrong_in_few_values(report))
        return;
    const auto has = [&](std::string_view mistake) {
        return std::ranges::count(report.diagnosis, mistake, &Explanation::mistake) > 0;
    };
    // two numbers that were fitted to the frequencies, or a number for each
    const auto is_by_no_rule = [](const Explanation& one) {
        const FieldValue* of = find_value(one.parameters, "inv_freq");
        return of != nullptr && *of == FieldValue(std::string("by no rule"));
    };
    is_fitted = is_fitted || (has("base") && has("position-scale")) ||
                std::ranges::any_of(report.diagnosis, is_by_no_rule);
    if (summarize(report).violated == 0 || (!is_fitted && !report.diagnosis.empty())) return;
    if (holds<FrequencyDump>(dump))
        throw InputError(dump.name +
                         ": no known parameters have these frequencies, and no known mistake "
                         "explains them; " +
                         config);
    if (is_fitted)
        throw InputError(dump.name +
                         ": its pairs rotate at constant rates, by no known parameters; " + config);
    const auto* positions = find_assumption(rows_of(dump.dump)->read_as, "positions");
    if (!positions->are_row_numbers && !positions->from.starts_with("row numbers"))
        throw InputError(dump.name +
                         ": its rows are rotated, but by no known parameters at these positions, "
                         "and no known mistake explains them; " +
                         config);
    throw InputError(dump.name +
                     ": its rows are rotated, but by no known parameters at their row numbers or "
                     "on a grid of patches, and no known mistake explains them; " +
                     config + ", the rows' position_ids, or an image model's axes, as in " +
                     shell_words(spec_words(with_axes(plain_spec(dump.dump), 3))));
}

std::string fitted_identity(const Report& report) {
    return (report.diagnosis.empty() ? ""
                                     : "no config was given; fitted, up to the mistakes below: ") +
           flags_of(report.spec);
}

std::vector<NamedDump> load_unknown(DumpTensors& tensors, DumpHints hints,
                                    const KnownSpecs& known) try {
    return load_dump(tensors, hints);
} catch (const UndeterminedAxes& error) {
    const auto ids = stated_positions(tensors, hints).front().ids;
    if (!ids || ids->array.shape.size() < 2 || ids->array.shape[0] == 1) throw;
    hints.follows = [&](const Dump& one) { return identify_judged(one, known.specs).fits_all; };
    try {
        return load_dump(tensors, hints);
    } catch (const InputError&) {  // nothing fits
        throw UndeterminedAxes(error);
    }
}

std::vector<Identified> identified(std::vector<NamedDump>& dumps, DumpTensors& tensors,
                                   const DumpHints& hints, const KnownSpecs& known,
                                   bool has_reference) {
    UnknownDumps unknown(dumps, tensors, hints, known, has_reference);
    std::vector<Identified> all;
    for (std::size_t i = 0; i < dumps.size(); ++i) all.push_back(unknown.one(i));
    require_place(dumps, [&](const NamedDump& one) {
        const auto i = std::ranges::find(dumps, one.name, &NamedDump::name) - dumps.begin();
        return is_right_by(all[static_cast<std::size_t>(i)].resolved.spec, one);
    });
    return all;
}

}  // namespace rope::io
