// What rows at positions from elsewhere are called.
#include <utility>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

NamedMistake source_mistake(PositionSource source) {
    using enum PositionSource;
    const auto named = [&](std::string of, std::string what) {
        NamedMistake one{"position-source", {{"source", std::move(of)}}, std::move(what)};
        if (is_of_images(source))
            one.advice =
                "the ids of images and videos are made otherwise than by the model's "
                "get_rope_index: compare the order of patches, the grid's height and width, the "
                "time from one frame to the next, and where the ids behind go on";
        return one;
    };
    switch (source) {
        case row_number:
            return named("row number",
                         "positions are row numbers of the sequence: position_ids are ignored");
        case first_sequence:
            return named("sequence 0",
                         "every batch entry has the position_ids of sequence 0, not its own");
        case head_number:
            return named("head number",
                         "positions are head numbers: the rotation runs along the heads axis");
        case batch_number:
            return named("batch number",
                         "positions are numbers of batch entries: the rotation runs along the "
                         "batch axis");
        case row_in_dump:
            return named("row of the batch",
                         "positions are row numbers of the whole batch: they count on from one "
                         "entry to the next");
        case reversed:
            return named("reversed",
                         "rows have the position_ids of their sequence in reverse order");
        case image_alone:
            return named("image alone",
                         "an image's ids count from 0: the next free id after the text before it "
                         "is not added");
        case behind_images: {
            NamedMistake one = named("row number",
                                     "text after the last image is rotated by its row numbers: an "
                                     "image's tokens are counted one by one");
            one.parameters.emplace_back("rows", std::string("behind images"));
            return one;
        }
        case image_rows:
            return named("image rows",
                         "an image's ids count row by row, but its tokens are in another order");
        case image_columns:
            return named("image columns",
                         "an image's ids count down its columns, but its tokens are in another "
                         "order");
        case image_blocks:
            return named("image blocks",
                         "an image's ids count blocks of 2 × 2, as patches are merged, but its "
                         "tokens are in another order");
        case image_divided_by_height:
            return named("image height",
                         "an image's token t has the ids (t div height, t mod height): it is "
                         "divided by the height, not the width");
        case frame_numbers:
            return named("frame number",
                         "a video's frames are numbered one by one, not by their time");
        case frame_numbers_behind:
            return named("frame number and behind",
                         "a video's frames are numbered one by one, not by their time, and the ids "
                         "behind it go on from there");
        case first_frame:
            return named("first frame", "all frames of a video have the time of the first one");
        case row_of_heads:
            return named("row of the heads",
                         "positions count on from one head to the next: row s of S in head h is "
                         "for position h·S + s");
        case head_of_rows:
            return named("head of the rows",
                         "positions count the heads of every row: row s in head h of H is for "
                         "position s·H + h");
        case row_of_all_heads:
            return named("row of the batch's heads",
                         "positions count on from one head to the next, through the whole batch: "
                         "row s of S in head h of H of entry b is for position (b·H + h)·S + s");
        case head_of_all_rows:
            return named("head of the batch's rows",
                         "positions count the heads of every row, through the whole batch: row s "
                         "of S in head h of H of entry b is for position (b·S + s)·H + h");
        case frame_times:
            return named("frame step", "a video's frames are at other times");
        case position_ids:
            break;
    }
    return named("position_ids", "positions are as the dump says");
}

}  // namespace rope
