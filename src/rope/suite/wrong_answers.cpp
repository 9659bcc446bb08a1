#include "rope/suite/wrong_answers.hpp"

#include <algorithm>

#include "rope/suite/wrong_rows.hpp"

namespace rope {

std::vector<WrongAnswer> wrong_answers(std::span<const SuiteCase> cases) {
    std::vector<WrongAnswer> all;
    for (const auto rows :
         {wrong_rotations(), wrong_frequencies(), wrong_positions(), wrong_values()})
        for (const WrongRow& row : rows) {
            const auto found = std::ranges::find(cases, row.of_case, &SuiteCase::id);
            const SuiteValues right(*found, static_cast<std::uint64_t>(found - cases.begin()));
            all.push_back({row.mistake, row.what, row.of_case, row.output,
                           row.answer({*found, right.input(row.output)})});
        }
    // two heads, q's and k's, each in the other's place
    const auto found = std::ranges::find(cases, plain_case, &SuiteCase::id);
    const SuiteValues right(*found, static_cast<std::uint64_t>(found - cases.begin()));
    all.push_back({"head-order", "q_rot holds the rotation of k", plain_case, SuiteOutput::q_rot,
                   right.answer(SuiteOutput::k_rot, Format::float32)});
    return all;
}

}  // namespace rope
