# Installs headers, libraries and a package that find_package(nika) finds: see examples/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(nika_installed GLOBAL PROPERTY NIKA_FOLDERS)
if(TARGET nika)
  list(APPEND nika_installed nika)
endif()

# What people use and `cmake --install` needs, without tests and benchmarks: `./dev build` builds this.
add_custom_target(program)
add_dependencies(program ${nika_installed})

install(TARGETS ${nika_installed} EXPORT nikaTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/nika DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*_test.hpp" EXCLUDE)

set(nika_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nika)
install(EXPORT nikaTargets NAMESPACE nika:: DESTINATION ${nika_package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/nikaConfig.cmake.in ${PROJECT_BINARY_DIR}/nikaConfig.cmake
  INSTALL_DESTINATION ${nika_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nikaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nikaConfig.cmake ${PROJECT_BINARY_DIR}/nikaConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindZ3.cmake ${CMAKE_CURRENT_LIST_DIR}/FindCvc5.cmake
  DESTINATION ${nika_package_dir})
