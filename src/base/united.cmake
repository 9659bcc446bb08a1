# Compiles the sources of a layer in few units, each of which reads and instantiates shared code once:
# together they take a third of the processor time. A source with separate options is a separate unit.
#
# rope_check_unite(TARGET FOLDER MODULES…): each of MODULES is a regular expression of the modules
# whose sources are one unit. Any other module is a unit, or shares one if it is small.
function(rope_check_unite target folder)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^[^$].*[.]cpp$")
  set(modules)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH module)
    # of texts that CMake made sources, too
    string(REPLACE "${PROJECT_BINARY_DIR}/${folder}/" "" module "${module}")
    list(APPEND modules "<${module}>")
  endforeach()
  foreach(source module IN ZIP_LISTS sources modules)
    set(group "${module}")
    set(same ${modules})
    list(FILTER same INCLUDE REGEX "^${module}$")
    list(LENGTH same count)
    if(count LESS 4)
      set(group small)
    endif()
    foreach(shared IN LISTS ARGN)
      if(module MATCHES "^<(${shared})>$")
        set(group "${shared}")
        break()
      endif()
    endforeach()
    string(MAKE_C_IDENTIFIER "of_${group}" group)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target}
        PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-shadow)  # names in neighbouring sources
endfunction()

rope_check_unite(rope_check_base src/base)
rope_check_unite(rope_check_core src/rope "exact|rows" "spec" "suite")
rope_check_unite(rope_check_io src/io "config|model" "dump|tensor" "system|text"
    "render" "explain|export" "audit")
rope_check_unite(rope_check_plots plots "parts|page")
rope_check_unite(rope_check_cli cli)

# Derivations of claims use the same short names for different things.
get_target_property(sources rope_check_core SOURCES)
list(FILTER sources INCLUDE REGEX "^claims/")
list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/src/rope/")
set_source_files_properties(${sources} TARGET_DIRECTORY rope_check_core
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)

# units of src/rope without a hot loop; a diagnosis takes 5 % longer than with -O2
foreach(group _session_ _changes_ _diagnose_ spec suite)
  set_source_files_properties(
      "${PROJECT_BINARY_DIR}/src/rope/CMakeFiles/rope_check_core.dir/Unity/unity_of_${group}_cxx.cxx"
      TARGET_DIRECTORY rope_check_core PROPERTIES COMPILE_OPTIONS -O1)
endforeach()

# GCC may use 1 GiB before it collects garbage, which takes a tenth of the time of a large unit.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(target base core io plots cli)
    target_compile_options(rope_check_${target} PRIVATE --param=ggc-min-heapsize=1048576)
  endforeach()
endif()
