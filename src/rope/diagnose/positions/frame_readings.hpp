// Rows of images and videos at other times, which the dump tells.
#pragma once

#include <vector>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

// By the asked frequencies; with and without the ids behind moved. None where the times are as the
// ids say, or a source of their own (frame_numbers, first_frame) has them.
std::vector<DumpReading> frame_readings(const DumpReading& reading, const RowGroups& rows);

}  // namespace rope
