# What ends the process where a reader would write or jump to what a file says: checked calls of the C
# library, checked containers, guarded stacks, jumps to functions alone, read-only tables of functions.
# That addresses are drawn (PIE) is the default of Debian's and Ubuntu's compilers.
include(CheckCXXCompilerFlag)

add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "rope_check_has${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  if(${has_flag})  # the last is of x86 alone
    add_compile_options(${flag})
  endif()
endforeach()
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
