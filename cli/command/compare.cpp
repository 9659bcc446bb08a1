// compare: a dump against its config, a reference dump or the table in the file.
#include <fmt/format.h>

#include <iterator>
#include <system_error>

#include "base/printable.hpp"
#include "cli/command/judging.hpp"
#include "cli/shell/specs.hpp"
#include "io/dump/dump.hpp"
#include "io/export/export.hpp"
#include "io/model/models.hpp"
#include "io/subject/subject.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

std::optional<io::RawArrays> raw_arrays(const Arguments& arguments) {
    const auto raw = arguments.value("--raw");
    if (!raw) return std::nullopt;
    const std::size_t colon = raw->find(':');
    if (colon == raw->npos)
        throw InputError("--raw",
                         ": '" + printable(*raw) + "' is not TYPE:SHAPE, such as f32:4096,64");
    return io::RawArrays{io::parse_raw_element(raw->substr(0, colon)),
                         io::parse_raw_shape(raw->substr(colon + 1))};
}

io::MemoryLimit memory_limit(const Arguments& arguments) {
    io::MemoryLimit limit{.name = "--max-memory"};
    const auto size = arguments.value("--max-memory");
    if (!size) return limit;
    const std::uint64_t asked = io::parse_whole("--max-memory", *size, 1, INT64_MAX);
    if (arguments.is_recorded && asked > limit.bytes)
        throw InputError("--max-memory", "of the baseline is " + printable(*size) +
                                             "; pass --allow large to let it take more than 4G");
    limit.bytes = asked;
    return limit;
}

// The positions that --positions lists; empty if its value is the name of an array or a file.
std::vector<double> listed_positions(const Arguments& arguments) {
    std::string text = arguments.value("--positions").value_or("");
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    std::error_code error;
    if (text.find_first_of("0123456789") > 1 ||
        text.find_first_not_of("0123456789,.:-kM ") != text.npos ||
        std::filesystem::exists(text, error))
        return {};
    return io::parse_positions("--positions", text);
}

// The values of these options. Throws InputError for a wrong --raw.
io::DumpFiles dump_files(const Arguments& arguments) {
    const auto file = [&](std::string_view name) { return arguments.value(name).value_or(""); };
    return {.dump = file("DUMP"),
            .cos = file("cos="),
            .sin = file("sin="),
            .cos_sin = file("cos_sin="),
            .angles = file("angles="),
            .inv_freq = file("inv_freq="),
            .q = file("q="),
            .q_rot = file("q_rot="),
            .k = file("k="),
            .k_rot = file("k_rot="),
            .positions = file("--positions"),
            .numbers = listed_positions(arguments),
            .raw = raw_arrays(arguments),
            .memory = memory_limit(arguments)};
}

// The options that name the dump, those before --context, as typed, for the report's `reproduce:`.
std::vector<std::string> dump_words(const Arguments& arguments) {
    const std::span<const Option> all = options_in("compare");
    const std::span options(all.begin(), std::ranges::find(all, "--context", &Option::name));
    std::vector<std::string> words;
    for (const io::Flag& flag : arguments.given)
        if (std::ranges::any_of(options, [&](const Option& one) {
                return one.name == flag.name || std::ranges::count(one.words, flag.name) > 0;
            }))
            std::ranges::move(words_of_flag(flag), std::back_inserter(words));
    return words;
}

bool is_rotary_dim_0(const io::Flag& flag) {
    return flag.name == "--rotary-dim" && !flag.value.empty() &&
           flag.value.find_first_not_of('0') == flag.value.npos;
}

bool names_head_dim(const Arguments& arguments) {
    return arguments.names_model() || arguments.names("--dim");
}

// Only the vectors of a dump, if it has any.
std::vector<io::NamedDump> vectors_of(io::DumpTensors& tensors, io::DumpHints hints) {
    hints.is_any_axis_right = true;  // nothing rotates, so positions do not matter
    std::vector<io::NamedDump> dumps = load_dump(tensors, hints);
    if (std::ranges::any_of(dumps, io::holds<RotatedDump>))
        std::erase_if(dumps, std::not_fn(io::holds<RotatedDump>));
    return dumps;
}

bool is_stillness_asked(const Arguments& arguments) {
    return std::ranges::any_of(arguments.spec_flags, is_rotary_dim_0);
}

struct DumpCases {
    std::vector<io::NamedDump> dumps;
    std::vector<Case> cases;  // one per dump, with references to it
};

// Vectors that must not rotate, by --rotary-dim 0 or, if there is one, by the config's `layer`.
// Each tensor has its width unless --dim or the config gives one.
DumpCases still_cases(io::DumpTensors& tensors, io::DumpHints hints, const Arguments& arguments,
                      const io::UnrotatedLayer* layer = nullptr) {
    const std::string from = layer == nullptr ? "--rotary-dim" : layer->what();
    Arguments rest = arguments;
    std::erase_if(rest.spec_flags, [](const io::Flag& flag) {
        return is_rotary_dim_0(flag) || flag.name == "--layers";
    });
    const io::ResolvedSpec resolved = spec_of(rest);
    if (names_head_dim(rest)) hints.head_dim = resolved.spec.head_dim;
    DumpCases all{vectors_of(tensors, hints), {}};
    for (io::NamedDump& dump : all.dumps) {
        if (layer != nullptr) {
            auto* vectors = std::get_if<RotatedDump>(&dump.dump);
            if (vectors == nullptr) throw InputError(*layer);
            vectors->read_as.push_back({"layer", "without RoPE", from.substr(0, from.find(';'))});
        }
        io::ResolvedSpec own = resolved;
        Spec& spec = own.spec;
        if (names_head_dim(rest) && dump.dimensions % spec.head_dim != 0)
            throw InputError(fmt::format("{}: {} dimensions do not hold heads of head_dim = {}",
                                         dump.name, dump.dimensions, spec.head_dim));
        spec.head_dim = dump.dimensions;
        spec.rotary_dim = spec.rotary_offset = 0;
        for (Origin& origin : own.origins)
            if (origin.field == "rotary_dim") origin.from = from;
        const auto judge = [&dump, spec](const SessionOptions& options) {
            return compare(spec, dump.dump, {}, options);
        };
        all.cases.push_back({std::move(own), judge, dump.name, {}});
    }
    return all;
}

void refuse_frequencies(const Arguments& arguments) {
    constexpr std::string_view places[] = {
        "--dim",   "--head-dim", "--rotary-dim",         "--layout",
        "--model", "--layers",   "--rope rotary_offset", "--rope direction"};
    for (const io::Flag& flag : arguments.spec_flags)
        if (std::ranges::count(places, flag.name) == 0)
            throw InputError(
                fmt::format("{} has no effect with --table: the rotation is the "
                            "table's, whatever its frequencies",
                            flag.name));
}

// q and k have one layout: the one of the first tensor that the table fully explains.
void choose_layout(TableUse& use, const std::vector<io::NamedDump>& dumps, const TableDump& table) {
    if (dumps.size() < 3) return;  // the table, and one tensor of vectors
    for (const io::NamedDump& dump : dumps) {
        const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
        if (use.layout || vectors == nullptr) continue;
        use.layout = layout_by_table(io::in_heads_of(dump, use), *vectors, table);
        use.from = "the values of " + dump.name;
    }
}

// --table: q and k, compared with the cos and sin of the same file.
DumpCases table_cases(io::DumpTensors& tensors, io::DumpHints hints, const Arguments& arguments) {
    refuse_frequencies(arguments);
    const io::ResolvedSpec asked = spec_of(arguments);
    if (names_head_dim(arguments)) hints.head_dim = asked.spec.head_dim;
    TableUse use{asked.spec};  // any layout that explains the vectors, unless one is given
    if (arguments.names_model() || arguments.names("--layout")) use.layout = asked.spec.layout;
    DumpCases all{io::load_with_table(tensors, hints, use), {}};
    const TableDump& table = io::only_table(all.dumps);
    choose_layout(use, all.dumps, table);
    for (const io::NamedDump& dump : all.dumps) {
        const auto* vectors = std::get_if<RotatedDump>(&dump.dump);
        if (vectors == nullptr) continue;
        const auto judge = [vectors, &table,
                            use = io::in_heads_of(dump, use)](const SessionOptions& options) {
            return judge_by_table(use, *vectors, table, options);
        };
        all.cases.push_back({asked, judge, dump.name, {}});
    }
    if (all.cases.empty())
        throw InputError(
            "--table", ": the dump holds no q and q_rot; name them with q=TENSOR and q_rot=TENSOR");
    return all;
}

// The operations of --after, which follow the rotation and are undone first.
struct After {
    std::optional<double> scale = {};              // scale=REAL
    std::optional<double> base = {}, centre = {};  // xpos=BASE[:CENTRE]
};

After after_of(const Arguments& arguments) {
    constexpr auto most = static_cast<double>(max_context);
    After after;
    for (const std::string& text : arguments.values("--after")) {
        const std::string name = text.substr(0, text.find('=')), field = "--after " + name;
        const bool is_scale = name == "scale";
        if (name.size() == text.size() || (!is_scale && name != "xpos"))
            throw InputError("--after", printable(text),
                             "scale=REAL or xpos=BASE, such as scale=0.125 or xpos=512");
        const std::string value = text.substr(name.size() + 1);
        const std::size_t colon = is_scale ? value.npos : value.find(':');
        std::optional<double>& real = is_scale ? after.scale : after.base;
        if (real) throw InputError("--after", fmt::format("has {}= twice; once is enough", name));
        real = io::parse_real(field, value.substr(0, colon));
        if (is_scale && real == 0)
            throw InputError(field, printable(value), "a finite scale other than 0");
        if (!is_scale && !(real >= 1 && real <= most))
            throw InputError(field, printable(value), "a BASE from 1 to 2^32, as in 512");
        if (colon != value.npos) after.centre = io::parse_real(field, value.substr(colon + 1));
        if (after.centre && std::abs(*after.centre) > most)
            throw InputError(field, printable(value), "a CENTRE from -2^32 to 2^32");
    }
    return after;
}

// The options for reading and checking a dump: --axes, --cache-layout, --pipeline, --context,
// --after. Parsed before any file is read.
struct AskedDump {
    io::DumpHints hints = {};
    CompareOptions how = {};
    After after = {};
};

AskedDump asked_dump(const Arguments& arguments) {
    AskedDump asked{.after = after_of(arguments)};
    asked.hints.axes = arguments.value("--axes").value_or("");
    if (const auto name = arguments.value("--cache-layout"))
        asked.hints.layout = io::parse_cache_layout(*name);
    if (const auto name = arguments.value("--pipeline"))
        asked.how.pipeline = &pipeline_named(*name);
    asked.how.context = arguments.whole("--context", 1, max_context).value_or(0);
    return asked;
}

// Throws InputError for options about arrays that the dump does not have.
void refuse_idle(const std::vector<io::NamedDump>& dumps, const Arguments& arguments) {
    if (std::ranges::none_of(dumps, io::holds<RotatedDump>))
        arguments.refuse({"--axes"},
                         "is the order of the axes of q and k, and the dump has none; "
                         "leave it out");
    if (std::ranges::none_of(dumps, io::holds<TableDump>))
        arguments.refuse({"--cache-layout"},
                         "is how a table stores cos and sin, and the dump has none; leave it out");
    if (std::ranges::none_of(dumps, io::holds<FrequencyDump>))
        arguments.refuse({"--context"},
                         "chooses the positions of inv_freq, and the dump has no inv_freq: all of "
                         "its rows are checked; leave it out");
}

// The config of a dump, the layer that chose it, and the rotations of the config's other layers.
struct AskedSpec {
    io::ResolvedSpec spec;
    std::optional<Assumption> layer = {};
    std::vector<std::pair<std::string, Spec>> other_layers = {};
};

// The model without --layers.
io::ResolvedModel whole_model(Arguments arguments) {
    std::erase_if(arguments.spec_flags,
                  [](const io::Flag& flag) { return flag.name == "--layers"; });
    return model_of(arguments);
}

// The config of the layer that the names of arrays have.
AskedSpec spec_of_layer(const io::DumpTensors::NamedLayer& named, Arguments arguments) {
    arguments.spec_flags.push_back({"--layers", named.layer});
    try {
        return {spec_of(arguments),
                Assumption{"layer", named.layer,
                           "read as of layer " + named.layer + " by the name of " + named.name +
                               "; --layers names another"}};
    } catch (const io::UnrotatedLayer& error) {
        throw io::UnrotatedLayer("by the name of " + named.name + ", " + error.what());
    } catch (const InputError& error) {
        throw InputError("by the name of " + named.name + ", " + error.what());
    }
}

// The given config. If its layers rotate in several ways, or some do not, and no option names a
// layer, the names of the arrays give it.
AskedSpec spec_for(const io::DumpTensors& tensors, const Arguments& arguments) {
    if (!arguments.names_model()) return {spec_of(arguments)};
    const io::ResolvedModel model = whole_model(arguments);
    const auto named = tensors.layer_of_names();
    const std::uint64_t count = model.groups.front().resolved.facts.layer_count;
    const bool is_named =
        named && model.groups.size() > 1 && (count == 0 || named->number.value_or(0) < count);
    AskedSpec asked = arguments.names("--layers") ? AskedSpec{spec_of(arguments)}
                      : is_named                  ? spec_of_layer(*named, arguments)
                                                  : AskedSpec{io::only_rotation(model)};
    for (const io::LayerGroup& group : model.groups)
        if (group.rotates && group.sequences.empty() &&
            !rotate_alike(group.resolved.spec, asked.spec.spec))
            asked.other_layers.emplace_back(group.layers, group.resolved.spec);
    return asked;
}

// The cases of a dump with the given config, else with the identified one.
DumpCases dump_cases(io::DumpTensors& tensors, const AskedDump& how_asked,
                     const Arguments& arguments) {
    const io::DumpHints& hints = how_asked.hints;
    const CompareOptions& how = how_asked.how;
    std::optional<AskedSpec> of_config;
    if (arguments.names_spec()) of_config = spec_for(tensors, arguments);
    std::optional<io::ResolvedSpec> asked;
    if (of_config) asked = of_config->spec;
    const io::KnownSpecs known = asked ? io::KnownSpecs{} : io::known_specs(true);
    DumpCases all{
        asked ? io::load_dump_by(tensors, hints, *asked) : io::load_unknown(tensors, hints, known),
        {}};
    if (of_config && of_config->layer)
        for (io::NamedDump& one : all.dumps)
            std::visit([&](auto& dump) { dump.read_as.push_back(*of_config->layer); }, one.dump);
    if (const auto& scale = how_asked.after.scale) io::take_scale_off(all.dumps, *scale);
    refuse_idle(all.dumps, arguments);
    if (const auto& base = how_asked.after.base) {
        if (!asked)
            throw InputError("--after xpos", "needs the config of the rotation, such as --dim 64");
        io::take_xpos_off(all.dumps, asked->spec, *base, how_asked.after.centre);
    }
    std::vector<io::Identified> found;
    if (!asked) found = io::identified(all.dumps, tensors, hints, known);
    for (std::size_t i = 0; i < all.dumps.size(); ++i) {
        io::NamedDump& dump = all.dumps[i];
        io::ResolvedSpec resolved = asked ? *asked : found[i].resolved;
        io::choose_table_of(resolved, dump, how.context);
        if (i == 0 && !io::holds<FrequencyDump>(dump)) io::warn_of_inv_freq(resolved, tensors);
        if (io::holds<FrequencyDump>(dump))
            (void)context_to_check(how.context != 0 ? std::optional(how.context) : std::nullopt,
                                   resolved.spec.max_position_embeddings, resolved.spec, arguments);
        CompareOptions own = how;
        if (asked) {
            own.facts = resolved.facts;
            own.other_layers = of_config->other_layers;
        }
        if (!asked) own.is_assumed = found[i].is_assumed;
        const auto assumed = asked ? std::nullopt : std::optional(found[i]);
        const auto judge = [&dump, own, assumed,
                            spec = resolved.spec](const SessionOptions& options) {
            Report report = compare(spec, dump.dump, own, options);
            if (assumed) io::require_explained(dump, report, *assumed);
            return report;
        };
        all.cases.push_back(
            {std::move(resolved), judge, dump.name, asked ? "" : found[i].identity});
    }
    return all;
}

// --against: the dump's arrays, compared with those of the same names of a reference.
DumpCases reference_cases(io::DumpTensors& tensors, io::DumpTensors& others,
                          const AskedDump& how_asked, const Arguments& arguments) {
    const io::DumpHints& hints = how_asked.hints;
    std::optional<io::ResolvedSpec> asked;
    if (arguments.names_spec()) asked = spec_for(tensors, arguments).spec;
    DumpCases all{asked ? io::load_dump_by(others, hints, *asked) : load_dump(others, hints), {}};
    auto specs = asked ? std::vector(all.dumps.size(), io::Identified{*asked, ""})
                       : io::identified(all.dumps, others, hints, io::known_specs(true), true);
    CompareOptions how = how_asked.how;
    how.is_assumed = !asked;
    for (std::size_t i = 0; i < all.dumps.size(); ++i) {
        const io::NamedDump& reference = all.dumps[i];
        io::ResolvedSpec& by = specs[i].resolved;
        io::choose_table_of(by, reference, how.context);
        io::ResolvedSpec as_read = by;
        const std::vector<io::NamedDump> dumps = io::load_dump_by(tensors, hints, as_read);
        const auto own = std::ranges::find(dumps, reference.name, &io::NamedDump::name);
        if (own == dumps.end()) continue;
        const auto judge = [&reference, how, dump = own->dump,
                            spec = by.spec](const SessionOptions& options) {
            return judge_against(spec, dump, reference.dump, how, options);
        };
        const bool is_known = !asked && rotates_by(by.spec, reference.dump);
        all.cases.push_back(
            {by, judge, reference.name, is_known ? "by the reference, " + specs[i].identity : ""});
    }
    if (all.cases.empty())
        throw InputError("--against", ": " + printable(*arguments.value("--against")) +
                                          " and the dump have no array in common");
    return all;
}

std::string compare_words() {
    std::string text = "\nCache layouts:\n ";
    for (const io::LayoutForm& form : io::cache_layouts()) text += " " + std::string(form.name);
    return text + "\n";
}

// A figure compares rows with a config's.
void refuse_figures(const Arguments& arguments) {
    if (std::ranges::none_of(arguments.targets, is_drawn, &Target::format)) return;
    throw InputError("--output",
                     ": figures and pages compare with a config; leave out --table, "
                     "--against and --rotary-dim 0, or write x.txt, x.json, x.xml or x.md");
}

// The cases of a dump, whose layer may be one without RoPE.
DumpCases dump_or_still_cases(io::DumpTensors& tensors, const AskedDump& asked,
                              const Arguments& arguments) try {
    return dump_cases(tensors, asked, arguments);
} catch (const io::UnrotatedLayer& layer) {
    arguments.refuse({"--after"}, "does nothing with a layer that does not rotate; leave it out");
    refuse_figures(arguments);
    return still_cases(tensors, asked.hints, arguments, &layer);
}

// The parts of a file with arrays of several, or the layer of --layers; empty if options name the
// arrays.
std::vector<io::DumpTensors::FilePart> parts_to_compare(const io::DumpTensors& tensors,
                                                        const Arguments& arguments) {
    for (const std::string_view role : option_in("compare", "ROLE=TENSOR").words)
        if (arguments.has(role)) return {};
    std::vector<io::DumpTensors::FilePart> parts = tensors.parts();
    // local and global may have other meanings in the dump of a model with one kind of layers
    if (std::ranges::any_of(parts, &io::DumpTensors::FilePart::is_kind) && arguments.names_spec() &&
        !(arguments.names_model() && whole_model(arguments).groups.size() > 1))
        return {};
    for (const io::Flag& flag : arguments.spec_flags)
        if (flag.name == "--layers")
            for (const auto& part : parts)
                if (flag.value == (part.layer ? decimal(*part.layer) : part.name)) return {part};
    return parts;
}

// Whether q and k are compared with something other than a config's rotation.
bool is_special(const Arguments& arguments) {
    return is_stillness_asked(arguments) || arguments.has("--table") || arguments.has("--against");
}

void refuse_mixtures(const Arguments& arguments) {
    if (!is_special(arguments)) return;
    arguments.refuse({"--after"},
                     "does nothing with --table, --against or --rotary-dim 0; leave it out");
    if (is_stillness_asked(arguments) || arguments.has("--table"))
        arguments.refuse({"--against"},
                         "does nothing with --table or --rotary-dim 0; leave one out");
    refuse_figures(arguments);
}

// `others`: the dump of --against, if there is one.
DumpCases cases_of(io::DumpTensors& tensors, io::DumpTensors* others, const AskedDump& asked,
                   const Arguments& arguments) {
    if (others != nullptr) return reference_cases(tensors, *others, asked, arguments);
    if (is_stillness_asked(arguments)) return still_cases(tensors, asked.hints, arguments);
    if (arguments.has("--table")) return table_cases(tensors, asked.hints, arguments);
    return dump_or_still_cases(tensors, asked, arguments);
}

// Relates parts that were identified without a config, which may rotate in several ways: warns of
// those unlike the first. Throws InputError for one that does not rotate, if others do.
void relate_parts(std::vector<DumpCases>& all, std::span<const io::DumpTensors::FilePart> parts) {
    constexpr std::string_view advice = "; --config FILE checks whether it should";
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < all[i].dumps.size(); ++k) {
            const io::NamedDump& own = all[i].dumps[k];
            const std::size_t of = i == 0 ? 1 : 0;  // the part that it is compared with
            const auto other = std::ranges::find(all[of].dumps, own.name, &io::NamedDump::name);
            if (other == all[of].dumps.end()) continue;
            if (io::are_unrotated({&own, 1}) && !io::are_unrotated({&*other, 1}))
                throw InputError(fmt::format("{}: {} does not rotate, unlike that of {}{}",
                                             parts[i].name, own.name, parts[of].name, advice));
            const auto index = static_cast<std::size_t>(other - all[of].dumps.begin());
            const Spec& spec = all[of].cases[index].resolved.spec;
            if (i == 0 || spec.head_dim != own.dimensions || rotates_by(spec, own.dump)) continue;
            all[i].cases[k].resolved.lint.push_back(
                {"layers-differ", io::Severity::warning, parts[i].name,
                 fmt::format("{} rotates unlike that of {}{}", own.name, parts[of].name, advice)});
        }
}

std::vector<DumpCases> cases_of_parts(io::DumpTensors& tensors, io::DumpTensors* others,
                                      const AskedDump& asked, const Arguments& arguments) {
    std::vector<DumpCases> all;
    const auto parts = parts_to_compare(tensors, arguments);
    if (parts.empty()) all.push_back(cases_of(tensors, others, asked, arguments));
    for (const auto& part : parts) {
        tensors.select(part);
        if (others != nullptr) others->select(part);
        all.push_back(cases_of(tensors, others, asked, arguments));
        for (Case& one : all.back().cases) {
            one.layers = fmt::format("{}, {}", part.name, one.layers);
            if (arguments.names_model()) one.layer = part.layer;
        }
    }
    if (others != nullptr || is_special(arguments) || arguments.names_spec()) return all;
    if (parts.size() > 1)
        relate_parts(all, parts);
    else if (io::are_unrotated(all.front().dumps))
        throw InputError(all.front().dumps.front().name +
                         ": no row is rotated, which is right in a layer without RoPE and wrong "
                         "in any other; give the config, as in --config FILE");
    return all;
}

int run_compare(const Arguments& arguments) {
    const AskedDump asked = asked_dump(arguments);
    refuse_mixtures(arguments);
    io::DumpTensors tensors(dump_files(arguments));
    std::optional<io::DumpTensors> others;
    if (const auto file = arguments.value("--against")) {
        io::DumpFiles files;
        files.dump = *file;
        files.raw = raw_arrays(arguments);
        files.memory = memory_limit(arguments);
        tensors.compare_against(others.emplace(files));
    }
    std::vector<DumpCases> all =
        cases_of_parts(tensors, others ? &*others : nullptr, asked, arguments);
    std::vector<Case> cases;
    for (DumpCases& one : all) std::ranges::move(one.cases, std::back_inserter(cases));
    if (cases.size() == 1) cases.front().layers.clear();
    std::vector<std::string> words = dump_words(arguments);
    if (arguments.has("--table")) words.emplace_back("--table");
    return judge_and_report(cases, arguments, words);
}

}  // namespace

constinit const Command compare_command{
    .name = "compare", .words = compare_words, .run = run_compare};

}  // namespace rope::cli
