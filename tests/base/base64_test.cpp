#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace rope {
namespace base64_test {

// RFC 4648 §10
TEST(Base64, EncodesTheStandardsExamples) {
    EXPECT_EQ(base64_of(""), "");
    EXPECT_EQ(base64_of("f"), "Zg==");
    EXPECT_EQ(base64_of("fo"), "Zm8=");
    EXPECT_EQ(base64_of("foo"), "Zm9v");
    EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64_of("\xff\xfe"), "//4=");
}

}  // namespace base64_test
}  // namespace rope
