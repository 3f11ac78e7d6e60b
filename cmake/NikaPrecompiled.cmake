# With NIKA_PRECOMPILED the headers of other libraries are parsed once for a whole build instead of once for each source,
# which is a third and more of what clang does with -O1 or less; docs/adr/0026 tells why g++ does without. Only headers that are not
# ours are here, so that changing one of ours compiles no more than what includes it.
set(nika_precompiled_headers
  <algorithm> <array> <atomic> <bit> <chrono> <cmath> <concepts> <cstdint> <deque> <filesystem> <fstream> <functional>
  <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <thread> <tuple>
  <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <nlohmann/json.hpp> <tl/expected.hpp>)
if(NIKA_TESTS)
  list(APPEND nika_precompiled_headers <gtest/gtest.h>)
endif()

# nika_compile_with(TARGET OPTION…): compiles the target with these options beyond those of nika_flags, and begins with the
# headers as compiled with the same options: clang refuses any others. Targets with the same options share them.
function(nika_compile_with target)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  target_compile_options(${target} PRIVATE ${ARGN})
  if(NOT NIKA_PRECOMPILED)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "nika_headers${ARGN}" headers)
  if(NOT TARGET ${headers})
    set(source ${PROJECT_BINARY_DIR}/${headers}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// CMake wants a source to precompile headers for.\n")
    add_library(${headers} OBJECT ${source})
    target_compile_options(${headers} PRIVATE ${ARGN})
    target_link_libraries(${headers} PRIVATE nika_flags fmt::fmt nlohmann_json::nlohmann_json tl::expected
      PkgConfig::xxhash PkgConfig::gmpxx $<TARGET_NAME_IF_EXISTS:GTest::gtest>)
    target_precompile_headers(${headers} PRIVATE ${nika_precompiled_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
