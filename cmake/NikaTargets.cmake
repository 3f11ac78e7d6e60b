# One target per folder of src/nika: nika_folder(NAME DEPENDS …) picks up every source beside its CMakeLists.txt.
# Files named *_test.cpp become the folder's test program, *_fuzz.cpp a libFuzzer program each. `./dev test` builds and runs
# each of them with sanitizers; OPTIMIZED: by g++ too, since there are more cases to compare then; COMPARES: by g++ only,
# since its tests compare whole searches with brute force. The same code runs under sanitizers in tests/engines.
# COLD: nothing in it runs once for each scenario, so that under sanitizers optimizing it costs more than it saves.

add_library(nika_flags INTERFACE)
target_compile_features(nika_flags INTERFACE cxx_std_20)
target_compile_options(nika_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # g++ 12 reports overlapping copies inside std::string and writes past the end of arrays that cannot happen (its bugs
  # 105651 and 105329); clang and the sanitizers look at the same code.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # A larger heap before g++ first looks for garbage in it: the same code, in a tenth less time for the largest sources.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>
  # clang 19 reports what g++ 12's own std::stable_sort calls; g++ still reports our uses.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# Sets of seats are counted all the time; every 64-bit x86 of the last fifteen years has an instruction for it. Tuned for
# any of them, g++ copies and clears states by string instructions, which take long to get going.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(nika_flags INTERFACE -march=x86-64-v2 -mtune=skylake)
endif()
if(NIKA_WERROR)
  target_compile_options(nika_flags INTERFACE -Werror)
endif()
if(NIKA_SANITIZE)
  target_compile_definitions(nika_flags INTERFACE NIKA_SANITIZED)  # everything takes longer: tests ask for less
  target_compile_options(nika_flags INTERFACE -fsanitize=${NIKA_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(nika_flags INTERFACE -fsanitize=${NIKA_SANITIZE})
endif()

if(NIKA_FUZZERS)
  target_link_options(nika_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Stops if tools/layers.txt does not let a folder use what its target is to depend on.
function(nika_check_layer name)
  file(STRINGS ${PROJECT_SOURCE_DIR}/tools/layers.txt line REGEX "^${name}[ :]")
  if(NOT line)
    message(FATAL_ERROR "tools/layers.txt has no line for ${name}")
  endif()
  string(REGEX REPLACE "^[^:]*:" "" allowed "${line}")
  separate_arguments(allowed)
  foreach(folder ${ARGN})
    if(NOT folder IN_LIST allowed)
      message(FATAL_ERROR "tools/layers.txt does not let ${name} depend on ${folder}")
    endif()
  endforeach()
endfunction()

# Sources under runners/, and under protocols/ if they are neither tested nor followed by conform/, stay only if their path
# names the one protocol.
function(nika_leave_out_protocols list)
  set(kept)
  foreach(source ${${list}})
    string(REGEX MATCH "(runners|protocols)/.*" below ${source})
    if(below MATCHES "^protocols/" AND (NIKA_TESTS OR below MATCHES "/(binary|bv_broadcast|dbft|one_step)/"))
      set(below)
    endif()
    if(NOT below OR below MATCHES "/${NIKA_ONLY_PROTOCOL}[/.]")
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# What `./dev test` builds and runs by g++: the tests with the label "optimized".
add_custom_target(nika_optimized_tests)

function(nika_folder name)
  cmake_parse_arguments(arg "COMPARES;OPTIMIZED;COLD" "" "DEPENDS;LINK;TEST_LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "cli/main/")
  if(NIKA_ONLY_PROTOCOL)
    nika_leave_out_protocols(sources)
  endif()
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  nika_check_layer(${name} ${arg_DEPENDS})
  list(TRANSFORM arg_DEPENDS PREPEND nika_)

  if(sources)
    add_library(nika_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(nika_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(nika::${name} ALIAS nika_${name})
  set_target_properties(nika_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(nika_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_link_libraries(nika_${name} ${scope} $<BUILD_INTERFACE:nika_flags> ${arg_DEPENDS} ${arg_LINK})
  target_compile_features(nika_${name} ${scope} cxx_std_20)
  set_property(GLOBAL APPEND PROPERTY NIKA_FOLDERS nika_${name})
  set(optimizing)
  if(NIKA_SANITIZE AND arg_COLD)
    set(optimizing -O0)
  endif()
  # Without coverage of the code under test libFuzzer only guesses: of readers, and of what they are made of.
  set(coverage)
  if(NIKA_FUZZERS AND sources AND name MATCHES "^(base|model|scenarios|store|automata)$")
    set(coverage -fsanitize=fuzzer-no-link)
  endif()
  nika_compile_with(nika_${name} ${optimizing} ${coverage})

  if(NIKA_TESTS AND tests AND NOT (arg_COMPARES AND NIKA_SANITIZE))
    add_executable(nika_${name}_test ${tests})
    target_link_libraries(nika_${name}_test PRIVATE nika_${name} nika_flags GTest::gtest_main ${arg_TEST_LINK})
    nika_compile_with(nika_${name}_test ${optimizing})
    include(GoogleTest)
    set(label unit)
    set(cost 1)
    if(arg_COMPARES OR arg_OPTIMIZED)
      set(label optimized)
      set(cost 100)  # what takes long begins first
      add_dependencies(nika_optimized_tests nika_${name}_test)
    endif()
    gtest_discover_tests(nika_${name}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900
      ENVIRONMENT RC_PARAMS=seed=1 LABELS ${label} COST ${cost})
  endif()
  if(NIKA_FUZZERS)
    foreach(fuzzer ${fuzzers})
      get_filename_component(target ${fuzzer} NAME_WE)
      add_executable(${target} ${fuzzer})
      target_link_libraries(${target} PRIVATE nika_${name} nika_flags)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
      add_test(NAME fuzz.${target} COMMAND ${target} -runs=20000 -max_len=4096 -seed=1 -timeout=10 -print_final_stats=1)
    endforeach()
  endif()
endfunction()
