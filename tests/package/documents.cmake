# SPDX-License-Identifier: MIT
# cmake -DSOURCE=... -DINSTALLED=... -P documents.cmake: the installed documents are those of the
# sources, and the manual is among them.
file(GLOB documents RELATIVE ${SOURCE} ${SOURCE}/docs/*.md)
foreach(document README.md CHANGELOG.md LICENSE ${documents})
  file(READ ${SOURCE}/${document} want)
  file(READ ${INSTALLED}/${document} found)
  if(NOT want STREQUAL found)
    message(FATAL_ERROR "${INSTALLED}/${document} differs from ${SOURCE}/${document}")
  endif()
endforeach()
file(READ ${INSTALLED}/docs/manual.md manual)
if(NOT manual MATCHES "^# Ops of Trigon\n" OR NOT manual MATCHES "\n### exp\n")
  message(FATAL_ERROR "${INSTALLED}/docs/manual.md is not the manual")
endif()
