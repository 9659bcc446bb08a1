# Links libraries statically if there is an archive: a process with fewer libraries to load and to
# relocate starts sooner. With ROPE_CHECK_STATIC_C all are static or, if one has no archive,
# all except the C library and that one.
include(CheckLinkerFlag)
set(rope_check_static_runtime -static-libstdc++ -static-libgcc)
if(ROPE_CHECK_STATIC_C)
  find_package(ZLIB REQUIRED)
  set(shared ${MPFR_LIBRARY} ${GMP_LIBRARY} ${ZLIB_LIBRARIES})
  list(FILTER shared EXCLUDE REGEX "[.]a$")
  check_linker_flag(CXX -static-pie ROPE_CHECK_LINKS_STATIC_PIE)
  if(ROPE_CHECK_LINKS_STATIC_PIE AND NOT shared)
    set(rope_check_static_runtime -static-pie)  # a later -pie would bring shared libraries back
    add_compile_options(-fPIE)
  endif()
endif()
check_linker_flag(CXX "${rope_check_static_runtime}" ROPE_CHECK_LINKS_STATIC_RUNTIME)
if(ROPE_CHECK_LINKS_STATIC_RUNTIME)
  add_link_options(${rope_check_static_runtime})
endif()

# Debian has no archive of fmt, and fmt::fmt-header-only compiles it again in each source.
set(rope_check_fmt rope_check_fmt)
add_library(rope_check_fmt STATIC cli/packaging/fmt.cpp)
target_include_directories(rope_check_fmt SYSTEM PUBLIC
    $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
