#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/audit/request.hpp"
#include "io/error_message.hpp"
#include "io/temporary_folder.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/specs.hpp"

namespace rope::io::audit_folder_test {

using ::testing::HasSubstr;

Spec partial_yarn() {
    Spec spec = partial(12, 8, PairLayout::interleaved);
    spec.rope_theta = 500000.25;
    spec.scaling = yarn(0.1 + 0.2, 512);
    return spec;
}

const Spec sectioned = on_axes(spec_of(12, 10000), {AxisScheme::sectioned, {2, 2, 2}});

std::string npy(Element element, std::vector<std::uint64_t> shape,
                const std::vector<double>& values) {
    std::string file;
    write_npy({"y", encoded(element, std::move(shape), values)},
              [&](std::string_view part) { file += part; });
    return file;
}

// An answer y.npy that repeats the rows of x.
std::string answer_bytes(const Audit& audit) {
    std::vector<double> values;
    for (std::uint64_t row = 0; row < audit.rows(); ++row)
        for (std::uint32_t dimension = 0; dimension < audit.spec.head_dim; ++dimension)
            values.push_back(audit.x(row, dimension));
    return npy(Element::float32, {audit.rows(), audit.spec.head_dim}, values);
}

// A config's yarn as llama.cpp reads it: the report of the answer names the reading, too.
Spec as_ggml_reads() {
    Spec spec = partial_yarn();
    spec.reading = "ggml";
    return spec;
}

TEST(AuditFolder, ARequestReadsBackAsTheAuditThatItWas) {
    for (const Spec& spec : {spec_of(8, 10000), partial_yarn(), sectioned, as_ggml_reads()}) {
        const TemporaryFolder folder;
        const Audit audit = plan_audit(spec, {0, 5, 4097}, 99);
        write_request(folder.path(), {audit, {}});
        const Audit read = read_request(folder.path()).audit;
        EXPECT_EQ(read.spec, audit.spec);
        EXPECT_EQ(read.positions, audit.positions);
        EXPECT_EQ(read.probes, audit.probes);
        EXPECT_EQ(read.seed, 99u);
    }
}

TEST(AuditFolder, ARequestReadsBackInTheFormThatItWas) {
    using enum SequenceOrder;
    const std::vector<double> positions{10, 14, 16};
    for (const auto& [groups, form, is_backward] :
         std::initializer_list<std::tuple<AuditGroups, RequestForm, bool>>{
             {{.batch = 2, .heads = 2}, {}, false},
             {{.batch = 2, .order = shared}, {}, false},
             {{}, {}, true},
             {{.batch = 2, .heads = 3, .order = as_they_are},
              {.contiguous = 7, .offset = 10},
              false}}) {
        const TemporaryFolder folder;
        Audit audit = plan_audit(spec_of(4, 10000), positions, 1, groups);
        audit.is_backward = is_backward;
        write_request(folder.path(), {audit, form});
        const Request read = read_request(folder.path());
        EXPECT_EQ(read.audit.positions[0], positions);
        EXPECT_EQ(read.audit.groups.batch, groups.batch);
        EXPECT_EQ(read.audit.groups.heads, groups.heads);
        EXPECT_EQ(read.audit.groups.order, groups.order);
        EXPECT_EQ(read.form.contiguous, form.contiguous);
        EXPECT_EQ(read.audit.is_backward, is_backward);
    }
}

TEST(AuditFolder, ContiguousSequencesMustHoldThePositions) {
    const auto refusal = [](const Spec& spec, std::vector<double> positions, std::uint64_t length) {
        return error_message<InputError>([&] {
            require_form({plan_audit(spec, std::move(positions), 1), {.contiguous = length}});
        });
    };
    EXPECT_EQ(refusal(spec_of(4, 10000), {0, 7}, 7), "--contiguous: position 7 is none of 0 to 6");
    EXPECT_THAT(refusal(spec_of(4, 10000), {0.5}, 7), HasSubstr("position 0.5"));
    EXPECT_THAT(refusal(spec_of(4, 10000), {-1}, 7), HasSubstr("position -1"));
    const Request after{plan_audit(spec_of(4, 10000), {100, 106}, 1),
                        {.contiguous = 7, .offset = 100}};
    require_form(after);
    EXPECT_EQ(after.row(0, 2), 14u);
    EXPECT_EQ(after.row(1, 2), 20u);
    EXPECT_EQ(error_message<InputError>(
                  [&] { require_form({after.audit, {.contiguous = 6, .offset = 100}}); }),
              "--contiguous: position 106 is none of 100 to 105");
    EXPECT_THAT(refusal(sectioned, {0, 1}, 7), HasSubstr("several axes"));
    // (128 + 3)·128·4 bytes for each position
    EXPECT_THAT(refusal(spec_of(128, 10000), {0}, 16009), HasSubstr("the limit is 16008"));
}

TEST(AuditFolder, AnEditedRequestIsRefused) {
    const TemporaryFolder folder;
    const auto refusal = [&](const char* text) {
        folder.write("spec.json", text);
        return error_message<InputError>([&] { read_request(folder.path()); });
    };
    for (const char* text :
         {"[]", "{}", R"({"rope_check": 3})", R"({"rope_check": {"spec": [], "seed": 1}})",
          R"({"rope_check": {"spec": 1, "positions": [0], "seed": 1}})",
          R"({"rope_check": {"spec": [], "positions": ["0"], "seed": 1}})",
          R"({"rope_check": {"spec": [], "positions": [null], "seed": 1}})",
          R"({"rope_check": {"spec": [1, 2], "positions": [0], "seed": 1}})",
          R"({"rope_check": {"spec": [], "positions": [0], "seed": "1"}})",
          R"({"rope_check": {"spec": [], "positions": [0], "seed": 1, "contiguous": -1}})",
          R"({"rope_check": {"spec": [], "positions": [0], "seed": 1, "batch": "2"}})",
          R"({"rope_check": {"spec": [], "positions": [0], "seed": 1, "heads": -2}})"})
        EXPECT_THAT(refusal(text), HasSubstr("is not what `rope-check audit new` writes")) << text;
    EXPECT_THAT(
        refusal(R"({"rope_check": {"spec": ["--zebra", "1"], "positions": [0], "seed": 1}})"),
        HasSubstr("'--zebra' is not a flag of a config"));
    EXPECT_THAT(refusal(R"({"rope_check": {"spec": ["--dim", "7"], "positions": [0], "seed": 1}})"),
                HasSubstr("--dim is 7"));
    EXPECT_THAT(refusal(R"({"rope_check": {"spec": [], "positions": [0], "seed": 1, "batch": 0}})"),
                HasSubstr("an audit has 0 batch entries"));
    EXPECT_THAT(refusal("{"), HasSubstr("spec.json"));
}

class Answer : public ::testing::Test {
  protected:
    std::string refusal() {
        return error_message<InputError>([&] { read_answers(folder.path(), request, "program"); });
    }
    std::filesystem::path y(const char* name = "y.npy") { return folder.path() / name; }

    TemporaryFolder folder;
    Audit audit = plan_audit(spec_of(4, 10000), {0, 1}, 1);  // 14 rows of 4
    Request request{audit, {}};
};

TEST_F(Answer, IsReadInEveryFormat) {
    folder.write("y.npy", answer_bytes(audit));
    const Answers answers = read_answers(folder.path(), request, "program");
    EXPECT_EQ(answers.format, Format::float32);
    EXPECT_EQ(answers.origin, "program");
    for (std::uint32_t from = 0; from < 4; ++from)
        for (std::uint32_t to = 0; to < 4; ++to)
            EXPECT_EQ(answers.response(1, to, from), from == to ? 1 : 0);
}

TEST_F(Answer, MayContainOnlyNumbers) {
    const std::vector<double> ones(56, 1);
    for (const auto& [name, element] : {std::pair{"y.f64", Element::float64},
                                        {"y.f32", Element::float32},
                                        {"y.f16", Element::float16},
                                        {"y.bf16", Element::bfloat16}}) {
        const Array array = encoded(element, {56}, ones);
        const std::string bytes(reinterpret_cast<const char*>(array.bytes.data()),
                                array.bytes.size());
        folder.write(name, bytes);
        const Answers answers = read_answers(folder.path(), request, "program");
        EXPECT_EQ(answers.y.element(), element);
        EXPECT_EQ(answers.y.at(13, 3), 1);
        folder.write(name, bytes + "1");
        EXPECT_THAT(refusal(), HasSubstr("it must hold floats [14, 4], a row for each of x.npy"));
        folder.write(name, bytes.substr(1));
        EXPECT_THAT(refusal(), HasSubstr("it must hold floats [14, 4]"));
        std::filesystem::remove(y(name));
    }
}

TEST_F(Answer, OfContiguousSequencesIsReadAtTheAuditsPlaces) {
    const Spec spec = spec_of(4, 10000);
    const AuditGroups two{.batch = 1, .heads = 2, .order = SequenceOrder::as_they_are};
    for (const auto& [groups, sequences] : {std::pair<AuditGroups, int>{{}, 7}, {two, 9}}) {
        request = {plan_audit(spec, {0, 1, 5}, 1, groups), {.contiguous = 6}};
        std::vector<double> values;  // 100·sequence + position
        for (int sequence = 0; sequence < sequences; ++sequence)
            for (int position = 0; position < 6; ++position)
                values.insert(values.end(), 4, 100 * sequence + position);
        folder.write("y.npy", npy(Element::float32, {values.size() / 24, 6, 4}, values));
        const Answers answers = read_answers(folder.path(), request, "program");
        const double at[] = {0, 1, 5};
        for (std::uint64_t row = 0; row < 21; ++row)  // 7 vectors at each position
            EXPECT_EQ(answers.y.at(row, 2), 100 * static_cast<double>(row % 7) + at[row / 7]);
        for (std::uint64_t row = 21; row < request.audit.rows(); ++row)  // then each group
            EXPECT_EQ(answers.y.at(row, 2),
                      100 * static_cast<double>(7 + (row - 21) / 3) + at[(row - 21) % 3]);
    }
}

TEST_F(Answer, ThatIsMissingOrTwofoldIsRefused) {
    EXPECT_THAT(refusal(), HasSubstr("y.npy; its last argument is the folder; "
                                     "it must hold floats [14, 4], a row for each of x.npy"));
    folder.write("y.npy", answer_bytes(audit));
    folder.write("y.npz", "");
    EXPECT_THAT(refusal(), HasSubstr("y.npz: exists next to y.npy; write one of them"));
}

}  // namespace rope::io::audit_folder_test
