// Two configs, separated by a line ---.
#include "tests/fuzz/models.hpp"

void rope::fuzz::try_input(Bytes input) {
    const std::string_view text = text_of(input), line = "\n---\n";
    const std::size_t end = std::min(text.find(line), text.size());
    const std::size_t begin = std::min(end + line.size(), text.size());
    const auto model = [&](std::string_view part, const char* name) {
        return io::with_both_tables(io::resolve_model(file_of(part, name), {}));
    };
    const io::ResolvedModel a = model(text.substr(0, end), "a.json");
    const io::ResolvedModel b = model(text.substr(begin), "b.json");
    if (!is_small(a) || !is_small(b)) return;
    const io::Diff diff = io::diff(a, b, {}), back = io::diff(b, a, {});
    require(diff.same() == back.same(), "a is as b, and b not as a");
    require(io::diff(a, a, {}, 0).same(), "a config differs from itself");
    require(!io::diff_document(diff, false).json.empty(), "no JSON");
    require(!io::diff_document(diff, true).text.empty(), "no text");
}
