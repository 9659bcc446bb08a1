# Finds MPFR and the GMP that it needs; defines MPFR::MPFR.
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
find_library(GMP_LIBRARY gmp)

if(MPFR_INCLUDE_DIR)
  file(STRINGS "${MPFR_INCLUDE_DIR}/mpfr.h" MPFR_VERSION_LINE REGEX "#define MPFR_VERSION_STRING")
  string(REGEX MATCH "[0-9.]+" MPFR_VERSION "${MPFR_VERSION_LINE}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MPFR
    REQUIRED_VARS MPFR_LIBRARY GMP_LIBRARY MPFR_INCLUDE_DIR
    VERSION_VAR MPFR_VERSION
    REASON_FAILURE_MESSAGE "On Debian and Ubuntu: apt-get install libmpfr-dev")
mark_as_advanced(MPFR_INCLUDE_DIR MPFR_LIBRARY GMP_LIBRARY)

if(MPFR_FOUND AND NOT TARGET MPFR::MPFR)
  add_library(MPFR::MPFR UNKNOWN IMPORTED)
  set_target_properties(MPFR::MPFR PROPERTIES
      IMPORTED_LOCATION "${MPFR_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${MPFR_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${GMP_LIBRARY}")
endif()
