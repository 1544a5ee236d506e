# own_target(name [QUICK_TO_COMPILE] [FUZZED]): the compiler flags, warnings and output folders of our own libraries and programs.
# None of this reaches a program that links the installed library.

set(CMAKE_CXX_EXTENSIONS OFF)

# What nearly every source includes; parsed once per target.
set(own_precompiled_headers
    <algorithm> <array> <cmath> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
    <unordered_map> <vector> <Eigen/Dense>)
# And around the library, where most sources have a world.
set(own_world_headers ${own_precompiled_headers} ${PROJECT_SOURCE_DIR}/stiction/simulation/world.h)

# QUICK_TO_COMPILE is for what stands around the library, which does the work: it is compiled at -O1.
# FUZZED is for what the fuzzers explore.
function(own_target name)
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
                                           ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -fno-math-errno -fno-trapping-math)
  if(STICTION_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()

  if("QUICK_TO_COMPILE" IN_LIST ARGN)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()

  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC collects garbage whenever its memory has grown a little: a tenth of the time that our sources take.
    target_compile_options(${name} PRIVATE "SHELL:--param ggc-min-expand=100" "SHELL:--param ggc-min-heapsize=1048576")
  endif()

  # Nobody replaces our functions at run time, so calls within a source may be inlined though they are relocatable.
  target_compile_options(${name} PRIVATE -fno-semantic-interposition)

  if(STICTION_AVX2 AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${name} PRIVATE -march=x86-64-v3)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # 32-byte aligned values passed without AVX: GCC notes an ABI change of 2010 at every use.
    target_compile_options(${name} PRIVATE -Wno-psabi)
  endif()

  if(STICTION_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_link_options(${name} PRIVATE ${sanitizers})
    if(STICTION_FUZZ AND "FUZZED" IN_LIST ARGN)
      # Tests and fuzzers share the library, which tells libFuzzer what of it was reached.
      list(APPEND sanitizers -fsanitize=fuzzer-no-link)
    endif()
    # Names of functions and lines for the stacks of findings; more takes long to write and to link.
    # -O2: clang's -O1 inlines nothing, which takes as long to compile and makes the tests several times slower.
    # Tests too: -O0 compiles in 60 % of the time, but a program takes any one copy of an inline function, so that
    # the library would run with theirs.
    target_compile_options(${name} PRIVATE -O2 -g1 -fno-omit-frame-pointer ${sanitizers})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # The instrumented code of Eigen's expressions confuses this warning; the plain build has it on.
      target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
  target_compile_definitions(${name} PRIVATE
    $<$<OR:$<BOOL:${STICTION_SANITIZE}>,$<CONFIG:Debug>>:STICTION_COSTLY_CHECKS>)
endfunction()
