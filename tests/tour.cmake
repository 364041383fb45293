# SPDX-License-Identifier: MIT
# Writes the indented lines of a header's head comment, which are code.
#   cmake -DHEADER=trigon.hpp -DOUTPUT=tour.inc -P tour.cmake
file(READ ${HEADER} text)
string(FIND "${text}" "#include" end)
string(SUBSTRING "${text}" 0 ${end} text)
string(REGEX REPLACE "\n//(  [^\n]*)" "\n\\1" text "${text}")
string(REGEX REPLACE "(^|\n)(//|#)[^\n]*" "" text "${text}")
string(FIND "${text}" "Tensor" code)
if(code EQUAL -1)
  message(FATAL_ERROR "${HEADER}: its head comment holds no tour")
endif()
file(WRITE ${OUTPUT} "${text}")
