// The meaning of the words of data/readings.txt: conditions, numbers and steps.
#include <array>
#include <charconv>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/readings.hpp"

namespace rope {
namespace {

using Number = std::optional<double>;

Number read_number(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const bool is_number = !text.empty() && std::from_chars(text.data(), end, value).ptr == end;
    return is_number ? Number(value) : std::nullopt;
}

// Null if the rope_type does not use the key, or is not known.
const UsedKey* used_key(const Scaling& scaling, const ScalingField& field) {
    const auto variant = std::ranges::find(variants(), scaling.rope_type, &Variant::name);
    return variant == variants().end() ? nullptr : find_key(variant->keys, field.member);
}

// Returns the value of a key that is a number, or its default; the length of a list.
Number value_of(const Scaling& scaling, const ScalingField& field) {
    if (const auto* list = std::get_if<std::vector<double> Scaling::*>(&field.member))
        return (scaling.**list).empty() ? Number() : static_cast<double>((scaling.**list).size());
    if (const auto* whole = std::get_if<std::optional<std::uint64_t> Scaling::*>(&field.member))
        return scaling.**whole;
    const auto* member = std::get_if<std::optional<double> Scaling::*>(&field.member);
    if (member == nullptr || scaling.**member)
        return member == nullptr ? Number() : scaling.**member;
    const UsedKey* used = used_key(scaling, field);
    const auto* otherwise = used == nullptr ? nullptr : std::get_if<double>(&used->otherwise);
    return otherwise == nullptr ? Number() : *otherwise;
}

// Returns the number of a literal, a key of the Spec or a fact.
Number number_named(std::string_view name, const Spec& spec, const ConfigFacts& facts) {
    if (const Number number = read_number(name)) return number;
    if (name == "max_position_embeddings") return spec.max_position_embeddings;
    if (name == "pairs") return spec.pairs();
    const ScalingField* field = find_field(name);
    return field != nullptr ? value_of(spec.scaling, *field) : facts.number(name);
}

// Arithmetic.

// getms(s, m)/getms(s, all)·times, rounded once
double magnitude(const std::vector<double>& of) {
    return (yarn_magnitude(of[0], of[1]) / yarn_magnitude(of[0], of[2]) * of[3]).to_double();
}

struct Function {
    std::string_view name;
    std::size_t takes;
    double (*call)(const std::vector<double>& of);
};
constexpr Function functions[] = {{"", 1, [](const auto& of) { return of[0]; }},
                                  {"ceil", 1, [](const auto& of) { return std::ceil(of[0]); }},
                                  {"floor", 1, [](const auto& of) { return std::floor(of[0]); }},
                                  {"ln", 1, [](const auto& of) { return std::log(of[0]); }},
                                  {"magnitude", 4, magnitude},
                                  {"max", 2, [](const auto& of) { return std::ranges::max(of); }},
                                  {"min", 2, [](const auto& of) { return std::ranges::min(of); }},
                                  {"round", 1, [](const auto& of) { return std::round(of[0]); }},
                                  {"sqrt", 1, [](const auto& of) { return std::sqrt(of[0]); }}};

// "ceil(max_position_embeddings*factor)": operators from the loosest to the tightest, a?b for "a,
// else b", list[i], and functions. Not known if one of its parts is not.
class Arithmetic {
  public:
    Arithmetic(std::string_view text, const Spec& spec, const ConfigFacts& facts)
        : rest_(text), spec_(spec), facts_(facts) {}

    // Not known for text that is no arithmetic, either.
    Number all() {
        const Number number = value();
        return rest_.empty() ? number : std::nullopt;
    }

  private:
    Number value(std::size_t level = 0) {
        static constexpr std::array<std::string_view, 3> operators{"+-", "*/%", "?"};
        if (level == operators.size()) return operand();
        Number left = value(level + 1);
        while (!rest_.empty() && operators.at(level).find(rest_[0]) != rest_.npos) {
            const char by = next();
            const Number right = value(level + 1);
            left = by == '?' && left ? left : by == '?' ? right : combined(left, by, right);
        }
        return left;
    }

    char next() {
        if (rest_.empty()) return 0;
        const char c = rest_[0];
        rest_.remove_prefix(1);
        return c;
    }

    static Number combined(const Number& a, char by, const Number& b) {
        if (!a || !b) return std::nullopt;
        return by == '+'   ? *a + *b
               : by == '-' ? *a - *b
               : by == '*' ? *a * *b
               : by == '/' ? *a / *b
                           : std::fmod(*a, *b);
    }

    Number operand() {
        const std::size_t sign = rest_.starts_with('-') ? 1 : 0;
        const std::string_view name = rest_.substr(0, rest_.find_first_of("+-*/%?()[],", sign));
        rest_.remove_prefix(name.size());
        const bool is_list = rest_.starts_with('[');
        if (!is_list && !rest_.starts_with('(')) return number_named(name, spec_, facts_);
        constexpr int deepest = 32;
        if (++depth_ > deepest) return std::nullopt;
        std::vector<double> of;
        bool are_known = true;
        do {
            next();
            const Number one = value();
            are_known = are_known && one;
            of.push_back(one.value_or(0));
        } while (rest_.starts_with(','));
        const char end = next();
        --depth_;
        if (!are_known || end != (is_list ? ']' : ')')) return std::nullopt;
        if (is_list) return item(name, of[0]);
        const Function& function = one_of(functions, &Function::name, "function", name);
        return of.size() == function.takes ? Number(function.call(of)) : std::nullopt;
    }

    Number item(std::string_view name, double i) const {
        const auto list = facts_.lists.find(name);
        if (list == facts_.lists.end() || !(i >= 0 && i < static_cast<double>(list->second.size())))
            return std::nullopt;
        return list->second[static_cast<std::size_t>(i)];
    }

    std::string_view rest_;
    const Spec& spec_;
    const ConfigFacts& facts_;
    int depth_ = 0;  // of brackets
};

// Returns an item of a list of texts, "top.layer_types[i]".
std::optional<std::string> text_item(std::string_view name, const Spec& spec,
                                     const ConfigFacts& facts) {
    const std::size_t at = name.find('[');
    const auto list = facts.text_lists.find(name.substr(0, at));
    if (list == facts.text_lists.end() || !name.ends_with(']')) return std::nullopt;
    const Number i = computed(name.substr(at + 1, name.size() - at - 2), spec, facts);
    if (!i || !(*i >= 0 && *i < static_cast<double>(list->second.size()))) return std::nullopt;
    return list->second[static_cast<std::size_t>(*i)];
}

// Returns a text of the config or a word of the Spec.
std::optional<std::string> text_named(std::string_view name, const Spec& spec,
                                      const ConfigFacts& facts) {
    const auto found = facts.texts.find(name);
    if (found != facts.texts.end()) return found->second;
    if (name == "model_type") return printable(facts.model_type);
    if (name == "rope_type") return printable(spec.scaling.rope_type);
    if (name == "layout") return std::string(to_string(spec.layout));
    if (name == "axes") return std::string(to_string(spec.axes.scheme));
    return text_item(name, spec, facts);
}

// "left=right", "!=", "<", ">", or "text~part"; false if one of them is not known. A text equals
// itself, spelled or named.
bool compares(std::string_view one, std::size_t at, const Spec& spec, const ConfigFacts& facts) {
    const std::string_view a = one.substr(0, at), b = one.substr(at + (one[at] == '!' ? 2 : 1));
    const bool is_part = one[at] == '~';
    const auto text = is_part || one[at] == '=' ? text_named(a, spec, facts) : std::nullopt;
    if (is_part) return text && text->find(b) != text->npos;
    if (text && (*text == b || text == text_named(b, spec, facts))) return true;
    const auto left = computed(a, spec, facts), right = computed(b, spec, facts);
    if (!left || !right) return false;
    switch (one[at]) {
        case '!':
            return *left != *right;
        case '<':
            return *left < *right;
        case '>':
            return *left > *right;
        default:
            return *left == *right;
    }
}

bool holds(std::string_view one, const Spec& spec, const ConfigFacts& facts) {
    const Scaling& scaling = spec.scaling;
    if (facts.has(one)) return true;
    if (const std::size_t at = one.find_first_of("!=<>~"); at != one.npos)
        return compares(one, at, spec, facts);
    if (one == "all_dimensions") return spec.rotary_dim == spec.head_dim;
    if (one == "class_is_known") return !facts.model_type.empty();
    if (one == "two_lists")
        return scaling.short_factor != scaling.long_factor ||
               scaling.short_mscale != scaling.long_mscale;
    if (const ScalingField* field = find_field(one))
        if (const auto* member = std::get_if<std::optional<double> Scaling::*>(&field->member))
            return (scaling.**member).value_or(0) != 0;
    return one == scaling.rope_type || facts.number(one) || facts.texts.contains(one) ||
           text_item(one, spec, facts);
}

// Steps that are more than a number.

void older_type(Spec& spec, const ConfigFacts& facts) {
    if (!facts.by_older_type) return;
    Scaling& scaling = spec.scaling = *facts.by_older_type;
    auto& original = scaling.original_max_position_embeddings;
    if (uses(scaling.rope_type, &Scaling::original_max_position_embeddings) && !original)
        original = spec.max_position_embeddings;
    if (scaling.rope_type != "dynamic" && scaling.rope_type != "longrope") spec.seq_len.reset();
}

// [h, w, t], h and w half of what time leaves of the head
void freq_allocation(Spec& spec, const ConfigFacts& facts) {
    const double time = facts.number("top.freq_allocation").value_or(20);
    const std::uint32_t pairs = spec.head_dim / 2;
    if (!(time >= 0 && time <= pairs))
        throw InputError("freq_allocation", decimal(time), "at most head_dim / 2");
    const auto of_time = static_cast<std::uint32_t>(time), each = (pairs - of_time) / 2;
    spec.axes.sections = {each, each, of_time};
}

// y = (i − low)/max(0.001, high − low): if high < low, pairs up to low are kept and the others
// interpolated, a step. Betas of pair low + ½ round to that.
void step_of_exchanged_ends(Spec& spec, const ConfigFacts&) {
    const YarnRamp ramp = yarn_ramp(spec, exact_precision);
    if (!(ramp.high < ramp.low)) return;
    const double step = std::min(ramp.low.to_double(), static_cast<double>(spec.pairs())) + 0.5;
    const BigReal exponent = BigReal(2 * step, exact_precision) / spec.rotary_dim;
    const auto length = static_cast<double>(*spec.scaling.original_max_position_embeddings);
    const BigReal turns = length / (pow(BigReal(spec.rope_theta, exact_precision), exponent) *
                                    BigReal::pi(exact_precision) * 2.0);
    spec.scaling.beta_fast = spec.scaling.beta_slow = turns.to_double();
}

void short_factors(Spec& spec, const ConfigFacts&) {
    spec.scaling.long_factor = spec.scaling.short_factor;
}

struct Step {
    std::string_view name;
    void (*call)(Spec& spec, const ConfigFacts& facts);
};
constexpr Step steps[] = {{"older_type", older_type},
                          {"freq_allocation", freq_allocation},
                          {"step_of_exchanged_ends", step_of_exchanged_ends},
                          {"short_factors", short_factors}};

// Assignments and what takes keys away.

void set_length(std::optional<std::uint64_t>& field, double value) {
    field = static_cast<std::uint64_t>(value);
}

void assign(Spec& spec, std::string_view key, double value) {
    if (key == "rope_theta") spec.rope_theta = value;
    if (key == "seq_len") set_length(spec.seq_len, value);
    if (key == "head_dim") {  // the same part of it rotates
        const double part = static_cast<double>(spec.rotary_dim) / spec.head_dim;
        spec.head_dim = static_cast<std::uint32_t>(value);
        spec.rotary_dim = static_cast<std::uint32_t>(value * part);
    }
    if (key == "fraction" && spec.head_dim * value >= 2)
        spec.rotary_dim = static_cast<std::uint32_t>(spec.head_dim * value);
    const ScalingField* field = find_field(key);
    if (field == nullptr) return;
    if (const auto* real = std::get_if<std::optional<double> Scaling::*>(&field->member))
        spec.scaling.** real = value;
    if (const auto* whole = std::get_if<std::optional<std::uint64_t> Scaling::*>(&field->member))
        set_length(spec.scaling.**whole, value);
    if (const auto* flag = std::get_if<std::optional<bool> Scaling::*>(&field->member))
        spec.scaling.** flag = value != 0;
}

// The first of "A, B, …" that is known.
std::optional<double> first_number(std::string_view names, const Spec& spec,
                                   const ConfigFacts& facts) {
    for (const std::string_view one : split(names, ", "))
        if (const auto value = computed(one, spec, facts)) return value;
    return std::nullopt;
}

// "KEY = A, B, …"
void assign(Spec& spec, std::string_view key, std::string_view values, const ConfigFacts& facts) {
    if (key == "rope_type") spec.scaling.rope_type = values;
    if (key == "axes") spec.axes.scheme = parse_axis_scheme(values);
    if (key == "layout") spec.layout = parse_pair_layout(values);
    if (values == "single") spec.axes.sections.clear();
    if (values == "interleaved4") spec.axes.sections.resize(4);  // no pair is of the fourth axis
    if (const auto value = first_number(values, spec, facts)) assign(spec, key, *value);
}

// A value that is the key's default is kept.
void drop(Scaling& scaling, const ScalingField& field) {
    const UsedKey* used = used_key(scaling, field);
    const auto is_default = [&](const auto& value) {
        return used != nullptr && value && used->otherwise == KeyDefault(*value);
    };
    if (const auto* real = std::get_if<std::optional<double> Scaling::*>(&field.member))
        if (!is_default(scaling.**real)) (scaling.**real).reset();
    if (const auto* flag = std::get_if<std::optional<bool> Scaling::*>(&field.member))
        if (!is_default(scaling.**flag)) (scaling.**flag).reset();
}

[[noreturn]] void refuse(std::string_view words, const Spec& spec, const ConfigFacts& facts) {
    const std::size_t space = words.find(' ');
    throw InputError(std::string(words.substr(0, space)),
                     sentence(words.substr(space + 1), spec, facts));
}

}  // namespace

std::optional<double> computed(std::string_view text, const Spec& spec, const ConfigFacts& facts) {
    return Arithmetic(text, spec, facts).all();
}

std::string sentence(std::string_view words, const Spec& spec, const ConfigFacts& facts) {
    return filled(words, [&](std::string_view name) {
        if (const auto text = text_named(name, spec, facts)) return *text;
        const auto number = computed(name, spec, facts);
        return number ? decimal(*number) : std::string(name);
    });
}

bool hold(std::string_view conditions, const Spec& spec, const ConfigFacts& facts) {
    return std::ranges::all_of(split(conditions, " "), [&](std::string_view either) {
        return std::ranges::any_of(split(either, "|"), [&](std::string_view one) {
            return one.starts_with('!') ? !holds(one.substr(1), spec, facts)
                                        : holds(one, spec, facts);
        });
    });
}

std::vector<std::string_view> names_in(std::string_view text,
                                       std::initializer_list<std::string_view> kinds) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    std::vector<std::string_view> names;
    for (std::size_t end = 0, dot; (dot = text.find('.', end)) != text.npos;) {
        const std::size_t first = text.find_last_not_of(letters, dot) + 1;  // npos + 1 is 0
        end = std::min(text.find_first_not_of(letters, dot), text.size());
        const std::string_view name = text.substr(first, end - first);
        const bool is_of_them = std::ranges::any_of(
            kinds, [&](std::string_view kind) { return name.starts_with(kind); });
        if (is_of_them && std::ranges::count(names, name) == 0) names.push_back(name);
    }
    return names;
}

void act(std::string_view action, Spec& spec, const ConfigFacts& facts) {
    const std::string_view verb = action.substr(0, action.find(' '));
    const std::string_view rest = action.substr(std::min(verb.size() + 1, action.size()));
    if (rest.starts_with("= ")) return assign(spec, verb, rest.substr(2), facts);
    if (verb == "refuse") refuse(rest, spec, facts);
    if (verb == "drop")
        for (const std::string_view key : split(rest, " ")) drop(spec.scaling, *find_field(key));
    if (verb == "do") std::ranges::find(steps, rest, &Step::name)->call(spec, facts);
    if (verb != "unscaled") return;
    spec.scaling = {};
    spec.seq_len.reset();
}

std::optional<LayerNumbers> layers_by(std::string_view conditions, ConfigFacts facts) {
    if (facts.layer_count == 0) return std::nullopt;
    LayerNumbers layers;
    for (std::uint32_t i = 0; i < facts.layer_count; ++i) {
        facts.numbers["i"] = i;
        if (hold(conditions, {}, facts)) layers.push_back(i);
    }
    return layers;
}

}  // namespace rope
