# The files of `cmake --install`: the tool, the library, its headers, schemas and CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/rope_check")

install(TARGETS rope-check EXPORT rope_check_tool)
install(TARGETS rope_check_base rope_check_core EXPORT rope_check_core)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/base" "${PROJECT_SOURCE_DIR}/src/rope"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/rope_check" FILES_MATCHING PATTERN "*.hpp"
    PATTERN "kernels/unit.hpp" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/io/schema/"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/rope-check/schema" FILES_MATCHING PATTERN "*.json")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/plots/page/vendor/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSE.uPlot)

if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(manual "${CMAKE_CURRENT_BINARY_DIR}/manual")
  set(run_tool ${CMAKE_CROSSCOMPILING_EMULATOR} "$<TARGET_FILE:rope-check>")
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\"
      \"-DTOOL=${run_tool}\" \"-DFOLDER=${manual}\" -P \"${CMAKE_CURRENT_LIST_DIR}/manual.cmake\"
      COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY "${manual}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  install(DIRECTORY "${manual}/bash/"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(DIRECTORY "${manual}/zsh/" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(DIRECTORY "${manual}/fish/"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

foreach(set tool core)
  install(EXPORT rope_check_${set} NAMESPACE rope_check:: DESTINATION "${package_folder}")
endforeach()
configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/rope_check-config.cmake.in" rope_check-config.cmake
    INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(rope_check-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/rope_check-config.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/rope_check-config-version.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/rope_check_add_test.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/FindMPFR.cmake"
    DESTINATION "${package_folder}")
