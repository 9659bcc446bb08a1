// Where the positions of rows may be taken from.
#pragma once

namespace rope {

// Where the position of a row is taken from.
enum class PositionSource {
    position_ids,    // as the dump says
    row_number,      // its number in its sequence
    row_in_dump,     // its number in the whole batch
    first_sequence,  // the position ids of batch entry 0
    head_number,
    batch_number,
    reversed,       // those of the sequence from its end
    image_alone,    // of an image's rows: without the ids before it
    behind_images,  // of rows behind the last image of a sequence: their number in it
    // Of an image's rows as if its tokens were numbered in another order:
    image_rows,     // one row after the other
    image_columns,  // one column after the other
    image_blocks,   // in blocks of 2 × 2, row by row in each and of them, as patches are merged
    image_divided_by_height,  // token t in row t div height, not width, at t mod height
    // Of a video's rows, on the axis of time:
    frame_numbers,         // as if its frames were 1 apart
    frame_numbers_behind,  // and so of all rows behind it, on each axis
    first_frame,           // that of its first frame
    frame_times,           // others, of which the dump tells: FrameTimes
    // Of row s of S in head h of H of entry b:
    row_of_heads,      // h·S + s
    head_of_rows,      // s·H + h
    row_of_all_heads,  // (b·H + h)·S + s
    head_of_all_rows,  // (b·S + s)·H + h
};

// What a sequence's images make of its ids (SequenceImages).
constexpr bool is_of_images(PositionSource source) {
    return source >= PositionSource::image_alone && source <= PositionSource::frame_times;
}

}  // namespace rope
