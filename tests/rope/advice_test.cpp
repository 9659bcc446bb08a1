// The advice for a named mistake.
#include <gmock/gmock.h>

#include "rope/changes/reading.hpp"
#include "rope/diagnose/explain.hpp"

namespace rope {
namespace advice_test {

using testing::HasSubstr;
using testing::Not;

std::string advice_of(PositionSource source) {
    return explanation_of(source_mistake(source), 2, 0).advice;
}

TEST(Advice, ForIdsOfImagesDiffersFromThatForRowNumbers) {
    using enum PositionSource;
    for (const PositionSource source :
         {image_alone, behind_images, image_rows, image_columns, image_blocks,
          image_divided_by_height, image_doubled, image_halved, frame_numbers, frame_numbers_behind,
          first_frame})
        EXPECT_THAT(advice_of(source), HasSubstr("images and videos")) << static_cast<int>(source);
    for (const PositionSource source : {row_number, first_sequence, row_in_dump, reversed})
        EXPECT_EQ(advice_of(source), find_mistake("position-source").advice);
    EXPECT_THAT(find_mistake("position-source").advice, Not(HasSubstr("images")));
}

}  // namespace advice_test
}  // namespace rope
