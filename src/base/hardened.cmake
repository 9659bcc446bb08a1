# Ends the process if a reader would write or jump to an address from a file: checked calls of the C
# library, checked containers, guarded stacks, jumps only to functions, read-only tables of functions.
# Randomised addresses (PIE) are the default of Debian's and Ubuntu's compilers.
include(CheckCXXCompilerFlag)

add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "rope_check_has${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  if(${has_flag})  # the last is only for x86
    add_compile_options(${flag})
  endif()
endforeach()
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
