# rope_check_unite(TARGET [EXCEPT FILE_OR_FOLDER…]): the target's files are compiled a folder at a
# time, so that what they include is read once. Two files whose unnamed namespaces share a name
# cannot be compiled as one: one of them is listed.
function(rope_check_unite target)
  if(NOT ROPE_CHECK_UNITE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 unite "" "" "EXCEPT")
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    if(NOT source IN_LIST unite_EXCEPT AND NOT folder IN_LIST unite_EXCEPT)
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
