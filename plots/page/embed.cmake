# cmake -DOUTPUT=FILE -DFOLDER=FOLDER -DSTYLES=a.css,b.css -DSCRIPTS=a.js,b.js -P embed.cmake
# Makes a C++ source of the page's template, styles and scripts, the latter joined in this order,
# with the SHA-256 of each; a LICENSE becomes a comment. Vendored files must match SHA256SUMS.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${FOLDER}/vendor/SHA256SUMS" sums)
foreach(line IN LISTS sums)
  string(REGEX MATCH "^([0-9a-f]+)  (.*)$" line "${line}")
  set(wanted "${CMAKE_MATCH_1}")
  file(SHA256 "${FOLDER}/vendor/${CMAKE_MATCH_2}" found)
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${FOLDER}/vendor/${CMAKE_MATCH_2}: SHA-256 is ${found}, not ${wanted}")
  endif()
endforeach()

# embed(NAME FILES…): a row of page.hpp
function(embed name)
  set(joined "${OUTPUT}.${name}")
  file(WRITE "${joined}" "")
  foreach(file IN LISTS ARGN)
    file(READ "${FOLDER}/${file}" text)
    if(file MATCHES "LICENSE$")
      set(text "/*!\n${text}*/\n")
    endif()
    file(APPEND "${joined}" "${text}")
  endforeach()
  file(READ "${joined}" bytes HEX)
  file(SHA256 "${joined}" sha256)
  file(REMOVE "${joined}")
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(APPEND "${OUTPUT}" "
constexpr unsigned char ${name}_bytes[] = {
    ${bytes}};
const Asset page_${name}{
    {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes},
    \"${sha256}\"};
")
endfunction()

string(REPLACE "," ";" styles "${STYLES}")
string(REPLACE "," ";" scripts "${SCRIPTS}")
file(WRITE "${OUTPUT}" "// Made by plots/page/embed.cmake.
#include \"plots/page/page.hpp\"

namespace rope::plots {
")
embed(template page.html)
embed(style ${styles})
embed(script ${scripts})
file(APPEND "${OUTPUT}" "
}  // namespace rope::plots
")
