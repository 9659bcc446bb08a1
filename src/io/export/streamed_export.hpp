// Large tables to a file, made while they are written.
#pragma once

#include <string_view>

#include "io/export/export.hpp"
#include "io/file/write_file.hpp"

namespace rope::io {

// Whether this format can be written so: tables alone, and a format whose header tells no bytes.
bool is_streamed(std::string_view format, const ExportRequest& request);

// The bytes of export_file, a few MiB at a time, however many positions there are. Throws
// InputError likewise.
void stream_export(std::string_view format, const ExportRequest& request, std::string_view tensor,
                   const Sink& write);

}  // namespace rope::io
