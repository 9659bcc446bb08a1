// Files that this process was started with.
#pragma once

namespace rope::io {

// Marks them, all but the three standard streams, so that no program started from now on has them.
// Changes nothing where the system does not list them (/dev/fd).
void withhold_inherited_files();

}  // namespace rope::io
