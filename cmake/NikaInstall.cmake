# Installs headers, libraries and a package that find_package(nika) finds: see examples/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
