# rope_check_add_test(NAME WORD…): a test that runs the tool with these words and fails if it does.
#   rope_check_add_test(rope verify --config config.json --baseline rope-baseline.json)
# File names are relative to the folder of the CMakeLists.txt. The default format is text.
function(rope_check_add_test name)
  if(NOT ARGN)
    message(FATAL_ERROR "rope_check_add_test(${name} …): say what to run, such as verify --dim 128")
  endif()
  set(words ${ARGN})
  if(NOT words MATCHES "(^|;)(-o|--output|--format)")
    list(APPEND words --format text)
  endif()
  add_test(NAME "${name}" COMMAND rope_check::rope-check ${words}
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
