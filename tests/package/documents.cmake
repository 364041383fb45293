# SPDX-License-Identifier: MIT
# cmake -DSOURCE=... -DINSTALLED=... -P documents.cmake: the installed documents are those of the
# sources, the manual is among them, and their links lead to installed files.
file(GLOB pages RELATIVE ${SOURCE} ${SOURCE}/docs/*.md ${SOURCE}/bindings/web/package/*.md)
list(APPEND pages README.md CHANGELOG.md CONTRIBUTING.md LICENSE src/README.md bench/README.md
     bindings/web/README.md samples/simulate/README.md)
foreach(document IN LISTS pages)
  file(READ ${SOURCE}/${document} want)
  file(READ ${INSTALLED}/${document} found)
  if(NOT want STREQUAL found)
    message(FATAL_ERROR "${INSTALLED}/${document} differs from ${SOURCE}/${document}")
  endif()
endforeach()
file(READ ${INSTALLED}/docs/manual.md manual)
if(NOT manual MATCHES "^# Functions of Trigon\n" OR NOT manual MATCHES "\n### exp\n" OR
   NOT manual MATCHES "\n### fori_loop\n")
  message(FATAL_ERROR "${INSTALLED}/docs/manual.md is not the manual")
endif()

set(count 0)
file(GLOB_RECURSE documents ${INSTALLED}/*.md)
foreach(document IN LISTS documents)
  get_filename_component(folder ${document} DIRECTORY)
  file(READ ${document} text)
  # The match begins at the parenthesis, since CMake does not split lists at elements with a single
  # bracket.
  string(REGEX MATCHALL "\\([A-Za-z0-9_./-]+\\.md" links "${text}")
  foreach(link IN LISTS links)
    string(SUBSTRING ${link} 1 -1 link)
    if(NOT EXISTS ${folder}/${link})
      message(FATAL_ERROR "${document} links to ${link}, which is not installed")
    endif()
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()
if(count LESS 15)
  message(FATAL_ERROR "only ${count} links were found in ${INSTALLED}")
endif()
