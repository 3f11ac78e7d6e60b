# Debian's libcvc5-dev brings no CMake file: the imported target cvc5::cvc5 is made here.
find_path(Cvc5_INCLUDE_DIR cvc5/cvc5.h)
find_library(Cvc5_LIBRARY cvc5)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cvc5 REQUIRED_VARS Cvc5_LIBRARY Cvc5_INCLUDE_DIR)
if(Cvc5_FOUND AND NOT TARGET cvc5::cvc5)
  add_library(cvc5::cvc5 UNKNOWN IMPORTED GLOBAL)
  set_target_properties(cvc5::cvc5 PROPERTIES IMPORTED_LOCATION ${Cvc5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Cvc5_INCLUDE_DIR})
endif()
