#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstring>

#include "io/audit/request.hpp"
#include "io/error_message.hpp"
#include "io/file/file_descriptor.hpp"
#include "io/file/unfinished.hpp"
#include "io/temporary_folder.hpp"
#include "io/tensor/readers/npy.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/specs.hpp"

namespace rope::io {
namespace audit_folder_test {

using ::testing::EndsWith;
using ::testing::HasSubstr;

Spec partial_yarn() {
    Spec spec = spec_of(12, 500000.25);
    spec.rotary_dim = 8;
    spec.layout = PairLayout::interleaved;
    spec.scaling.rope_type = "yarn";
    spec.scaling.factor = 0.1 + 0.2;
    spec.scaling.original_max_position_embeddings = 512;
    return spec;
}

Spec sectioned() {
    Spec spec = spec_of(12, 10000);
    spec.axes = {AxisScheme::sectioned, {2, 2, 2}};
    return spec;
}

Array array_of(const std::string& bytes) { return read_npy(std::as_bytes(std::span(bytes))); }

std::string npy(Element element, std::vector<std::uint64_t> shape,
                const std::vector<double>& values) {
    return write_npy({"y", encoded(element, std::move(shape), values)});
}

// y.npy with x's own rows.
std::string answer_bytes(const Audit& audit) {
    std::vector<double> values;
    for (std::uint64_t row = 0; row < audit.rows(); ++row)
        for (std::uint32_t lane = 0; lane < audit.spec.head_dim; ++lane)
            values.push_back(audit.x(row, lane));
    return npy(Element::float32, {audit.rows(), audit.spec.head_dim}, values);
}

// A config's yarn as llama.cpp reads it: the report of the answer says so, too.
Spec as_ggml_reads() {
    Spec spec = partial_yarn();
    spec.reading = "ggml";
    return spec;
}

TEST(AuditFolder, ARequestReadsBackAsTheAuditThatItWas) {
    for (const Spec& spec : {spec_of(8, 10000), partial_yarn(), sectioned(), as_ggml_reads()}) {
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

TEST(AuditFolder, ARequestHoldsAPositionAndAVectorInEachRow) {
    const TemporaryFolder folder;
    const Audit audit = plan_audit(sectioned(), {3, 5, 4097}, 1);
    write_request(folder.path(), {audit, {}});
    const std::string x_file = content_of(folder.path() / "x.npy");
    const std::string m_file = content_of(folder.path() / "positions.npy");
    const Array x = array_of(x_file), m = array_of(m_file);
    EXPECT_EQ(x.element, Element::float32);
    EXPECT_EQ(x.shape, (std::vector<std::uint64_t>{45, 12}));
    EXPECT_EQ(m.element, Element::int64);
    EXPECT_EQ(m.shape, (std::vector<std::uint64_t>{3, 45}));
    for (std::uint64_t row = 0; row < 45; ++row) {
        for (std::uint64_t axis = 0; axis < 3; ++axis)
            EXPECT_EQ(m.at(axis * 45 + row), static_cast<double>(audit.positions[axis][row / 15]));
        for (std::uint32_t lane = 0; lane < 12; ++lane)
            EXPECT_EQ(x.at(row * 12 + lane), audit.x(row, lane));
    }
    const std::string readme = content_of(folder.path() / "README.txt");
    EXPECT_THAT(readme, HasSubstr("float32 [45, 12]"));
    EXPECT_THAT(readme, HasSubstr("int64 [3, 45]"));
    EXPECT_THAT(readme, HasSubstr("numpy.save(f\"{folder}/y.npy\", rotate(x, positions))"));
}

TEST(AuditFolder, ARawRequestIsTheSameNumbersWithoutHeaders) {
    const TemporaryFolder folder;
    const Audit audit = plan_audit(sectioned(), {3, 5.5}, 1);
    write_request(folder.path(), {audit, {.is_raw = true}});
    EXPECT_EQ(content_of(folder.path() / "shape.txt"), "30 12\n");
    const std::string x = content_of(folder.path() / "x.f32");
    const std::string m = content_of(folder.path() / "positions.f64");
    ASSERT_EQ(x.size(), 30u * 12 * 4);
    ASSERT_EQ(m.size(), 3u * 30 * 8);
    for (std::uint64_t row = 0; row < 30; ++row) {
        float lanes[12];
        std::memcpy(lanes, x.data() + row * sizeof lanes, sizeof lanes);
        for (std::uint32_t lane = 0; lane < 12; ++lane) EXPECT_EQ(lanes[lane], audit.x(row, lane));
        for (std::uint64_t axis = 0; axis < 3; ++axis) {
            double position = 0;
            std::memcpy(&position, m.data() + (axis * 30 + row) * 8, 8);
            EXPECT_EQ(position, audit.positions[axis][row / 15]);
        }
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "x.npy"));
}

TEST(AuditFolder, AContiguousRequestHoldsEachVectorAtEveryPosition) {
    const TemporaryFolder folder;
    const Audit audit = plan_audit(spec_of(8, 10000), {0, 4, 6}, 1);
    write_request(folder.path(), {audit, {.contiguous = 7}});
    const std::string file = content_of(folder.path() / "x.npy");
    const Array x = array_of(file);
    EXPECT_EQ(x.shape, (std::vector<std::uint64_t>{11, 7, 8}));
    for (std::uint64_t i = 0; i < 11 * 7 * 8; ++i)
        ASSERT_EQ(x.at(i), audit.x(i / 56, static_cast<std::size_t>(i % 8)));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "positions.npy"));
    const Request read = read_request(folder.path());
    EXPECT_EQ(read.form.contiguous, 7u);
    EXPECT_EQ(read.audit.positions, audit.positions);
}

TEST(AuditFolder, ARequestOfSeveralGroupsHoldsTheirSequencesAfterThePlaces) {
    const TemporaryFolder folder;
    const Audit audit = plan_audit(sectioned(), {3, 5, 4097}, 1, {.batch = 2, .heads = 2});
    write_request(folder.path(), {audit, {}});
    const std::string x_file = content_of(folder.path() / "x.npy");
    const std::string m_file = content_of(folder.path() / "positions.npy");
    const Array x = array_of(x_file), m = array_of(m_file);
    EXPECT_EQ(x.shape, (std::vector<std::uint64_t>{45 + 12, 12}));
    EXPECT_EQ(m.shape, (std::vector<std::uint64_t>{3, 57}));
    for (std::uint64_t row = 45; row < 57; ++row) {
        // each batch entry has the positions in another order
        const std::uint64_t place = (row % 3 + (row < 51 ? 1 : 2)) % 3;
        for (std::uint64_t axis = 0; axis < 3; ++axis)
            EXPECT_EQ(m.at(axis * 57 + row), audit.positions[axis][place]);
        EXPECT_EQ(x.at(row * 12 + 7), audit.x(row, 7));
    }
    const std::string readme = content_of(folder.path() / "README.txt");
    EXPECT_THAT(readme, HasSubstr("Rows 45 to 56 hold a sequence for each head"));
    EXPECT_THAT(readme, HasSubstr("x[45:].reshape(2, 2, 3, 12)"));
    EXPECT_THAT(readme, HasSubstr("in its own\norder"));
    const Audit read = read_request(folder.path()).audit;
    EXPECT_EQ(read.groups.batch, 2u);
    EXPECT_EQ(read.groups.heads, 2u);
    EXPECT_EQ(read.groups.order, SequenceOrder::own);
}

TEST(AuditFolder, BatchEntriesOfARequestMayShareTheirPositions) {
    const TemporaryFolder folder;
    write_request(folder.path(), {plan_audit(spec_of(4, 10000), {0, 5}, 1,
                                             {.batch = 2, .order = SequenceOrder::shared}),
                                  {}});
    const std::string file = content_of(folder.path() / "positions.npy");
    for (const std::uint64_t row : {14u, 16u}) {
        EXPECT_EQ(array_of(file).at(row), 5);
        EXPECT_EQ(array_of(file).at(row + 1), 0);
    }
    EXPECT_THAT(content_of(folder.path() / "README.txt"),
                HasSubstr("All of them have the same positions"));
    EXPECT_EQ(read_request(folder.path()).audit.groups.order, SequenceOrder::shared);
}

TEST(AuditFolder, AContiguousRequestOfSeveralGroupsEndsWithASequenceOfEach) {
    const TemporaryFolder folder;
    const Request request{plan_audit(spec_of(8, 10000), {10, 14, 16}, 1,
                                     {.batch = 2, .heads = 3, .order = SequenceOrder::as_they_are}),
                          {.contiguous = 7, .offset = 10}};
    write_request(folder.path(), request);
    const std::string file = content_of(folder.path() / "x.npy");
    const Array x = array_of(file);
    EXPECT_EQ(x.shape, (std::vector<std::uint64_t>{11 + 6, 7, 8}));
    for (std::uint64_t group = 0; group < 6; ++group)
        for (std::uint64_t place = 0; place < 3; ++place) {
            const std::uint64_t row = request.audit.row_of(group, place);
            const std::uint64_t index = std::vector<std::uint64_t>{0, 4, 6}[place];
            EXPECT_EQ(request.row_of(row), (11 + group) * 7 + index);
            for (std::uint32_t lane = 0; lane < 8; ++lane)
                EXPECT_EQ(x.at(request.row_of(row) * 8 + lane), request.audit.x(row, lane));
        }
    EXPECT_THAT(content_of(folder.path() / "README.txt"), HasSubstr("x[11:].reshape(2, 3, 7, 8)"));
    const Request read = read_request(folder.path());
    EXPECT_EQ(read.audit.groups.count(), 6u);
    EXPECT_EQ(read.audit.groups.order, SequenceOrder::as_they_are);
    EXPECT_EQ(
        error_message<InputError>([&] {
            require_form({plan_audit(spec_of(8, 10000), {0}, 1, {.batch = 2}), {.contiguous = 7}});
        }),
        "--contiguous: sequences have their positions in order");
    // (128 + 3 + 1000)·128·4 bytes for each position
    EXPECT_THAT(error_message<InputError>([] {
                    require_form({plan_audit(spec_of(128, 10000), {0}, 1,
                                             {.heads = 1000, .order = SequenceOrder::as_they_are}),
                                  {.contiguous = 1855}});
                }),
                HasSubstr("the limit is 1854"));
}

TEST(AuditFolder, ABackwardRequestAsksAtThePositionsWhoseNegativesAreJudged) {
    const TemporaryFolder folder;
    write_request(folder.path(),
                  {plan_audit(spec_of(4, 10000), {0, -5}, 1), {.is_backward = true}});
    const std::string file = content_of(folder.path() / "positions.npy");
    EXPECT_EQ(array_of(file).at(0), 0);
    EXPECT_EQ(array_of(file).at(7), 5);
    const Request read = read_request(folder.path());
    EXPECT_TRUE(read.form.is_backward);
    EXPECT_EQ(read.audit.positions[0], (std::vector<double>{0, -5}));
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
    EXPECT_THAT(refusal(sectioned(), {0, 1}, 7), HasSubstr("several axes"));
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

TEST_F(Answer, IsReadInWhateverFormatItComes) {
    folder.write("y.npy", answer_bytes(audit));
    const Answers answers = read_answers(folder.path(), request, "program");
    EXPECT_EQ(answers.format, Format::float32);
    EXPECT_EQ(answers.origin, "program");
    for (std::uint32_t from = 0; from < 4; ++from)
        for (std::uint32_t to = 0; to < 4; ++to)
            EXPECT_EQ(answers.response(1, to, from), from == to ? 1 : 0);
}

TEST_F(Answer, MayBeNumbersAlone) {
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
    request = {plan_audit(spec_of(4, 10000), {0, 1, 5}, 1), {.contiguous = 6}};
    std::vector<double> values;  // 100·vector + position
    for (int vector = 0; vector < 7; ++vector)
        for (int position = 0; position < 6; ++position)
            values.insert(values.end(), 4, 100 * vector + position);
    folder.write("y.npy", npy(Element::float32, {7, 6, 4}, values));
    const Answers answers = read_answers(folder.path(), request, "program");
    for (std::uint64_t row = 0; row < 21; ++row) {
        const double position = std::vector<double>{0, 1, 5}[row / 7];
        EXPECT_EQ(answers.y.at(row, 2), 100 * static_cast<double>(row % 7) + position);
    }
}

TEST_F(Answer, OfContiguousSequencesOfGroupsIsReadThereToo) {
    request = {plan_audit(spec_of(4, 10000), {0, 1, 5}, 1,
                          {.batch = 1, .heads = 2, .order = SequenceOrder::as_they_are}),
               {.contiguous = 6}};
    std::vector<double> values;  // 100·sequence + position
    for (int sequence = 0; sequence < 9; ++sequence)
        for (int position = 0; position < 6; ++position)
            values.insert(values.end(), 4, 100 * sequence + position);
    folder.write("y.npy", npy(Element::float32, {9, 6, 4}, values));
    const Answers answers = read_answers(folder.path(), request, "program");
    EXPECT_EQ(answers.y.at(20, 0), 605);
    const double own[] = {700, 701, 705, 800, 801, 805};
    for (std::uint64_t row = 0; row < 6; ++row) EXPECT_EQ(answers.y.at(21 + row, 2), own[row]);
}

TEST_F(Answer, ThatIsMissingOrTwofoldIsRefused) {
    EXPECT_THAT(refusal(),
                HasSubstr("y.npy; it must hold floats [14, 4], a row for each of x.npy"));
    folder.write("y.npy", answer_bytes(audit));
    folder.write("y.npz", "");
    EXPECT_THAT(refusal(), HasSubstr("y.npz: exists next to y.npy; write one of them"));
}

TEST_F(Answer, ThatIsNoRegularFileIsRefusedAndNotWaitedFor) {
    ASSERT_EQ(::mkfifo(y().c_str(), 0600), 0);
    EXPECT_THAT(refusal(), EndsWith("not a regular file; write a regular file there"));
    std::filesystem::remove(y());
    std::filesystem::create_directory(y());
    EXPECT_THAT(refusal(), HasSubstr("is a folder"));
    std::filesystem::remove(y());
    folder.write("elsewhere", answer_bytes(audit));
    std::filesystem::create_symlink("elsewhere", y());
    EXPECT_THAT(refusal(), HasSubstr("is a symbolic link"));
    std::filesystem::remove(y());
    std::filesystem::create_symlink("nowhere", y());
    EXPECT_THAT(refusal(), HasSubstr("is a symbolic link"));
}

TEST_F(Answer, ThatIsTruncatedAnywhereIsRefused) {
    const std::string bytes = answer_bytes(audit);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        folder.write("y.npy", bytes.substr(0, size));
        EXPECT_THAT(refusal(), HasSubstr("y.npy: ")) << size;
    }
}

TEST_F(Answer, ThatIsFarTooLargeIsRefusedUnread) {
    folder.write("y.npy", "");
    std::filesystem::resize_file(y(), std::uintmax_t{1} << 29);
    EXPECT_THAT(refusal(), HasSubstr("y.npy: has 536870912 bytes; the limit is 65984"));
}

TEST_F(Answer, OfAnotherShapeOrOfIntegersIsRefused) {
    const auto write = [&](Element element, std::vector<std::uint64_t> shape) {
        folder.write("y.npy", npy(element, std::move(shape), std::vector<double>(56, 1)));
    };
    write(Element::float32, {4, 14});
    EXPECT_THAT(refusal(), HasSubstr("holds float32 [4, 14]; it must hold floats [14, 4]"));
    write(Element::float32, {56});
    EXPECT_THAT(refusal(), HasSubstr("holds float32 [56]; it must hold floats [14, 4]"));
    write(Element::int64, {14, 4});
    EXPECT_THAT(refusal(), HasSubstr("holds int64 [14, 4]; it must hold floats [14, 4]"));
}

TEST(PrivateFolder, IsOursAloneAndGoneAfterwardsWithAllThatIsInIt) {
    const TemporaryFolder outside;
    const auto kept = outside.write("kept", "still here");
    std::filesystem::path path;
    {
        const PrivateFolder folder;
        path = folder.path();
        struct stat status{};
        ASSERT_EQ(::stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0700u);
        std::filesystem::create_directories(path / "a/b");
        std::filesystem::create_directory_symlink(outside.path(), path / "a/link");
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(content_of(kept), "still here");
}

// Deeper than files may be open, with names that make its paths longer than any that can be opened.
TEST(PrivateFolder, OneThatStaysMustBeEmpty) {
    const TemporaryFolder folder;
    make_empty_folder(folder.path() / "new");
    make_empty_folder(folder.path() / "new");
    folder.write("new/y.npy", "old");
    EXPECT_THAT(error_message<InputError>([&] { make_empty_folder(folder.path() / "new"); }),
                HasSubstr("new: holds files"));
    EXPECT_THAT(error_message<IoError>([&] { make_empty_folder(folder.path() / "new/y.npy"); }),
                HasSubstr("a file of that name is there"));
    EXPECT_THAT(error_message<IoError>([&] { make_empty_folder(folder.path() / "no/new"); }),
                HasSubstr("no/new: cannot make this folder"));
}

}  // namespace audit_folder_test
}  // namespace rope::io
