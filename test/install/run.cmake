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

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${consumer_build}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${compiler})
run(${CMAKE_COMMAND} --build ${consumer_build})
run(${consumer_build}/consumer)
