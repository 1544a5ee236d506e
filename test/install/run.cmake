# Installs the built library into a folder of the build, then configures, compiles and runs the program in
# consumer/ as someone else would: with find_package(stiction) and no flag of ours.
#   build: our build folder;  compiler: the compiler it was made with

set(prefix ${build}/install_test/prefix)
set(consumer_build ${build}/install_test/consumer)
file(REMOVE_RECURSE ${build}/install_test)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}")
  endif()
endfunction()

# The text of the first piece of README.md in a language.
function(piece_of_readme language out)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/../../README.md text)
  set(begin_mark "```${language}\n")
  string(FIND "${text}" "${begin_mark}" begin)
  string(LENGTH "${begin_mark}" length)
  math(EXPR begin "${begin} + ${length}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(${out} "${text}\n" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})

# Python's package is a wheel; half of it would be found by an import and fail.
file(GLOB_RECURSE of_python ${prefix}/*.so ${prefix}/*.py ${prefix}/*.pyi)
list(FILTER of_python INCLUDE REGEX "_core|\\.pyi?$")
if(of_python OR EXISTS ${prefix}/stiction)
  message(FATAL_ERROR "cmake --install leaves parts of the Python package: ${of_python} ${prefix}/stiction")
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${consumer_build}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${compiler})
run(${CMAKE_COMMAND} --build ${consumer_build})
run(${consumer_build}/consumer)

# The program of README.md, by the lines for CMake that stand there.
set(readme ${build}/install_test/readme)
piece_of_readme(cpp program)
piece_of_readme(cmake lines)
file(WRITE ${readme}/main.cpp "${program}")
string(REPLACE "target_link_libraries" "add_executable(my_program main.cpp)\ntarget_link_libraries" lines "${lines}")
file(WRITE ${readme}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(readme LANGUAGES CXX)\n${lines}")
run(${CMAKE_COMMAND} -G Ninja -S ${readme} -B ${readme}/build -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${compiler})
run(${CMAKE_COMMAND} --build ${readme}/build)
run(${readme}/build/my_program)
