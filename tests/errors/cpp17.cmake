# SPDX-License-Identifier: MIT
# As C++17, each public header begins with the error of config.hpp, and trigon.hpp has no other.
#   cmake -DCOMPILER=c++ -DINCLUDE=include -DWORK=folder -P cpp17.cmake

file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/*.hpp)
set(wanted "trigon needs C\\+\\+20: compile with -std=c\\+\\+20")
foreach(header IN LISTS headers)
  file(WRITE ${WORK}/cpp17.cpp "#include <${header}>\n")
  set(options -Wfatal-errors)  # to stop at the first error
  if(header STREQUAL "trigon/trigon.hpp")
    set(options "")
  endif()
  execute_process(COMMAND ${COMPILER} -std=c++17 -fsyntax-only ${options} -I${INCLUDE}
                          ${WORK}/cpp17.cpp
                  RESULT_VARIABLE code ERROR_VARIABLE text)
  string(REGEX MATCHALL "[^\n]* error: [^\n]*" errors "${text}")
  list(LENGTH errors count)
  list(GET errors 0 first)
  if(code EQUAL 0 OR NOT first MATCHES "${wanted}")
    message(FATAL_ERROR "${header} compiles as C++17 or begins with another error:\n${text}")
  endif()
  if(header STREQUAL "trigon/trigon.hpp" AND NOT count EQUAL 1)
    message(FATAL_ERROR "trigon.hpp has ${count} errors as C++17:\n${text}")
  endif()
endforeach()
