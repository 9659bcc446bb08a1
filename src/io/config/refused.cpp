// The rows of data/refused.jsonl: keys by which a model has no RoPE, or one that is not covered.
#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/config/config_file.hpp"
#include "io/config/model_classes.hpp"
#include "io/json/rows.hpp"
#include "rope/readings/rules.hpp"

namespace rope::io {

void refuse_by_rows(ConfigSection& model, const std::string& model_type) {
    static const std::vector<Row> rows = rows_of(refused_rows, "data/refused.jsonl");
    static const auto names = names_in(refused_rows, {"top.", "null."});
    const ModelClass* known = find_model_class(model_type);
    const ConfigSection none(model.file(), "", nullptr);
    ConfigFacts facts{.model_type = known == nullptr ? "" : model_type,
                      .traits = known == nullptr ? std::vector<std::string>{} : known->traits};
    facts.traits.push_back("model_type=" + model_type);
    add_keys(facts, names, model, none, none);
    for (const Row& row : rows) {
        if (known == nullptr && row.text("if").starts_with("!class_is_known"))
            model.mark_read({row.text("at")});
        if (!hold(row.text("if"), {}, facts)) continue;
        const std::string at = row.text("at");
        std::string_view key = at;
        const ConfigSection holder = model.inside(key);
        throw InputError((key.empty() ? model.file() + ": " : holder.origin(key) + " ") +
                         filled(row.text("say"), [&](std::string_view name) {
                             if (name == "class") return printable(model_type);
                             if (const auto number = facts.number(name)) return decimal(*number);
                             name.remove_prefix(4);
                             ConfigSection section = model.inside(name);
                             return printable(section.text({name})->value);
                         }));
    }
}

}  // namespace rope::io
